import { but, row } from '../expectation.ts';
import {
  admins,
  adminsAnd,
  projectAdmins,
  projectReaders,
  projectWriters,
  readers,
  writers,
} from '../presets.ts';

const memberManagers = but(projectAdmins, { userAdmin: 'passes' });

/** Projects, their members, access mode and linked data sources. */
export const projectRows = [
  row(
    'GET /svc/api/projects',
    readers,
    'Anyone who reads project data; the list holds only readable projects.',
  ),
  row(
    'POST /svc/api/projects',
    but(writers, { executeKey: 403 }),
    'A change needs Editor or above; a key with a list of projects would not see the new one.',
  ),
  row('GET /svc/api/projects/{id}', projectReaders, 'Readable in the project, else it does not exist.'),
  row(
    'PATCH /svc/api/projects/{id}',
    projectWriters,
    'Changing name and description is a change in the project.',
  ),
  row('DELETE /svc/api/projects/{id}', projectAdmins, 'Archiving is administering the project.'),
  row(
    'GET /svc/api/projects/{id}/members',
    memberManagers,
    "Members are a matter of the project's admins and of a UserAdmin; a key never manages them.",
  ),
  row(
    'POST /svc/api/projects/{id}/members',
    memberManagers,
    "Members are a matter of the project's admins and of a UserAdmin; a key never manages them.",
  ),
  row(
    'PUT /svc/api/projects/{id}/members/{userId}',
    memberManagers,
    "Members are a matter of the project's admins and of a UserAdmin; a key never manages them.",
  ),
  row(
    'DELETE /svc/api/projects/{id}/members/{userId}',
    memberManagers,
    "Members are a matter of the project's admins and of a UserAdmin; a key never manages them.",
  ),
  row('PUT /svc/api/projects/{id}/access-mode', adminsAnd('userAdmin'), 'Restricting needs a UserAdmin.', {
    variant: 'restricting',
  }),
  row('PUT /svc/api/projects/{id}/access-mode', admins, 'Opening a restricted project needs an Admin.', {
    variant: 'opening',
  }),
  row(
    'GET /svc/api/projects/{id}/data-sources',
    projectReaders,
    'Who reads the project sees what is linked to it.',
  ),
  row(
    'POST /svc/api/projects/{id}/data-sources',
    but(projectWriters, { executeKey: 404 }),
    'Whoever writes in the project links a source that is open to all; a key sees none outside its projects.',
  ),
  row(
    'DELETE /svc/api/projects/{id}/data-sources/{dataSourceId}',
    admins,
    'Unlinking a data source needs an Admin.',
  ),
] as const;
