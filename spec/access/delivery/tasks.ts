import { but, row } from '../expectation.ts';
import { projectReaders, projectWriters, readers, writers } from '../presets.ts';

const inProject = 'Readable in the project, else it does not exist.';
const acts = 'Acting on a task needs Editor or above in the project, and from a key Execute.';
/** Users with a record in the service who are Viewer or above in the project; never a key or a token. */
const watchers = but(projectReaders, {
  readKey: 403,
  executeKey: 403,
  executeKeyOfDemotedOwner: 403,
  bearerToken: 403,
  hostPrincipal: 403,
});

/** Tasks of a subscription to a query of the restricted project. */
export const taskRows = [
  row('GET /svc/api/tasks', readers, 'The list holds only tasks of readable projects.'),
  row('GET /svc/api/tasks/{id}', projectReaders, inProject),
  row('GET /svc/api/tasks/{id}/events', projectReaders, inProject),
  row('GET /svc/api/tasks/{id}/comments', projectReaders, inProject),
  row('GET /svc/api/tasks/{id}/executions', projectReaders, inProject),
  row('GET /svc/api/tasks/{id}/result-history', projectReaders, inProject),
  row('GET /svc/api/tasks/{id}/related', projectReaders, inProject),
  row(
    'GET /svc/api/tasks/{id}/assignees',
    projectWriters,
    'Names of those who can read the project are for whoever may assign: Editor or above there.',
  ),
  row('POST /svc/api/tasks/{id}/resolve', projectWriters, acts),
  row('POST /svc/api/tasks/{id}/reopen', projectWriters, acts),
  row('POST /svc/api/tasks/{id}/assign', projectWriters, acts),
  row('POST /svc/api/tasks/{id}/snooze', projectWriters, acts),
  row('POST /svc/api/tasks/{id}/priority', projectWriters, acts),
  row('POST /svc/api/tasks/{id}/comments', projectWriters, acts),
  row(
    'POST /svc/api/tasks/{id}/watch',
    watchers,
    'Whoever reads a task in person may watch it; a principal of the host has no record to be told by.',
  ),
  row(
    'POST /svc/api/tasks/{id}/unwatch',
    watchers,
    'Whoever reads a task in person may stop watching it; a principal of the host has no record.',
  ),
  row('POST /svc/api/tasks/bulk', writers, 'Each task that it names is decided about by itself.'),
] as const;
