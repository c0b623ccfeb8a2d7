import { but, row } from '../expectation.ts';
import { admins, projectReaders, projectWriters, readers, writers } from '../presets.ts';

const path = '/svc/api/definitions';

/** Records as files. The service checks each record separately and reports a forbidden change as a step. */
export const definitionRows = [
  row(`GET ${path}/schema`, readers, 'What files may say is no secret of any project.'),
  row(
    `POST ${path}/export`,
    but(readers, { readKey: 403, executeKeyOfDemotedOwner: 403 }),
    'It holds only what the caller reads; a key needs Execute for a POST.',
  ),
  row(`POST ${path}/plan`, writers, 'Whoever changes something somewhere plans; a key needs Execute.'),
  row(`POST ${path}/apply`, writers, 'Whoever planned applies; a key needs Execute.'),
  row(
    `GET ${path}/objects/{kind}/{id}`,
    but(projectReaders, { securityAdmin: 404, dataSourceAdmin: 404, auditor: 404, migrationOperator: 404 }),
    'Readable in the project, else it does not exist: administrators see the pages of some records of no project.',
  ),
  row(`PATCH ${path}/objects/{kind}/{id}`, projectWriters, 'Whoever may change a record may name it.'),
  row(`POST ${path}/objects/{kind}/{id}/release`, admins, 'Giving a managed record back needs an Admin.'),
] as const;
