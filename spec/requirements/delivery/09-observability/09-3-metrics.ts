import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 9.3. */
export const metrics = [
  {
    id: 'DL-9.3-01',
    section: '9.3',
    text: 'Counts, error rate, average latency and the percentiles p90, p95 and p99 cover every call, whatever sampling and row retention do.',
  },
  {
    id: 'DL-9.3-02',
    section: '9.3',
    text: 'Percentiles come from a histogram of fixed buckets with the edges 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000 and 10000 ms.',
  },
  {
    id: 'DL-9.3-03',
    section: '9.3',
    text: 'A reported percentile is the upper edge of the bucket that holds the rank.',
  },
  { id: 'DL-9.3-04', section: '9.3', text: 'Aggregates of calls outlive the raw rows.' },
  {
    id: 'DL-9.3-05',
    section: '9.3',
    text: "The list of recent calls and the time of a caller's last failure are read from retained rows, and become empty or null when these age out.",
  },
] as const satisfies readonly RequirementEntry[];
