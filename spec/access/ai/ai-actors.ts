import { but, row } from '../expectation.ts';
import { adminsAnd, projectReaders, projectWriters } from '../presets.ts';

/**
 * Callers that may manage an actor of the fixture's editor. The token belongs to another user, and a host's user owns
 * no actor.
 */
const managers = but(projectWriters, { hostPrincipal: 403, bearerToken: 403 });
const approvers = adminsAnd('approver');
const planReaders = but(projectReaders, { approver: 'passes' });
const acts = 'Its owner, a ProjectAdmin or an Admin; a change, so keys need Execute.';

/**
 * AI actors and their plans. The fixture's editor owns the actor. A plan needs the decision of an uninvolved caller.
 */
export const aiActorRows = [
  row(
    'GET /svc/api/ai-actors',
    but(projectReaders, { memberOfAnotherProject: 'passes' }),
    'Actors of readable projects.',
  ),
  row(
    'POST /svc/api/ai-actors',
    but(projectWriters, { hostPrincipal: 403 }),
    'Editors of the project; an actor acts as its owner, so that a user without a record owns none.',
  ),
  row('GET /svc/api/ai-actors/{id}', projectReaders, 'Who reads the project reads its actors.'),
  row('PUT /svc/api/ai-actors/{id}', managers, acts),
  row('DELETE /svc/api/ai-actors/{id}', managers, acts),
  row('POST /svc/api/ai-actors/{id}/think', managers, `${acts} Without a model a sound request is 409.`, {
    passesWith: [409],
  }),
  row('POST /svc/api/ai-actors/{id}/refine', managers, `${acts} Without a model a sound request is 409.`, {
    passesWith: [409],
  }),
  row('POST /svc/api/ai-actors/{id}/pause', managers, acts),
  row('POST /svc/api/ai-actors/{id}/resume', managers, acts),
  row('PUT /svc/api/ai-actors/{id}/owner', adminsAnd('userAdmin'), 'Changing an owner needs a UserAdmin.'),
  row(
    'GET /svc/api/ai-actors/{id}/thinks',
    projectReaders,
    'Who reads the project reads what its actors thought.',
  ),
  row(
    'GET /svc/api/ai-actors/{id}/plans',
    projectReaders,
    'Who reads the project reads the plans of its actors.',
  ),
  row(
    'GET /svc/api/ai-actors/plans',
    but(planReaders, { memberOfAnotherProject: 'passes' }),
    'Plans of readable projects; Approvers see every request.',
  ),
  row(
    'GET /svc/api/ai-actors/plans/{id}',
    planReaders,
    'Who reads the project, and Approvers, who see every request.',
  ),
  row('POST /svc/api/ai-actors/plans/{id}/approve', approvers, 'Approving needs an Approver.'),
  row('POST /svc/api/ai-actors/plans/{id}/reject', approvers, 'Rejecting needs an Approver.'),
  row(
    'POST /svc/api/ai-actors/plans/{id}/request-revision',
    approvers,
    'Deciding needs an Approver. Without a model it is 409.',
    {
      passesWith: [409],
    },
  ),
  row('POST /svc/api/ai-actors/plans/{id}/withdraw', managers, acts),
] as const;
