import { but, row } from '../expectation.ts';
import { adminsAnd, everyPerson } from '../presets.ts';

/** Open for the host's principal: without user management, there are no stored users. */
const userAdmins = but(adminsAnd('userAdmin'), { hostPrincipal: 'open' });
const ownSettings = but(everyPerson, { hostPrincipal: 'open' });

const sessionsOnly = but(everyPerson, { hostPrincipal: 403 });

/** Users, and each user's own settings. */
export const userRows = [
  row('GET /svc/api/users', userAdmins, 'The group of users needs a UserAdmin.'),
  row('GET /svc/api/users/roles', userAdmins, 'The group of users needs a UserAdmin.'),
  row('GET /svc/api/users/{id}', userAdmins, 'The group of users needs a UserAdmin.'),
  row('POST /svc/api/users/internal', userAdmins, 'The group of users needs a UserAdmin.'),
  row('POST /svc/api/users/external', userAdmins, 'The group of users needs a UserAdmin.'),
  row('PUT /svc/api/users/{id}', userAdmins, 'The group of users needs a UserAdmin.'),
  row('PUT /svc/api/users/{id}/roles', userAdmins, 'The group of users needs a UserAdmin.'),
  row('POST /svc/api/users/{id}/toggle-enabled', userAdmins, 'The group of users needs a UserAdmin.'),
  row('DELETE /svc/api/users/{id}', userAdmins, 'The group of users needs a UserAdmin.'),
  row(
    'POST /svc/api/users/{id}/sign-out-everywhere',
    userAdmins,
    'Ending the sessions of another user needs a UserAdmin.',
  ),
  row('GET /svc/api/users/{id}/sessions', userAdmins, 'The group of users needs a UserAdmin.'),
  row(
    'DELETE /svc/api/users/{id}/sessions/{sessionId}',
    userAdmins,
    'Ending a session of another user needs a UserAdmin.',
  ),
  row('GET /svc/api/user-settings', ownSettings, "Everybody's own settings, also without any role."),
  row('PATCH /svc/api/user-settings', sessionsOnly, 'Everybody changes their own settings.'),
  row(
    'POST /svc/api/user-settings/change-password',
    ownSettings,
    'Everybody changes their own password, also without any role.',
  ),
  row(
    'GET /svc/api/user-settings/sessions',
    sessionsOnly,
    "Everybody's own browser sessions; a caller without one has none.",
  ),
  row(
    'DELETE /svc/api/user-settings/sessions/{id}',
    sessionsOnly,
    'Everybody ends their own browser sessions.',
  ),
  row('GET /svc/api/saved-views', sessionsOnly, "Everybody's own views of lists."),
  row('POST /svc/api/saved-views', sessionsOnly, 'Everybody saves views for themselves.'),
  row('PATCH /svc/api/saved-views/{id}', sessionsOnly, 'Everybody changes their own views.'),
  row('DELETE /svc/api/saved-views/{id}', sessionsOnly, 'Everybody deletes their own views.'),
] as const;
