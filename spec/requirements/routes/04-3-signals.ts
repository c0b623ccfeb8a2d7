import type { RequirementEntry } from '../entry.ts';

/** Signals: problems that exist now, subjects that stand still, exports that fail, and clocks that step back. */
export const signals = [
  {
    id: 'RT-4.3-1201',
    section: '4.3',
    text: '`GET /svc/api/home/firing` lists each firing alert, each failing data contract and each subscription whose last run failed, of what the caller may see.',
  },
  {
    id: 'RT-4.3-1202',
    section: '4.3',
    text: 'An item of `GET /svc/api/home/firing` disappears when its alert clears, its contract passes or its next run succeeds.',
  },
  {
    id: 'RT-4.3-1203',
    section: '4.3',
    text: 'After `POST /svc/api/subscriptions/{id}/alert-acknowledgement` no reminder is sent until the alert clears.',
  },
  {
    id: 'RT-4.3-1204',
    section: '4.3',
    text: 'An acknowledgement stores its user, its time and its note, and the alert shows them.',
  },
  {
    id: 'RT-4.3-1205',
    section: '4.3',
    text: 'A new subscription with the trigger `WhileRows` stores the rows of its runs unless `storeResults` says otherwise.',
  },
  {
    id: 'RT-4.3-1160',
    section: '4.3',
    text: 'The control tower reports a subscription as Stalled when a due slot has not started within the grace, also while no process runs jobs.',
  },
  {
    id: 'RT-4.3-1161',
    section: '4.3',
    text: 'The control tower does not report a paused subscription as Stalled.',
  },
  {
    id: 'RT-4.3-1162',
    section: '4.3',
    text: 'Schedules fire again within a minute after the clock of the database was set back.',
  },
  {
    id: 'RT-4.3-1163',
    section: '4.3',
    text: 'An Admin gets a notice after the clock of the database was set back.',
  },
  {
    id: 'RT-4.3-1164',
    section: '4.3',
    text: 'An export that cannot be completed ends so that the client sees a failure.',
  },
  {
    id: 'RT-4.3-1165',
    section: '4.3',
    text: 'An export that fails before its first row answers a problem.',
  },
  {
    id: 'RT-4.3-1166',
    section: '4.3',
    text: 'An export whose client takes no rows for longer than the time limit of the query is complete.',
  },
  {
    id: 'RT-4.3-1167',
    section: '4.3',
    text: 'A request whose database session is silent is answered with 503 and `Retry-After`, and the next one is answered.',
  },
  {
    id: 'RT-4.3-1168',
    section: '4.3',
    text: 'A subscription runs again after all database sessions of the service became silent.',
  },
  {
    id: 'RT-4.3-1169',
    section: '4.3',
    text: 'A missed run is recorded and its owner notified while no process has the role `Worker` or `Scheduler`.',
  },
  {
    id: 'RT-4.3-1170',
    section: '4.3',
    text: 'A slot whose run starts after the slot was counted as missed counts as a run and not as missed.',
  },
  {
    id: 'RT-4.3-1171',
    section: '4.3',
    text: 'An unfinished answer of a process that died counts as open until its lease ends, and not longer.',
  },
  {
    id: 'RT-4.3-1172',
    section: '4.3',
    text: 'The control tower does not report a subscription as Stalled while its run takes longer than its interval and the grace.',
  },
] as const satisfies readonly RequirementEntry[];
