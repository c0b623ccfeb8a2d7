import { but, row } from '../expectation.ts';
import { everyPerson, projectReaders, projectRunners, projectWriters, readers } from '../presets.ts';

/** Queries of the restricted project. */
export const queryRows = [
  row('GET /svc/api/queries', readers, 'The list holds only queries of readable projects.'),
  row('POST /svc/api/queries', projectWriters, 'Creating in a project needs Editor or above there.'),
  row(
    'GET /svc/api/queries/own-runs',
    everyPerson,
    'Whoever is signed in reads their own history and nobody else’s; keys and tokens have none.',
  ),
  row('GET /svc/api/queries/{id}', projectReaders, 'Readable in the project, else it does not exist.'),
  row('PUT /svc/api/queries/{id}', projectWriters, 'Saving SQL needs Editor or above in the project.'),
  row(
    'POST /svc/api/queries/{id}/preview',
    projectRunners,
    'A preview of saved SQL is open to Viewers; from a key it needs Execute.',
  ),
  row(
    'POST /svc/api/queries/{id}/steps/{stepOrder}/preview',
    projectRunners,
    'A preview of a saved step is open to Viewers; from a key it needs Execute.',
  ),
  row(
    'POST /svc/api/queries/preview',
    projectWriters,
    'Running SQL that nobody saved needs the right to save it.',
  ),
  row(
    'POST /svc/api/queries/preflight',
    projectWriters,
    'Asking the engine about SQL that nobody saved needs the right to save it.',
  ),
  row(
    'POST /svc/api/queries/explain',
    projectWriters,
    'Asking the engine about SQL that nobody saved needs the right to save it.',
  ),
  row(
    'POST /svc/api/queries/{id}/export',
    projectRunners,
    'A file of saved SQL is open to Viewers; from a key it needs Execute.',
  ),
  row(
    'POST /svc/api/queries/runs/{runKey}/stop',
    but(readers, { readKey: 403, executeKeyOfDemotedOwner: 403 }),
    'Whoever may run may stop what is their own; a key of nobody else is known here.',
  ),
  row(
    'GET /svc/api/queries/{id}/versions',
    projectReaders,
    'Whoever reads a query reads what it said before: readable in the project, else it does not exist.',
  ),
  row(
    'GET /svc/api/queries/{id}/change-history',
    projectReaders,
    'Who changed a query, and why, is told to whoever reads it.',
  ),
  row(
    'GET /svc/api/query-versions/{id}',
    projectReaders,
    'A version of a readable query, else it does not exist.',
  ),
  row(
    'GET /svc/api/query-versions/diff',
    projectReaders,
    'Both versions have to be readable, else they do not exist.',
  ),
  row(
    'POST /svc/api/query-versions/{id}/preview',
    projectRunners,
    'A version is saved SQL: its preview is open to Viewers; from a key it needs Execute.',
  ),
  row(
    'POST /svc/api/query-versions/{id}/restore',
    projectWriters,
    'Restoring is a save: it needs Editor or above in the project.',
  ),
  row(
    'GET /svc/api/query-folders',
    readers,
    'The list holds only folders of readable projects: one for all would show names across projects.',
  ),
  row('POST /svc/api/query-folders', projectWriters, 'A folder is made by whoever saves queries there.'),
  row(
    'GET /svc/api/query-folders/{id}',
    projectReaders,
    'A folder of a readable project, else it does not exist.',
  ),
  row('PATCH /svc/api/query-folders/{id}', projectWriters, 'Renaming and moving needs Editor or above.'),
  row('DELETE /svc/api/query-folders/{id}', projectWriters, 'Deleting needs Editor or above in the project.'),
  row(
    'POST /svc/api/query-folders/move-queries',
    projectWriters,
    'Moving many is a change of each; where one cannot be read, none exists.',
  ),
  row('PUT /svc/api/queries/{id}/folder', projectWriters, 'Moving is a change of the query.'),
  row(
    'GET /svc/api/queries/{id}/last-result',
    projectReaders,
    'Who reads a query sees the rows that its runs kept, where the run may be seen.',
  ),
  row(
    'GET /svc/api/queries/{id}/mcp-tool',
    but(projectReaders, { securityAdmin: 'passes' }),
    'Who reads a query sees what AI clients are offered of it; so does whoever publishes it.',
  ),
  row(
    'POST /svc/api/queries/{id}/versions/{versionId}/withdraw',
    projectWriters,
    'Withdrawing changes the query. Without a version that waits it is 409.',
    { passesWith: [409] },
  ),
  row('POST /svc/api/queries/{id}/lock', projectWriters, 'Locking is a change of the query.'),
] as const;
