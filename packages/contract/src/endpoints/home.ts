import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, ListQuery, nullable, pageOf, Time, wordOf } from '../shapes.ts';
import { Acknowledgement } from './alerts.ts';
import { liveProcesses } from './control-tower.ts';

const tag = 'home';

const Count = Type.Integer({ minimum: 0 });

/** Run statistics of a time range. */
const RunFigures = Type.Object({
  runs: Count,
  sent: Count,
  failed: Type.Integer({ minimum: 0, description: 'Runs that failed or ran out of time.' }),
  averageMs: nullable(
    Type.Number({ description: 'Mean time that the queries took; null when none was measured.' }),
  ),
  p95Ms: nullable(Type.Number({ description: '95th percentile of that time.' })),
});
export type RunFigures = Static<typeof RunFigures>;

export const HomeTrends = Type.Object(
  {
    from: Time,
    to: Time,
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'A day in UTC; the last one is not over yet.' }),
        ...RunFigures.properties,
      }),
    ),
    total: RunFigures,
    before: Type.Object(RunFigures.properties, {
      description: 'The same span of time, that many days earlier.',
    }),
  },
  { $id: 'HomeTrends' },
);
export type HomeTrends = Static<typeof HomeTrends>;

export const activityKinds = [
  'RunSent',
  'RunFailed',
  'RunMissed',
  'AnomalyDetected',
  'SubscriptionCreated',
  'TaskOpened',
  'TaskResolved',
  'ContractFailed',
  'ContractRecovered',
] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** An event in the activity list. */
export const Activity = Type.Object(
  {
    kind: wordOf(activityKinds),
    time: Time,
    queryName: Type.String({ description: 'Of a data contract: its own name.' }),
    projectId: Id,
    subscriptionId: nullable(Id, { description: 'Null: it is about a data contract.' }),
    contractId: nullable(Id),
    notificationId: nullable(Id),
    taskId: nullable(Id),
    comment: nullable(
      Type.String({
        description: 'Why a run failed, one of a closed list of reasons; or what was unusual.',
      }),
    ),
    count: nullable(
      Type.Integer({
        description:
          'Rows that a sent run found, or that were unusual, or that opened a task; runs that were missed. Of a data contract: rules that opened a task, evaluations that were missed.',
      }),
    ),
  },
  { $id: 'Activity' },
);
export type Activity = Static<typeof Activity>;

const Tasks = (description: string) => Type.Integer({ minimum: 0, description });

export const TaskSummary = Type.Object(
  {
    open: Tasks('Open and not snoozed.'),
    mine: Tasks('Of these, those that the caller has.'),
    overdue: Tasks('Of these, those that were to be resolved by now.'),
    snoozed: Tasks('Open, and set aside until a time to come.'),
  },
  { $id: 'TaskSummary' },
);
export type TaskSummary = Static<typeof TaskSummary>;

/** Figures at the top of the page. Each figure equals the count of the list that it links to, for this caller. */
export const HomeKpis = Type.Object(
  {
    dataSources: Count,
    dataSourcesWithWarnings: Type.Integer({
      minimum: 0,
      description:
        'Data sources whose login has more rights than reading needs; 0 for callers who administer none.',
    }),
    projects: Count,
    queries: Count,
    activeSubscriptions: Count,
    openTasks: Tasks('Open and not snoozed.'),
    runs: Count,
    failedRuns: Type.Integer({
      minimum: 0,
      description: 'Runs that failed; not those that ran out of time.',
    }),
    ...liveProcesses,
  },
  { $id: 'HomeKpis' },
);
export type HomeKpis = Static<typeof HomeKpis>;

/** Progress of a user towards a first alert. Demo data does not count. */
export const FirstSteps = Type.Object(
  {
    hasDataSource: Type.Boolean(),
    hasProject: Type.Boolean(),
    hasQuery: Type.Boolean(),
    subscriptionId: nullable(Id, { description: 'The newest subscription; null when there is none.' }),
    hasSent: Type.Boolean({ description: 'The last run of a subscription was sent.' }),
  },
  { $id: 'FirstSteps' },
);
export type FirstSteps = Static<typeof FirstSteps>;

export const HomeUptime = Type.Object(
  {
    hours: Type.Array(
      Type.Object({
        from: Time,
        runs: Count,
        failed: Count,
        missed: Type.Integer({
          minimum: 0,
          description:
            'Due runs that did not start. Missed runs of one outage are taken to be evenly spaced.',
        }),
        isMissed: Type.Boolean({ description: 'At least one due run did not start.' }),
      }),
      { description: 'Oldest first; the last one is not over yet.' },
    ),
    uptime: nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'Of the scheduled runs that ended or were missed: the share that neither failed, ran out of time nor was missed. Skipped runs do not count. Null when there is no such run.',
      }),
    ),
  },
  { $id: 'HomeUptime' },
);
export type HomeUptime = Static<typeof HomeUptime>;

