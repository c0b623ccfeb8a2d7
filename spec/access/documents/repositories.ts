import { row } from '../expectation.ts';
import { projectReaders, projectWriters } from '../presets.ts';

/** Repositories of the restricted project, and their references to tables. Their tokens belong to administration. */
export const repositoryRows = [
  row(
    'GET /svc/api/projects/{id}/repositories',
    projectReaders,
    'Who reads the project sees where its code is.',
  ),
  row(
    'POST /svc/api/projects/{id}/repositories',
    projectWriters,
    'Adding a repository is a change in the project.',
  ),
  row(
    'PATCH /svc/api/projects/repositories/{id}',
    projectWriters,
    'Changing where a repository is, is a change in its project.',
  ),
  row(
    'DELETE /svc/api/projects/repositories/{id}',
    projectWriters,
    'Removing a repository is a change in its project.',
  ),
  row(
    'POST /svc/api/projects/repositories/{id}/scan',
    projectWriters,
    'A change that dials the server of the repository: Editor or above, and from a key Execute.',
  ),
  row(
    'GET /svc/api/projects/{id}/code-references',
    projectReaders,
    'Who reads the project sees which of its code names tables.',
  ),
] as const;
