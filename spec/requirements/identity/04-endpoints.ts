import type { RequirementEntry } from '../entry.ts';

/** identity, sign-in and API keys, section 4. */
export const endpoints = [
  { id: 'ID-4-01', section: '4', text: 'Routes that are marked anonymous answer without any credential.' },
  {
    id: 'ID-4-02',
    section: '4',
    text: '`GET /svc/api/setup/status` tells anyone whether setup is open, as long as user management is on.',
  },
  { id: 'ID-4-03', section: '4', text: '`POST /svc/api/setup/superadmin` needs no credential.' },
  { id: 'ID-4-04', section: '4', text: '`POST /svc/api/setup/superadmin` is throttled per client IP.' },
  {
    id: 'ID-4-05',
    section: '4',
    text: '`GET /svc/api/setup/roles` lists the roles, and needs no credential only while setup is open.',
  },
  {
    id: 'ID-4-06',
    section: '4',
    text: '`POST /svc/api/auth/login` needs neither a credential nor an antiforgery token, and a good sign-in sets the session cookie.',
  },
  {
    id: 'ID-4-07',
    section: '4',
    text: '`POST /svc/api/auth/login` exists only while password sign-in is on or a break-glass name is configured.',
  },
  {
    id: 'ID-4-08',
    section: '4',
    text: '`POST /svc/api/auth/login` answers 429 with `Retry-After` when it is throttled.',
  },
  {
    id: 'ID-4-09',
    section: '4',
    text: "`POST /svc/api/auth/logout` needs no credential and ends the caller's session.",
  },
  {
    id: 'ID-4-10',
    section: '4',
    text: '`GET /svc/api/auth/me` answers anyone with the current session, if there is one.',
  },
  {
    id: 'ID-4-11',
    section: '4',
    text: '`GET /svc/api/auth/sso` tells anyone whether single sign-on is offered, and under which label.',
  },
  {
    id: 'ID-4-12',
    section: '4',
    text: '`GET /svc/api/auth/sso/challenge` starts the OIDC sign-in for anyone.',
  },
  {
    id: 'ID-4-13',
    section: '4',
    text: '`GET /svc/api/auth/permissions` answers an authenticated caller with `canRead`, `canWrite`, `isAdmin`, `permissions` and `migrationsEnabled`.',
  },
  {
    id: 'ID-4-14',
    section: '4',
    text: '`GET /svc/api/csrf` needs no credential and issues an antiforgery token.',
  },
  {
    id: 'ID-4-15',
    section: '4',
    text: '`GET /svc/api/csrf` answers 400 to a caller that authenticates by an Authorization header.',
  },
  {
    id: 'ID-4-16',
    section: '4',
    text: 'The OIDC callback is served at the configured `CallbackPath`, `/signin-oidc` by default, only while OIDC is enabled.',
  },
  {
    id: 'ID-4-17',
    section: '4',
    text: '`GET /signout-oidc` is served only while `EnableFrontChannelLogout` is on.',
  },
  {
    id: 'ID-4-18',
    section: '4',
    text: '`POST /svc/api/users/{id}/sign-out-everywhere` takes no body and needs the UserAdmin permission.',
  },
  {
    id: 'ID-4-19',
    section: '4',
    text: '`GET /svc/api/projects?forApiKey=true` answers a paged list of only those projects that the caller can read without the Admin bypass.',
  },
  { id: 'ID-4-20', section: '4', text: '`POST /svc/api/api-keys` accepts only a signed-in browser session.' },
  {
    id: 'ID-4-21',
    section: '4',
    text: '`GET /svc/api/api-keys/admin` answers all API keys as a page, the newest first, each with `canRevoke`, under the usual paging and sorting parameters.',
  },
  {
    id: 'ID-4-22',
    section: '4',
    text: '`GET /svc/api/api-keys/admin?userId={id}` lists only the API keys of that user.',
  },
  {
    id: 'ID-4-23',
    section: '4',
    text: '`GET /svc/api/api-keys/admin` is open to an Admin, an Auditor and a UserAdmin, and to nobody else.',
  },
  {
    id: 'ID-4-24',
    section: '4',
    text: '`DELETE /svc/api/api-keys/admin/{id}` is open to an Admin and a UserAdmin, and to nobody else.',
  },
  {
    id: 'ID-4-25',
    section: '4',
    text: 'A UserAdmin who is not an Admin gets 403 when revoking an API key of an Admin, a super admin or a holder of a functional role.',
  },
  {
    id: 'ID-4-26',
    section: '4',
    text: 'Every route under `/svc/api/api-keys` answers 403 to a caller authenticated by an API key.',
  },
  {
    id: 'ID-4-27',
    section: '4',
    text: 'Every route under `/svc/api/api-keys` answers 403 to a caller that came through the MCP caller mapping.',
  },
  {
    id: 'ID-4-28',
    section: '4',
    text: 'Every route under `/svc/api/api-keys` answers 403 to a caller authenticated by a REST bearer token.',
  },
  {
    id: 'ID-4-29',
    section: '4',
    text: "A fresh service can be set up without a browser: read the setup status, post the setup request, post the login request, read `auth/me` with the cookies, fetch an antiforgery token, create a project, and create an Execute key for that project's id.",
  },
  {
    id: 'ID-4-30',
    section: '4',
    text: "Listing and revoking one's own API keys happens under the prefix `/svc/api/api-keys`.",
  },
  {
    id: 'ID-4-31',
    section: '4',
    text: "The key dialog's project picker asks for its projects with `forApiKey=true`.",
  },
] as const satisfies readonly RequirementEntry[];
