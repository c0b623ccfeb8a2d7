import type { RequirementEntry } from '../entry.ts';

/** identity, sign-in and API keys, section 1. */
export const callers = [
  {
    id: 'ID-1-01',
    section: '1',
    text: 'The service is a web application whose functions are all reachable through its REST API.',
  },
  {
    id: 'ID-1-02',
    section: '1',
    text: 'The service keeps saved queries that run against data sources, and groups them into projects.',
  },
  {
    id: 'ID-1-03',
    section: '1',
    text: 'The service offers data contracts.',
  },
  { id: 'ID-1-250', section: '1', text: 'The service offers subscriptions that notify recipients.' },
  { id: 'ID-1-251', section: '1', text: 'The service offers approvals.' },
  { id: 'ID-1-252', section: '1', text: 'The service offers an MCP endpoint for AI clients.' },
  {
    id: 'ID-1-04',
    section: '1',
    text: "All of the service's own pages and routes lie below `/svc`, and the root path of the site is left to the host application.",
  },
  {
    id: 'ID-1-05',
    section: '1',
    text: 'The ways in which callers authenticate can be switched on side by side in one running service.',
  },
  {
    id: 'ID-1-06',
    section: '1',
    text: "A person can sign in through the login form with a password that the service's own user store holds.",
  },
  {
    id: 'ID-1-07',
    section: '1',
    text: 'A person can sign in through any OIDC identity provider by the authorization-code flow.',
  },
  {
    id: 'ID-1-08',
    section: '1',
    text: "When the service is embedded, a person can be authenticated by the host application's own scheme.",
  },
  {
    id: 'ID-1-09',
    section: '1',
    text: 'A program can authenticate with an API key sent as `Authorization: Bearer sk-sem_<key>`.',
  },
  {
    id: 'ID-1-10',
    section: '1',
    text: 'A program, or a client that acts for a user, can authenticate with a JWT access token sent as `Authorization: Bearer <token>`.',
  },
] as const satisfies readonly RequirementEntry[];
