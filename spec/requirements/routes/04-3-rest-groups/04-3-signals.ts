import type { RequirementEntry } from '../../entry.ts';

/** Signals: current problems, stalled subjects, failed exports, and clocks that step back. */
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
    text: 'A request whose database session is silent is answered with 503 and `Retry-After`.',
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
  {
    id: 'RT-4.3-1210',
    section: '4.3',
    text: 'A failed rule fails the evaluation of a data contract, whatever the severity of the rule.',
  },
  {
    id: 'RT-4.3-1211',
    section: '4.3',
    text: 'A data contract with `failsOn` `Score` ends as `Warned` when a rule fails that is not Critical.',
  },
  {
    id: 'RT-4.3-1212',
    section: '4.3',
    text: 'A data contract that is created with the required members only is evaluated every day.',
  },
  {
    id: 'RT-4.3-1213',
    section: '4.3',
    text: 'A rule of a data contract that failed returns failing rows, or a sentence on why there are none.',
  },
  {
    id: 'RT-4.3-1214',
    section: '4.3',
    text: 'An ODCS document is imported before its table exists, and evaluations end as `Error` with the reason `TableUnknown` until it does.',
  },
  {
    id: 'RT-4.3-1215',
    section: '4.3',
    text: 'An unknown member of a rule of a data contract is refused with the members that are known there.',
  },
  {
    id: 'RT-4.3-1216',
    section: '4.3',
    text: 'A record of a project can be read by its id exactly when a list shows it.',
  },
  {
    id: 'RT-4.3-1217',
    section: '4.3',
    text: 'A key with a list of projects that creates a project gets 403 with a sentence.',
  },
  {
    id: 'RT-4.3-1462',
    section: '4.3',
    text: 'The counts of the home page, the control tower and the overview of data contracts equal the totals of the lists that the caller reads.',
  },
  {
    id: 'RT-4.3-1220',
    section: '4.3',
    text: 'A learned pattern needs two callers or five signals.',
  },
  {
    id: 'RT-4.3-1221',
    section: '4.3',
    text: 'A refused write leaves no signal for learning.',
  },
  {
    id: 'RT-4.3-1222',
    section: '4.3',
    text: 'A user with Write in a project starts learning from its use with `POST /svc/api/mcp/learning/run`.',
  },
  {
    id: 'RT-4.3-1223',
    section: '4.3',
    text: 'A relationship that a caller without the Curate action creates is unverified.',
  },
  {
    id: 'RT-4.3-1224',
    section: '4.3',
    text: 'A change of the cardinality of a relationship by a caller without the Curate action removes its mark.',
  },
  {
    id: 'RT-4.3-1230',
    section: '4.3',
    text: 'A subscription that is created with the required members only notifies its owner when its query fails.',
  },
  {
    id: 'RT-4.3-1231',
    section: '4.3',
    text: 'A data contract that is created with the required members only notifies its owner when a rule fails.',
  },
  {
    id: 'RT-4.3-1232',
    section: '4.3',
    text: 'A task that a subscription opens notifies the owner of the subscription with the default settings.',
  },
  {
    id: 'RT-4.3-1233',
    section: '4.3',
    text: 'A migration job that is created with the required members only notifies its owner when a copy fails.',
  },
  {
    id: 'RT-4.3-1234',
    section: '4.3',
    text: 'A query that is created with the required members only notifies its author when the schema of its source breaks it.',
  },
  {
    id: 'RT-4.3-1235',
    section: '4.3',
    text: 'The owner of an API key gets a notice before the key expires, with the default settings.',
  },
  {
    id: 'RT-4.3-1441',
    section: '4.3',
    text: 'A test run of a subscription with the trigger `OnRowChange` leaves its stored rows as they are: the next scheduled run reports the new rows again.',
  },
  {
    id: 'RT-4.3-1442',
    section: '4.3',
    text: 'A test run that is the first run of a subscription with the trigger `OnRowChange` stores the baseline and sends nothing.',
  },
  {
    id: 'RT-4.3-1465',
    section: '4.3',
    text: 'A change of several subscriptions needs the right Write in the project of each of them.',
  },
  {
    id: 'RT-4.3-1474',
    section: '4.3',
    text: 'A task states whether its runs stored rows that the caller may see.',
  },
  {
    id: 'RT-4.3-1475',
    section: '4.3',
    text: 'The rows, runs and counts of a task include those of each subscription that its subscription has replaced, up to the replacement.',
  },
] as const satisfies readonly RequirementEntry[];
