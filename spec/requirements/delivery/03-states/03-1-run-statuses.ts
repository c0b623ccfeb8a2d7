import type { RequirementEntry } from '../../entry.ts';

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
  {
    id: 'DL-3.1-20',
    section: '3.1',
    text: 'A due time makes one run and one message for each recipient, whatever number of times its tick is attempted, recovered or requeued.',
  },
  {
    id: 'DL-3.1-21',
    section: '3.1',
    text: 'A tick that is requeued after the run of its due time has ended makes no second run, and the log of its job says so.',
  },
  {
    id: 'DL-3.1-22',
    section: '3.1',
    text: 'A due time that passes while the previous run of the schedule is under way makes no run and is recorded among the missed runs with the reason `PreviousRunning`.',
  },
  {
    id: 'DL-3.1-23',
    section: '3.1',
    text: 'The owner is notified once of a streak of skipped due times, with the duration of the run and the interval.',
  },
  {
    id: 'DL-3.1-24',
    section: '3.1',
    text: 'A due time that passes while a run by hand is under way, or while quiet hours hold the previous run, makes its run.',
  },
  {
    id: 'DL-3.1-25',
    section: '3.1',
    text: 'A subscription with `overlap` `Queue` makes the run of a due time that passed while the previous run was under way.',
  },
  {
    id: 'DL-3.1-26',
    section: '3.1',
    text: '`overlap` is set where a subscription is created and by PATCH, and a change of it leaves the schedule as it is.',
  },
  {
    id: 'DL-3.1-920',
    section: '3.1',
    text: 'A count that is usual for its weekday is not an anomaly, and one that is usual for other weekdays only is.',
  },
  {
    id: 'DL-3.1-921',
    section: '3.1',
    text: 'A flagged count enters what is expected clipped to its band, so that a lasting level is learnt.',
  },
  {
    id: 'DL-3.1-922',
    section: '3.1',
    text: 'Fewer rows on a public holiday of the country of a subscription, or on one of its own dates, are not an anomaly.',
  },
  {
    id: 'DL-3.1-923',
    section: '3.1',
    text: 'An unknown holiday country or a date that does not exist is refused with 400.',
  },
  {
    id: 'DL-3.1-924',
    section: '3.1',
    text: 'What is expected is learnt from the whole lookback, however many runs it has.',
  },
] as const satisfies readonly RequirementEntry[];
