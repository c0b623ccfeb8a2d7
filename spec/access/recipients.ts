import { but, row } from './expectation.ts';
import { adminsAnd, readers } from './presets.ts';

const keepers = adminsAnd('securityAdmin');
const viewers = but(readers, { securityAdmin: 'passes' });

/** Recipients, which belong to no project. */
export const recipientRows = [
  row('GET /svc/api/recipients', viewers, 'The list is for project access, and for whoever may change it.'),
  row(
    'GET /svc/api/recipients/{id}',
    viewers,
    'Recipients belong to no project; destinations are hidden or masked.',
  ),
  row('POST /svc/api/recipients', keepers, 'Creating needs a SecurityAdmin or an Admin.'),
  row('PUT /svc/api/recipients/{id}', keepers, 'Updating needs a SecurityAdmin or an Admin.', {
    variant: 'renaming',
  }),
  row(
    'GET /svc/api/recipients/{id}/uses',
    viewers,
    'As the recipient itself; the list holds what the caller can read.',
  ),
  row('DELETE /svc/api/recipients/{id}', keepers, 'Deleting needs a SecurityAdmin or an Admin.'),
] as const;