export const firingKinds = ['Alert', 'Contract', 'FailedRun'] as const;
export type FiringKind = (typeof firingKinds)[number];

/** A current problem: a firing alert, a failing data contract, or a subscription whose last run failed. */
export const FiringItem = Type.Object(
  {
    kind: wordOf(firingKinds),
    name: Type.String({ description: 'Name of the query or of the data contract.' }),
    projectId: Id,
    projectName: Type.String(),
    subscriptionId: nullable(Id, { description: 'Null: the item is a data contract.' }),
    contractId: nullable(Id, { description: 'Null: the item is a subscription.' }),
    since: Time,
    notificationId: nullable(Id, {
      description:
        'Newest run with rows, or the failed run; null where there is none that the caller may see.',
    }),
    rowCount: nullable(Count, { description: 'Rows of that run.' }),
    hasRows: Type.Boolean({ description: 'That run has stored rows.' }),
    comment: nullable(Type.String({ description: 'Reason of a failed run, from a closed list.' })),
    hasAlert: Type.Boolean({ description: 'An alert is firing, which can be acknowledged.' }),
    acknowledgement: nullable(Acknowledgement),
    snoozedUntil: nullable(Time),
    timeZone: Type.String({ description: 'Time zone of the schedule; UTC without a schedule.' }),
  },
  { $id: 'FiringItem' },
);
export type FiringItem = Static<typeof FiringItem>;

const daysMax = 90;
const hoursMax = 168;

export const getHomeTrends = defineEndpoint({
  operationId: 'getHomeTrends',
  tag,
  summary: 'Runs that the caller may see, day by day, and how they compare with the days before',
  method: 'GET',
  path: '/svc/api/home/trends',
  query: Type.Object({
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: daysMax, description: 'Days, today included; default 30.' }),
    ),
  }),
  responses: { 200: HomeTrends },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const getHomeActivity = defineEndpoint({
  operationId: 'getHomeActivity',
  tag,
  summary: 'What happened in the last 30 days, of what the caller may see, newest first',
  method: 'GET',
  path: '/svc/api/home/activity',
  query: ListQuery,
  responses: { 200: pageOf(Activity) },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const listFiring = defineEndpoint({
  operationId: 'listFiring',
  tag,
  summary: 'Problems that exist now, newest first, of what the caller may see',
  method: 'GET',
  path: '/svc/api/home/firing',
  query: ListQuery,
  responses: { 200: pageOf(FiringItem) },
  access: access.read({ project: 'readable' }),
});

export const getHomeTaskSummary = defineEndpoint({
  operationId: 'getHomeTaskSummary',
  tag,
  summary: 'How many tasks of the readable projects wait for somebody',
  method: 'GET',
  path: '/svc/api/home/task-summary',
  responses: { 200: TaskSummary },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const getHomeKpis = defineEndpoint({
  operationId: 'getHomeKpis',
  tag,
  summary: 'How much there is of what the caller can read, and whether anybody runs jobs',
  method: 'GET',
  path: '/svc/api/home/kpis',
  responses: { 200: HomeKpis },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const getFirstSteps = defineEndpoint({
  operationId: 'getFirstSteps',
  tag,
  summary: 'Which steps to a first alert are done, of what the caller can read',
  method: 'GET',
  path: '/svc/api/home/first-steps',
  responses: { 200: FirstSteps },
  access: access.read({ project: 'readable' }),
});

export const getHomeUptime = defineEndpoint({
  operationId: 'getHomeUptime',
  tag,
  summary: 'Hour by hour, whether the scheduled runs that the caller may see ended well',
  method: 'GET',
  path: '/svc/api/home/uptime',
  query: Type.Object({
    hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: hoursMax,
        description: 'Hours, the present one included; default 24.',
      }),
    ),
  }),
  responses: { 200: HomeUptime },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const MigrationSummary = Type.Object(
  {
    jobs: Count,
    running: Type.Integer({ minimum: 0, description: 'Copies that wait or run.' }),
    completed24h: Type.Integer({ minimum: 0, description: 'Copies that came through in the last 24 hours.' }),
    failed24h: Type.Integer({ minimum: 0, description: 'Copies that failed in the last 24 hours.' }),
  },
  { $id: 'MigrationSummary' },
);
export type MigrationSummary = Static<typeof MigrationSummary>;

export const getMigrationSummary = defineEndpoint({
  operationId: 'getMigrationSummary',
  tag,
  summary: 'Figures of data migration; zeros while it is off',
  method: 'GET',
  path: '/svc/api/home/migration-summary',
  responses: { 200: MigrationSummary },
  readsLate: true,
  access: access.read({ or: ['MigrationOperator'] }),
});
