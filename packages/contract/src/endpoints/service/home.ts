import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, ListQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { Acknowledgement } from '../notifications/alerts.ts';
import { liveProcesses } from './control-tower.ts';

const tag = 'home';

const Count = Type.Integer({ minimum: 0 });

/** Run statistics of a time range. */
const RunFigures = Type.Object({
  runs: Count,
  sent: Count,
  failed: Type.Integer({ minimum: 0, description: 'Runs that failed or timed out.' }),
  averageMs: nullable(
    Type.Number({
      description: 'Mean execution time of the queries in milliseconds; null if no time was measured.',
    }),
  ),
  p95Ms: nullable(Type.Number({ description: '95th percentile of the execution time in milliseconds.' })),
});
export type RunFigures = Static<typeof RunFigures>;

export const HomeTrends = Type.Object(
  {
    from: Time,
    to: Time,
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'Day in UTC. The last day is not complete yet.' }),
        ...RunFigures.properties,
      }),
    ),
    total: RunFigures,
    before: Type.Object(RunFigures.properties, {
      description: 'Figures of the time range of the same length directly before this one.',
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
    queryName: Type.String({ description: 'Name of the query. For a data contract: its name.' }),
    projectId: Id,
    subscriptionId: nullable(Id, { description: 'Null: the event is about a data contract.' }),
    contractId: nullable(Id),
    notificationId: nullable(Id),
    taskId: nullable(Id),
    comment: nullable(
      Type.String({
        description: 'Reason of a failed run, from a closed list; or a description of the anomaly.',
      }),
    ),
    count: nullable(
      Type.Integer({
        description:
          'Rows of a sent run, of an anomaly or of a new task; or missed runs. For a data contract: rules that opened a task, or missed evaluations.',
      }),
    ),
  },
  { $id: 'Activity' },
);
export type Activity = Static<typeof Activity>;

const Tasks = (description: string) => Type.Integer({ minimum: 0, description });

export const TaskSummary = Type.Object(
  {
    open: Tasks('Tasks that are open and not snoozed.'),
    mine: Tasks('Of these: tasks that are assigned to the caller.'),
    overdue: Tasks('Of these: tasks after their deadline.'),
    snoozed: Tasks('Open tasks that are snoozed until a later time.'),
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
        'Data sources whose login has more rights than reading. 0 for callers who administer no data sources.',
    }),
    projects: Count,
    queries: Count,
    activeSubscriptions: Count,
    openTasks: Tasks('Tasks that are open and not snoozed.'),
    runs: Count,
    failedRuns: Type.Integer({
      minimum: 0,
      description: 'Runs that failed. Runs that timed out do not count.',
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
    subscriptionId: nullable(Id, { description: 'The newest subscription; null if none exists.' }),
    hasSent: Type.Boolean({ description: 'The last run of at least one subscription was sent.' }),
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
            'Due runs that did not start. The missed runs of one outage are assumed to be evenly spaced.',
        }),
        isMissed: Type.Boolean({ description: 'At least one due run did not start.' }),
      }),
      { description: 'Oldest first. The last hour is not complete yet.' },
    ),
    uptime: nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'Share of successful runs among the scheduled runs that ended or were missed. Failed, timed-out and missed runs are not successful. Skipped runs do not count. Null without runs.',
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
      description: 'Newest run with rows, or the failed run; null if the caller may see no such run.',
    }),
    rowCount: nullable(Count, { description: 'Rows of the run `notificationId`.' }),
    hasRows: Type.Boolean({ description: 'The run `notificationId` has stored rows.' }),
    comment: nullable(Type.String({ description: 'Reason of a failed run, from a closed list.' })),
    hasAlert: Type.Boolean({ description: 'The alert is firing and can be acknowledged.' }),
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
  summary: 'Runs that the caller may see, by day, with the figures of the previous days',
  method: 'GET',
  path: '/svc/api/home/trends',
  query: Type.Object({
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: daysMax,
        description: 'Number of days, including today; default 30.',
      }),
    ),
  }),
  responses: { 200: HomeTrends },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const getHomeActivity = defineEndpoint({
  operationId: 'getHomeActivity',
  tag,
  summary: 'Events of the last 30 days that the caller may see, newest first',
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
  summary: 'Current problems that the caller may see, newest first',
  method: 'GET',
  path: '/svc/api/home/firing',
  query: ListQuery,
  responses: { 200: pageOf(FiringItem) },
  access: access.read({ project: 'readable' }),
});

export const getHomeTaskSummary = defineEndpoint({
  operationId: 'getHomeTaskSummary',
  tag,
  summary: 'Numbers of open, assigned, overdue and snoozed tasks in the readable projects',
  method: 'GET',
  path: '/svc/api/home/task-summary',
  responses: { 200: TaskSummary },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const getHomeKpis = defineEndpoint({
  operationId: 'getHomeKpis',
  tag,
  summary: 'Numbers of records that the caller can read, and the availability of processes that run jobs',
  method: 'GET',
  path: '/svc/api/home/kpis',
  responses: { 200: HomeKpis },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const getFirstSteps = defineEndpoint({
  operationId: 'getFirstSteps',
  tag,
  summary: 'Completed steps towards a first alert, from the records that the caller can read',
  method: 'GET',
  path: '/svc/api/home/first-steps',
  responses: { 200: FirstSteps },
  access: access.read({ project: 'readable' }),
});

export const getHomeUptime = defineEndpoint({
  operationId: 'getHomeUptime',
  tag,
  summary: 'Results of the scheduled runs that the caller may see, by hour',
  method: 'GET',
  path: '/svc/api/home/uptime',
  query: Type.Object({
    hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: hoursMax,
        description: 'Number of hours, including the current hour; default 24.',
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
    running: Type.Integer({ minimum: 0, description: 'Copies that are queued or running.' }),
    completed24h: Type.Integer({ minimum: 0, description: 'Copies that completed in the last 24 hours.' }),
    failed24h: Type.Integer({ minimum: 0, description: 'Copies that failed in the last 24 hours.' }),
  },
  { $id: 'MigrationSummary' },
);
export type MigrationSummary = Static<typeof MigrationSummary>;

export const getMigrationSummary = defineEndpoint({
  operationId: 'getMigrationSummary',
  tag,
  summary: 'Figures of data migration; zeros while data migration is off',
  method: 'GET',
  path: '/svc/api/home/migration-summary',
  responses: { 200: MigrationSummary },
  readsLate: true,
  access: access.read({ or: ['MigrationOperator'] }),
});
