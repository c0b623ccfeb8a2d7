import { but, row } from '../expectation.ts';
import {
  adminsAnd,
  projectAdmins,
  projectReaders,
  projectRunners,
  projectWriters,
  readers,
} from '../presets.ts';

const keepers = adminsAnd('dataSourceAdmin');

/** Data sources. The data source of the matrix is linked to the restricted project only. */
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
  row(
    'GET /svc/api/data-sources/files',
    keepers,
    'Names of files on the host are for those who may create a data source.',
  ),
  row(
    'POST /svc/api/data-sources/files',
    keepers,
    'A file is sent by whoever may create a data source that reads it.',
  ),
  row(
    'POST /svc/api/data-sources/files/preview',
    keepers,
    'A file is looked at by whoever may create a data source that reads it.',
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
  row(
    'GET /svc/api/data-sources/{id}/relationships',
    projectReaders,
    'Relationships of a source are for project access.',
  ),
  row(
    'POST /svc/api/data-sources/{id}/relationships',
    projectWriters,
    'Adding a relationship is a change in a project that holds the source.',
  ),
  row(
    'PATCH /svc/api/data-sources/{id}/relationships/{relationshipId}',
    projectWriters,
    'Editing a relationship is a change in a project that holds the source.',
  ),
  row(
    'DELETE /svc/api/data-sources/{id}/relationships/{relationshipId}',
    projectWriters,
    'Deleting a relationship is a change in a project that holds the source.',
  ),
  row(
    'POST /svc/api/data-sources/{id}/relationships/{relationshipId}/verify',
    projectAdmins,
    'Verifying needs the Curate action: ProjectAdmin of a project that holds the source.',
  ),
  row(
    'POST /svc/api/data-sources/{id}/relationships/{relationshipId}/check',
    projectRunners,
    'It runs SQL: keys need Execute.',
  ),
  row(
    'POST /svc/api/data-sources/{id}/relationships/discover',
    projectRunners,
    'It stores nothing; a request of a key other than GET needs Execute.',
  ),
  row(
    'POST /svc/api/data-sources/{id}/relationships/discover/accept',
    projectWriters,
    'Keeping proposals is a change in a project that holds the source.',
  ),
  row(
    'GET /svc/api/data-sources/{id}/schema-health',
    projectReaders,
    'The health of a schema is for project access.',
  ),
  row(
    'GET /svc/api/data-sources/{id}/schema-changes',
    projectReaders,
    'What changed in a schema is for project access.',
  ),
] as const;
