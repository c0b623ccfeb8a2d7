import { but, row } from '../expectation.ts';
import { adminsAnd, readers } from '../presets.ts';

const keepers = adminsAnd('securityAdmin');
const viewers = but(readers, { securityAdmin: 'passes' });

/** Recipients, which belong to no project. */
export const recipientRows = [
  row('GET /svc/api/recipients', viewers, 'The list is for project access, and for whoever may change it.'),
  row(
    'GET /svc/api/recipients/inbox',
    keepers,
    "The host's inbox is offered to those who may add recipients.",
  ),
  row(
    'GET /svc/api/recipients/{id}',
    viewers,
    'Recipients belong to no project; destinations are hidden or masked.',
  ),
  row('POST /svc/api/recipients', keepers, 'Creating needs a SecurityAdmin or an Admin.'),
  row('PUT /svc/api/recipients/{id}', keepers, 'Updating needs a SecurityAdmin or an Admin.', {
    variant: 'renaming',
  }),
  row(
    'GET /svc/api/recipients/{id}/uses',
    viewers,
    'As the recipient itself; the list holds what the caller can read.',
  ),
  row(
    'GET /svc/api/recipients/{id}/delivery-settings',
    viewers,
    'Whether a recipient is signed and repeated is no secret; the secrets are never shown again.',
  ),
  row(
    'PUT /svc/api/recipients/{id}/retry-policy',
    keepers,
    'Changing a recipient needs a SecurityAdmin or an Admin.',
  ),
  row(
    'PUT /svc/api/recipients/{id}/number-format',
    keepers,
    'Changing a recipient needs a SecurityAdmin or an Admin.',
  ),
  row(
    'POST /svc/api/recipients/{id}/signing-secrets',
    keepers,
    'Changing a recipient needs a SecurityAdmin or an Admin.',
  ),
  row(
    'DELETE /svc/api/recipients/{id}/signing-secrets/previous',
    keepers,
    'Changing a recipient needs a SecurityAdmin or an Admin.',
  ),
  row(
    'DELETE /svc/api/recipients/{id}/signing-secrets',
    keepers,
    'Changing a recipient needs a SecurityAdmin or an Admin.',
  ),
  row(
    'POST /svc/api/recipients/template-preview',
    keepers,
    'For those who write templates: whoever may change a recipient.',
  ),
  row('DELETE /svc/api/recipients/{id}', keepers, 'Deleting needs a SecurityAdmin or an Admin.'),
] as const;
