import { but, row } from '../expectation.ts';
import { adminsAnd, projectReaders, projectRunners, projectWriters, readers, writers } from '../presets.ts';

/** Subscriptions to a query of the restricted project. */
export const subscriptionRows = [
  row('GET /svc/api/subscriptions', readers, 'The list holds only subscriptions of readable projects.'),
  row('POST /svc/api/subscriptions', projectWriters, 'Changes need Editor or above, and from a key Execute.'),
  row(
    'POST /svc/api/subscriptions/bulk',
    writers,
    'Each subscription is changed or refused for itself: Editor or above, and from a key Execute.',
  ),
  row('GET /svc/api/subscriptions/{id}', projectReaders, 'Readable in the project, else it does not exist.'),
  row(
    'PATCH /svc/api/subscriptions/{id}',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'DELETE /svc/api/subscriptions/{id}',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'GET /svc/api/subscriptions/{id}/missed-runs',
    projectReaders,
    'Readable in the project, else it does not exist.',
  ),
  row(
    'GET /svc/api/subscriptions/{id}/routes',
    projectWriters,
    'Values of routes are cells of a database: Editor or above, and from a key Execute.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/message-preview',
    projectRunners,
    'It runs SQL and sends nothing: Viewer or above in the project, and from a key Execute.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/reactivate',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/test-run',
    projectWriters,
    'Test now runs SQL and sends: Editor or above, and from a key Execute.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/recipients',
    projectWriters,
    'Whoever may write the subscription may attach existing recipients; a key needs Execute.',
  ),
  row(
    'DELETE /svc/api/subscriptions/{id}/recipients/{recipientId}',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/sla',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/replace',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/alert-reset',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/alert-acknowledgement',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'DELETE /svc/api/subscriptions/{id}/alert-acknowledgement',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/row-memory-reset',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/pause',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/resume',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/snooze',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'GET /svc/api/subscriptions/{id}/anomaly-chart',
    projectReaders,
    'Readable in the project, else it does not exist; runs out of reach are not in it.',
  ),
  row(
    'POST /svc/api/subscriptions/{id}/anomalies/{notificationId}/verdict',
    projectWriters,
    'Changes need Editor or above, and from a key Execute.',
  ),
  row(
    'PUT /svc/api/subscriptions/{id}/owner',
    adminsAnd('userAdmin'),
    'Changing the owner needs a UserAdmin.',
  ),
  row(
    'POST /svc/api/subscriptions/schedule-preview',
    but(readers, { readKey: 403, executeKeyOfDemotedOwner: 403 }),
    'It explains a schedule and changes nothing; from a key every POST needs Execute.',
  ),
] as const;
