import type { RequirementEntry } from '../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 9. */
export const versioning = [
  { id: 'RT-9-01', section: '9', text: 'REST paths carry no version segment.' },
  { id: 'RT-9-02', section: '9', text: 'The OpenAPI document lies at `/openapi/v1.json`.' },
  {
    id: 'RT-9-03',
    section: '9',
    text: "API keys are scoped on every route, expire, follow their owner's account and are confined to their projects.",
  },
  { id: 'RT-9-04', section: '9', text: 'A Read key is read-only on every route.' },
  {
    id: 'RT-9-05',
    section: '9',
    text: 'The key scope `Admin` is retired, and existing keys that carry it act as Execute.',
  },
  { id: 'RT-9-06', section: '9', text: 'An Execute key follows the current write permission of its owner.' },
  { id: 'RT-9-07', section: '9', text: 'A new API key names at least one project.' },
  {
    id: 'RT-9-08',
    section: '9',
    text: 'Callers who authenticate by header skip the antiforgery token, and `GET /svc/api/csrf` answers them 400.',
  },
  {
    id: 'RT-9-09',
    section: '9',
    text: 'The MCP endpoint is mapped with a policy that asks for the scope Execute.',
  },
  { id: 'RT-9-10', section: '9', text: 'There are administrator routes for the API keys of all users.' },
  {
    id: 'RT-9-11',
    section: '9',
    text: 'The owner-inactivity rule of API keys applies only where its setting switches it on.',
  },
  {
    id: 'RT-9-12',
    section: '9',
    text: 'Owners and keys carry a generation in the database, and keys from before generations start at 0.',
  },
] as const satisfies readonly RequirementEntry[];
