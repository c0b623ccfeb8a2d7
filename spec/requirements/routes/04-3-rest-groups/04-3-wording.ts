import type { RequirementEntry } from '../../entry.ts';

/** Numbers, verdicts and times that pages, messages and notices show. */
export const wording = [
  {
    id: 'RT-4.3-1431',
    section: '4.3',
    text: '`GET /svc/api/home/uptime` reports as `uptime` the share of due scheduled runs that neither failed nor were missed.',
  },
  {
    id: 'RT-4.3-1432',
    section: '4.3',
    text: 'A run of a data contract reports the rules that did not pass as `resultCount` and the violations of these rules as `violationCount`.',
  },
  {
    id: 'RT-4.3-1436',
    section: '4.3',
    text: 'A row that breaks two rules of a data contract counts as two violations of its run.',
  },
  {
    id: 'RT-4.3-1433',
    section: '4.3',
    text: 'A failed evaluation of a data contract reports in `failedBecause` whether a rule, a critical rule or the score failed it.',
  },
  {
    id: 'RT-4.3-1437',
    section: '4.3',
    text: 'An evaluation of a data contract reports as `failScore` the score below which it failed, although the contract has another one since.',
  },
  {
    id: 'RT-4.3-1438',
    section: '4.3',
    text: '`GET /svc/api/queries/{id}/last-result` with `taskId` returns the newest stored rows of a run that ended while the task was open.',
  },
  {
    id: 'RT-4.3-1434',
    section: '4.3',
    text: 'The timeline of a task shows the acknowledgement of its alert with user, time and note.',
  },
  {
    id: 'RT-4.3-1435',
    section: '4.3',
    text: 'The owner of an AI actor that is created with the required members only gets a notice when its thinks fail.',
  },
] as const satisfies readonly RequirementEntry[];
