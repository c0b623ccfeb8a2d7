import type { RequirementEntry } from '../../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 4.2. */
export const anonymousRoutes = [
  {
    id: 'RT-4.2-01',
    section: '4.2',
    text: '`GET /svc/api/health` answers anyone with 200 and `status` `ok` when the metadata database answers within 5 seconds.',
  },
  {
    id: 'RT-4.2-02',
    section: '4.2',
    text: '`GET /svc/api/health` answers a 503 problem when the metadata database does not answer within 5 seconds.',
  },
  {
    id: 'RT-4.2-03',
    section: '4.2',
    text: '`GET /svc/api/auth/me` and `GET /svc/api/auth/sso` need no credential.',
  },
  {
    id: 'RT-4.2-04',
    section: '4.2',
    text: '`GET /svc/api/csrf` needs no credential, and answers 400 to a caller with an Authorization header.',
  },
  {
    id: 'RT-4.2-05',
    section: '4.2',
    text: '`POST /svc/api/auth/login` needs no credential and exists only while password sign-in is on or a break-glass account exists.',
  },
  {
    id: 'RT-4.2-06',
    section: '4.2',
    text: '`POST /svc/api/auth/login` takes 10 attempts a minute from one client IP and then answers 429 with `Retry-After`.',
  },
  { id: 'RT-4.2-07', section: '4.2', text: '`POST /svc/api/auth/logout` needs no credential.' },
  {
    id: 'RT-4.2-08',
    section: '4.2',
    text: '`POST /svc/api/auth/logout?everywhere=true` signs out every session of the user.',
  },
  {
    id: 'RT-4.2-09',
    section: '4.2',
    text: '`GET /svc/api/auth/sso/challenge` needs no credential and starts the OIDC sign-in.',
  },
  {
    id: 'RT-4.2-10',
    section: '4.2',
    text: '`GET /svc/api/setup/status` needs no credential and exists while user management is on.',
  },
  {
    id: 'RT-4.2-11',
    section: '4.2',
    text: '`POST /svc/api/setup/superadmin` needs no credential and creates the super admin in exchange for the setup token.',
  },
  { id: 'RT-4.2-12', section: '4.2', text: '`POST /svc/api/setup/superadmin` is throttled per IP.' },
  {
    id: 'RT-4.2-13',
    section: '4.2',
    text: '`POST /svc/api/setup/superadmin` answers 403 to a wrong token, 409 to the loser of a race and 400 once setup is done.',
  },
  {
    id: 'RT-4.2-14',
    section: '4.2',
    text: '`GET /svc/api/setup/roles` gives the setup page its roles and is anonymous only while setup is open.',
  },
  {
    id: 'RT-4.2-15',
    section: '4.2',
    text: '`GET /.well-known/oauth-protected-resource` serves the MCP protected-resource metadata of RFC 9728 to anyone.',
  },
  {
    id: 'RT-4.2-16',
    section: '4.2',
    text: 'The MCP protected-resource metadata is also served at `/.well-known/oauth-protected-resource/svc/mcp`.',
  },
  {
    id: 'RT-4.2-17',
    section: '4.2',
    text: '`GET /.well-known/mcp/server-card.json` serves the MCP server card to anyone.',
  },
  {
    id: 'RT-4.2-18',
    section: '4.2',
    text: 'The OIDC callback needs no credential and exists when OIDC is enabled, at `/signin-oidc` by default.',
  },
  {
    id: 'RT-4.2-19',
    section: '4.2',
    text: '`GET /signout-oidc` needs no credential and exists only with `EnableFrontChannelLogout`.',
  },
  {
    id: 'RT-4.2-20',
    section: '4.2',
    text: 'Until the first administrator exists, the anonymous API routes, health included, redirect to `/svc/setup`.',
  },
  {
    id: 'RT-4.2-21',
    section: '4.2',
    text: 'Until the first administrator exists, only the setup routes and the MCP discovery documents answer normally.',
  },
  {
    id: 'RT-4.2-864',
    section: '4.2',
    text: '`GET /svc/llms.txt` lists the pages of the documentation, and `GET /svc/llms-full.txt` holds all of them, for anyone.',
  },
  {
    id: 'RT-4.2-865',
    section: '4.2',
    text: '`GET /svc/help/{page}` serves a page of the documentation as Markdown to anyone, and answers 404 for a page that does not exist.',
  },
  {
    id: 'RT-4.2-870',
    section: '4.2',
    text: '`GET /svc/api/health` answers a 503 problem when the job engine gets no answer from the database within 5 seconds.',
  },
] as const satisfies readonly RequirementEntry[];
