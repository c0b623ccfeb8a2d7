import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 2.5. */
export const runRecord = [
  {
    id: 'DL-2.5-01',
    section: '2.5',
    text: 'The history shows of a run its delivery type, its created and sent times, recipient, query, subscription, execution time and result count.',
  },
  {
    id: 'DL-2.5-02',
    section: '2.5',
    text: 'The history shows the stored results of a run when the subscription stores rows.',
  },
  {
    id: 'DL-2.5-03',
    section: '2.5',
    text: "The history shows a run's comment only when it is a recorded failure reason, and a generic reason in place of any other stored text.",
  },
  {
    id: 'DL-2.5-04',
    section: '2.5',
    text: "A run whose query failed shows the database's cleaned message with step, line, column and line of SQL to callers who may read the query, and a generic reason to all others.",
  },
] as const satisfies readonly RequirementEntry[];
