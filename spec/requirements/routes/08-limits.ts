import type { RequirementEntry } from '../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 8. */
export const limits = [
  {
    id: 'RT-8-01',
    section: '8',
    text: 'A list without `pageSize` holds at most 20 items, and `pageSize` is clamped to 1 to 200.',
  },
  {
    id: 'RT-8-02',
    section: '8',
    text: 'A list without `page` starts at page 0, as does one with a negative `page`.',
  },
  { id: 'RT-8-03', section: '8', text: 'The health check waits at most 5 seconds for the database.' },
  { id: 'RT-8-04', section: '8', text: 'Password sign-in allows 10 attempts a minute per client IP.' },
  { id: 'RT-8-05', section: '8', text: 'The setup route is throttled per IP.' },
  { id: 'RT-8-06', section: '8', text: 'The forced metadata refresh is limited per data source.' },
] as const satisfies readonly RequirementEntry[];
