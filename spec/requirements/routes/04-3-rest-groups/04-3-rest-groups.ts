import type { RequirementEntry } from '../../entry.ts';

/** Routes, REST conventions, hub, MCP and versioning, section 4.3: general rules and the home page. */
export const restGroups = [
  {
    id: 'RT-4.3-01',
    section: '4.3',
    text: 'The routes of the REST groups under `/svc/api` need a session, an API key or a bearer JWT.',
  },
  {
    id: 'RT-4.3-02',
    section: '4.3',
    text: 'For API keys and mapped MCP callers, every request other than `GET`, `HEAD` and `OPTIONS`, and a few marked reads, needs the scope Execute.',
  },
  {
    id: 'RT-4.3-03',
    section: '4.3',
    text: 'A cookie session sends `X-XSRF-TOKEN` with its state-changing requests.',
  },
  { id: 'RT-4.3-04', section: '4.3', text: 'Admins hold every functional permission.' },
  {
    id: 'RT-4.3-05',
    section: '4.3',
    text: 'A request by id for a resource of a project that the caller cannot read answers 404.',
  },
  {
    id: 'RT-4.3-06',
    section: '4.3',
    text: 'A request by id for a resource that the caller can read but may not act on answers 403.',
  },
  {
    id: 'RT-4.3-07',
    section: '4.3',
    text: "`/svc/api/auth/me`, `/svc/api/auth/sso` and `/svc/api/auth/permissions` tell the current user, the SSO configuration and the caller's permissions.",
  },
  {
    id: 'RT-4.3-08',
    section: '4.3',
    text: 'The `/svc/api/home` group serves a migration summary.',
  },
  { id: 'RT-4.3-83', section: '4.3', text: 'The `/svc/api/home` group serves trends, activity and uptime.' },
  { id: 'RT-4.3-84', section: '4.3', text: 'The `/svc/api/home` group serves a task summary.' },
  {
    id: 'RT-4.3-520',
    section: '4.3',
    text: 'The `/svc/api/home` group serves the key figures of the home page in one answer.',
  },
  {
    id: 'RT-4.3-521',
    section: '4.3',
    text: 'The key figures tell whether a process runs jobs.',
  },
  {
    id: 'RT-4.3-522',
    section: '4.3',
    text: 'The address in `Svc:Watchdog:HeartbeatUrl` is asked after each look for runs that did not start.',
  },
  {
    id: 'RT-4.3-525',
    section: '4.3',
    text: 'A job that a request to the REST API started keeps the method, the route and the person of the request as its origin.',
  },
  {
    id: 'RT-4.3-09',
    section: '4.3',
    text: '`GET /svc/api/home/migration-summary` admits a MigrationOperator.',
  },
  {
    id: 'RT-4.3-72',
    section: '4.3',
    text: '`/openapi/v1.json` describes every operation with its schema once setup is complete.',
  },
] as const satisfies readonly RequirementEntry[];
