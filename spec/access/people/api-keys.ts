import { but, type Expectations, row } from '../expectation.ts';
import { adminsAnd, everyPerson } from '../presets.ts';

/** Browser sessions only. The service identifies a mapped MCP caller, but refuses it with 403 without a session. */
const sessions: Expectations = but(everyPerson, { hostPrincipal: 403, mcpCaller: 403 });

const withoutReadAccess = {
  noRole: 403,
  userAdmin: 403,
  securityAdmin: 403,
  dataSourceAdmin: 403,
  auditor: 403,
  approver: 403,
  migrationOperator: 403,
} as const;

/** Callers that may create no key. The requested keys belong to another user. */
const withoutOwnKey = {
  noRole: 404,
  userAdmin: 404,
  securityAdmin: 404,
  dataSourceAdmin: 404,
  auditor: 404,
  approver: 404,
  migrationOperator: 404,
} as const;

/** API keys: routes of the owner and of administrators. */
export const apiKeyRows = [
  row('GET /svc/api/api-keys', sessions, 'Every signed-in person sees their own keys; a key sees none.'),
  row(
    'POST /svc/api/api-keys',
    but(sessions, { ...withoutReadAccess, memberOfAnotherProject: 404, admin: 404, superAdmin: 404 }),
    'Read keys need read access; the project must be readable by the creator without the Admin bypass.',
    { variant: 'Read key for the restricted project' },
  ),
  row(
    'POST /svc/api/api-keys',
    but(sessions, {
      ...withoutReadAccess,
      viewer: 403,
      memberOfAnotherProject: 404,
      admin: 404,
      superAdmin: 404,
    }),
    'Execute keys need the Editor role or above.',
    { variant: 'Execute key for the restricted project' },
  ),
  row(
    'DELETE /svc/api/api-keys/{id}',
    but(sessions, {
      noRole: 'open',
      userAdmin: 'open',
      securityAdmin: 'open',
      dataSourceAdmin: 'open',
      auditor: 'open',
      approver: 'open',
      migrationOperator: 'open',
    }),
    'Whoever has read access may revoke their own keys; the source does not speak of those who lost it.',
    { variant: 'own key' },
  ),
  row(
    'POST /svc/api/api-keys/{id}/replace',
    but(sessions, withoutReadAccess),
    'Replacing makes a key: whoever has read access replaces their own.',
    { variant: 'own key' },
  ),
  row(
    'GET /svc/api/api-keys/{id}/uses',
    but(sessions, withoutOwnKey),
    'Every signed-in person sees their own keys; who may make none has none.',
    { variant: 'own key' },
  ),
  row(
    'GET /svc/api/api-keys/{id}/explanation',
    but(sessions, withoutOwnKey),
    'Every signed-in person sees their own keys; who may make none has none.',
    { variant: 'own key' },
  ),
  row(
    'GET /svc/api/api-keys/admin/{id}/uses',
    but(adminsAnd('auditor', 'userAdmin'), { mcpCaller: 403 }),
    'It belongs to the list of all keys.',
    { variant: "an editor's key" },
  ),
  row(
    'GET /svc/api/api-keys/admin/{id}/explanation',
    but(adminsAnd('auditor', 'userAdmin'), { mcpCaller: 403 }),
    'It belongs to the list of all keys.',
    { variant: "an editor's key" },
  ),
  row(
    'GET /svc/api/api-keys/admin',
    but(adminsAnd('auditor', 'userAdmin'), { mcpCaller: 403 }),
    'Listing all keys needs an Admin, an Auditor or a UserAdmin, in a browser session.',
  ),
  row(
    'DELETE /svc/api/api-keys/admin/{id}',
    but(adminsAnd('userAdmin'), { mcpCaller: 403 }),
    "Revoking another user's key needs an Admin or a UserAdmin.",
    { variant: "an editor's key" },
  ),
  row(
    'DELETE /svc/api/api-keys/admin/{id}',
    but(adminsAnd(), { mcpCaller: 403 }),
    'A UserAdmin who is no Admin may not revoke the key of a functional-role holder.',
    { variant: "a functional-role holder's key" },
  ),
] as const;
