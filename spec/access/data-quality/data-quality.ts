import { but, row } from '../expectation.ts';
import { admins, adminsAnd, projectReaders, projectWriters, readers } from '../presets.ts';

const contracts = '/svc/api/data-quality/contracts';
const changes = 'Changes need Editor or above, and from a key Execute.';

/** Data contracts of the restricted project. */
export const dataQualityRows = [
  row(`GET ${contracts}`, readers, 'The list holds only contracts of readable projects.'),
  row(`POST ${contracts}`, projectWriters, changes),
  row(
    `POST ${contracts}`,
    but(admins, { memberOfAnotherProject: 404 }),
    'Rules of custom SQL need an Admin.',
    { variant: 'custom SQL' },
  ),
  row(`GET ${contracts}/{id}`, projectReaders, 'Readable in the project, else it does not exist.'),
  row(`PUT ${contracts}/{id}`, projectWriters, changes),
  row(`DELETE ${contracts}/{id}`, projectWriters, changes),
  row(`PUT ${contracts}/{id}/owner`, adminsAnd('userAdmin'), 'Changing an owner needs a UserAdmin.'),
  row('GET /svc/api/data-quality/overview', readers, 'It counts only contracts of readable projects.'),
  row(
    `POST ${contracts}/check`,
    projectWriters,
    'It runs SQL for whoever writes a contract; a key needs Execute.',
  ),
  row(
    `POST ${contracts}/check`,
    but(admins, { memberOfAnotherProject: 404 }),
    'Rules of custom SQL need an Admin.',
    {
      variant: 'custom SQL',
    },
  ),
  row(`POST ${contracts}/{id}/evaluate`, projectWriters, changes),
  row(
    `GET ${contracts}/{id}/evaluations`,
    projectReaders,
    'Readable in the project, else it does not exist.',
  ),
  row(
    `GET ${contracts}/{id}/evaluations/{evaluationId}`,
    projectReaders,
    'Readable in the project, else it does not exist.',
  ),
  row(`GET ${contracts}/{id}/odcs`, projectReaders, 'Readable in the project, else it does not exist.'),
  row(`POST ${contracts}/import`, projectWriters, changes),
  row(
    `POST ${contracts}/import`,
    but(admins, { memberOfAnotherProject: 404 }),
    'Rules of custom SQL need an Admin.',
    { variant: 'custom SQL' },
  ),
  row(`POST ${contracts}/{id}/snooze`, projectWriters, changes),
  row(`POST ${contracts}/{id}/alert-acknowledgement`, projectWriters, changes),
  row(`DELETE ${contracts}/{id}/alert-acknowledgement`, projectWriters, changes),
  row(
    `POST ${contracts}/{id}/recipients`,
    projectWriters,
    'Whoever may write the contract may attach existing recipients; a key needs Execute.',
  ),
  row(`DELETE ${contracts}/{id}/recipients/{recipientId}`, projectWriters, changes),
] as const;
