import { but, row } from '../expectation.ts';
import { everyPerson, projectReaders, projectWriters, readers, writers } from '../presets.ts';

/** The history of runs. The run of the matrix read only the data source of the restricted project. */
export const notificationRows = [
  row('GET /svc/api/notifications', readers, 'The list holds only visible runs.'),
  row('GET /svc/api/notifications/recent-runs', readers, 'The list holds only visible runs.'),
  row(
    'GET /svc/api/notifications/recent-deliveries',
    readers,
    'The list holds only attempts of visible runs.',
  ),
  row('GET /svc/api/notifications/{id}', projectReaders, 'A hidden run is read as not found.'),
  row('GET /svc/api/notifications/{id}/timeline', projectReaders, 'A hidden run is read as not found.'),
  row(
    'POST /svc/api/notifications/{id}/deliveries/{deliveryId}/resend',
    projectWriters,
    'Sending again is like Test now: Editor or above in the project, and from a key Execute.',
  ),
  row(
    'POST /svc/api/notifications/{id}/resend-failed',
    projectWriters,
    'Sending again is like Test now: Editor or above in the project, and from a key Execute.',
  ),
  row(
    'POST /svc/api/notifications/resend-failed',
    writers,
    'It covers deliveries of the projects that the caller may write in, and no others.',
  ),
  row('GET /svc/api/notices', everyPerson, "A person's own notices."),
  row(
    'POST /svc/api/notices/{id}/read',
    but(everyPerson, { hostPrincipal: 404 }),
    "A person's own notices; a principal of the host is no stored user and has none.",
  ),
  row('POST /svc/api/notices/read-all', everyPerson, "A person's own notices."),
] as const;
