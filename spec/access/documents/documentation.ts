import { row } from '../expectation.ts';
import { projectReaders, projectWriters } from '../presets.ts';

/** Documentation of the restricted project of the matrix. */
export const documentationRows = [
  row('GET /svc/api/projects/{id}/documentation', projectReaders, 'Who reads the project reads about it.'),
  row(
    'GET /svc/api/projects/{id}/documentation/versions',
    projectReaders,
    'What it was is read like what it is.',
  ),
  row(
    'GET /svc/api/projects/{id}/documentation/versions/{number}',
    projectReaders,
    'What it was is read like what it is.',
  ),
  row('GET /svc/api/projects/{id}/documentation/export', projectReaders, 'A file of what can be read.'),
  row(
    'POST /svc/api/projects/{id}/generate-documentation',
    projectWriters,
    'Making the documentation anew is a change in the project.',
  ),
  row(
    'POST /svc/api/projects/{id}/documentation/cancel',
    projectWriters,
    'Whoever may begin a generation may end it.',
    { passesWith: [204, 409] },
  ),
  row(
    'POST /svc/api/projects/{id}/documentation/{kind}/instruct',
    projectWriters,
    'It spends the budget of the language model, for a text that its readers may not save.',
    { passesWith: [409] },
  ),
  row(
    'PUT /svc/api/projects/{id}/documentation/{kind}',
    projectWriters,
    'Writing a section is a change in the project.',
  ),
  row(
    'DELETE /svc/api/projects/{id}/documentation/{kind}/proposal',
    projectWriters,
    'Putting generated text away is a change in the project.',
  ),
] as const;
