import type { RequirementEntry } from '../entry.ts';

/** notification delivery and endpoint observability, section 1. */
export const delivery = [
  {
    id: 'DL-1-01',
    section: '1',
    text: 'When a subscription run notifies, its result is sent to each recipient of the subscription.',
  },
  {
    id: 'DL-1-02',
    section: '1',
    text: 'A recipient is one destination on one channel: an email address, a chat webhook, an issue-tracker project or any HTTPS endpoint.',
  },
  {
    id: 'DL-1-03',
    section: '1',
    text: 'Data-quality alerts are sent to the same recipients that subscriptions use.',
  },
  {
    id: 'DL-1-04',
    section: '1',
    text: 'The job library records every request to the handlers that it exposes over HTTP, with caller, timing, outcome, latency percentiles, spawned jobs and, where asked, headers and bodies.',
  },
] as const satisfies readonly RequirementEntry[];
