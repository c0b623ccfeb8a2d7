import { but, row } from './expectation.ts';
import { adminsAnd, projectReaders, projectRunners, projectWriters, readers } from './presets.ts';

const keepers = adminsAnd('dataSourceAdmin');

/** Data sources; the one of the matrix is linked to the restricted project only. */
export const dataSourceRows = [
  row(
    'GET /svc/api/data-sources',
    but(readers, { dataSourceAdmin: 'passes' }),
    'The list is for project access or a DataSourceAdmin.',
  ),
  row(
    'GET /svc/api/data-sources/engines',
    keepers,
    'Forms of connections are for those who may create a data source.',
  ),
  row('POST /svc/api/data-sources', keepers, 'Creating a data source needs a DataSourceAdmin.'),
  row('GET /svc/api/data-sources/{id}', projectReaders, 'The detail is for project access.'),
  row('PATCH /svc/api/data-sources/{id}', keepers, 'Changing a connection is like creating one.'),
  row('DELETE /svc/api/data-sources/{id}', keepers, 'Deleting a data source needs a DataSourceAdmin.'),
  row('POST /svc/api/data-sources/{id}/test', keepers, 'Testing a data source needs a DataSourceAdmin.'),
  row('POST /svc/api/data-sources/test-connection', keepers, 'Testing a connection needs a DataSourceAdmin.'),
  row(
    'GET /svc/api/data-sources/{id}/metadata',
    projectRunners,
    'A read that may dial the source: scoped callers need Execute.',
  ),
  row(
    'POST /svc/api/data-sources/{id}/refresh-metadata',
    projectWriters,
    'A change that dials the source: Editor or above, and from a key Execute. It is limited per source.',
    { passesWith: [200, 429] },
  ),
] as const;
