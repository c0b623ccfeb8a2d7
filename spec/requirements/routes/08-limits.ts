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
  { id: 'RT-8-980', section: '8', text: 'Every 429 carries `Retry-After`.' },
  {
    id: 'RT-8-981',
    section: '8',
    text: 'Sign-in, setup, the start of single sign-on, the change of the own password and the forced metadata refresh name their limit in `RateLimit-Policy`, a structured field with `q` and `w`.',
  },
  {
    id: 'RT-8-982',
    section: '8',
    text: 'The same answers tell in `RateLimit`, a structured field with `r` and `t`, what is left of the limit and when the whole of it is there again, whether they succeed or refuse.',
  },
  { id: 'RT-8-983', section: '8', text: 'No answer carries an `X-RateLimit-*` header.' },
  {
    id: 'RT-8-984',
    section: '8',
    text: 'The OpenAPI document names `Retry-After` at every 429, and the rate-limit headers at the limited operations alone.',
  },
] as const satisfies readonly RequirementEntry[];
