import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 9.6. */
export const dashboard = [
  {
    id: 'DL-9.6-01',
    section: '9.6',
    text: 'The dashboard shows the navigation item Endpoints when the addons route reports `endpoints: true`.',
  },
  {
    id: 'DL-9.6-02',
    section: '9.6',
    text: 'The endpoint list of the dashboard shows call volume, error rate and average latency per endpoint.',
  },
  {
    id: 'DL-9.6-03',
    section: '9.6',
    text: "The endpoint's detail page in the dashboard adds latency percentiles, a table per caller group and a paged list of recent calls.",
  },
  {
    id: 'DL-9.6-04',
    section: '9.6',
    text: 'Each recent call opens a drawer with caller metadata, tags, and the captured headers and bodies as redacted.',
  },
  {
    id: 'DL-9.6-05',
    section: '9.6',
    text: 'The drawer of a call lists the jobs that the request spawned, each with its current state and a link to the trace view.',
  },
  {
    id: 'DL-9.6-06',
    section: '9.6',
    text: "A job that was spawned inside a request shows an Origin card with the request's method and route, the authenticated user and a link back to the call.",
  },
  {
    id: 'DL-9.6-07',
    section: '9.6',
    text: 'Processes that serve only the dashboard or only publish serve `/api/endpoints*` without running the middleware.',
  },
] as const satisfies readonly RequirementEntry[];
