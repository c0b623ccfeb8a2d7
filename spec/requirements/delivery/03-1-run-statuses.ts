import type { RequirementEntry } from '../entry.ts';

/** notification delivery and endpoint observability, section 3.1. */
export const runStatuses = [
  {
    id: 'DL-3.1-01',
    section: '3.1',
    text: 'A run has one of the statuses `Created`, `Sent`, `Silenced`, `No results`, `Timeout`, `Below threshold`, `Failed` and `Skipped`.',
  },
  { id: 'DL-3.1-02', section: '3.1', text: 'A run with any failed delivery is recorded as `Failed`.' },
  {
    id: 'DL-3.1-03',
    section: '3.1',
    text: 'The record of a failed run names the ids of the failed recipients with a generic reason.',
  },
  { id: 'DL-3.1-04', section: '3.1', text: 'A run whose recipients all wait for approval notifies nobody.' },
  {
    id: 'DL-3.1-05',
    section: '3.1',
    text: 'A run whose recipients all wait for approval is recorded as `Skipped` with a reason that says nobody was notified and points to the Approvals page.',
  },
  {
    id: 'DL-3.1-06',
    section: '3.1',
    text: 'A run that is skipped because all recipients wait for approval logs a Warning.',
  },
  {
    id: 'DL-3.1-07',
    section: '3.1',
    text: 'Test now answers 409 with the skip reason when all recipients of the subscription wait for approval.',
  },
  {
    id: 'DL-3.1-08',
    section: '3.1',
    text: 'A run that notified only some recipients names each skipped one in its comment.',
  },
  {
    id: 'DL-3.1-09',
    section: '3.1',
    text: 'A skipped run is no baseline for the trigger on the result count.',
  },
  { id: 'DL-3.1-10', section: '3.1', text: 'A skipped run is no baseline for anomaly detection.' },
] as const satisfies readonly RequirementEntry[];
