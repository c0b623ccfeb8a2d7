import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../shapes.ts';
import { ContractEvaluation } from './contract-evaluations.ts';
import { Notification } from './notifications.ts';

/** Kinds of subjects that the control tower monitors. */
export const towerKinds = ['Subscription', 'Contract'] as const;
export type TowerKind = (typeof towerKinds)[number];
/** Worst first. */
export const towerHealths = ['Stalled', 'Critical', 'Warning', 'New', 'Healthy'] as const;
export type TowerHealth = (typeof towerHealths)[number];
/** Reasons why a subject is not healthy, most severe first. */
export const towerReasons = [
  'DueRunNotStarted',
  'LastRunFailed',
  'ContractFailed',
  'LowSuccessRate',
  'ReducedSuccessRate',
  'RunsMissed',
  'ContractError',
  'ContractWarned',
  'AnomalyOpen',
  'TaskOverdue',
  'NoRuns',
] as const;
export type TowerReason = (typeof towerReasons)[number];
/** Time ranges of statistics, in days. */
export const towerRanges = [1, 7, 30, 90] as const;
export type TowerRange = (typeof towerRanges)[number];

const tag = 'control-tower';
const root = '/svc/api/control-tower';
const Count = Type.Integer({ minimum: 0 });

const figures = {
  judged: Type.Integer({
    minimum: 0,
    description: 'Runs that ended and were not skipped; of a contract, evaluations that judged it.',
  }),
  good: Type.Integer({
    minimum: 0,
    description: 'Of these: sent, silenced, without results, below the minimum; passed, warned.',
  }),
  failed: Type.Integer({ minimum: 0, description: 'Of these: failed or ran out of time.' }),
  successRate: nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'Good of judged runs; null when none was judged.' }),
  ),
};

/** Availability of processes that run jobs and fire schedules. */
export const liveProcesses = {
  hasLiveWorker: Type.Boolean({
    description: 'A process that runs jobs reported lately. Without one nothing that is due starts.',
  }),
  lastHeartbeatAt: nullable(
    Type.String({ format: 'date-time', description: 'When a process that runs jobs last reported.' }),
  ),
  hasLiveScheduler: Type.Boolean({
    description: 'A process with the role Scheduler reported lately. Without one no schedule comes due.',
  }),
  unservedQueues: Type.Array(Type.String(), {
    description: 'Queues that no live process takes jobs of: what is in them waits.',
  }),
  pausedQueues: Type.Array(Type.String(), {
    description:
      'Queues that were paused: what is in them waits until they are resumed on the job dashboard.',
  }),
};

export const TowerStatistics = Type.Object(
  {
    total: Count,
    stalled: Count,
    critical: Count,
    warning: Count,
    new: Count,
    healthy: Count,
    openTasks: Type.Integer({ minimum: 0, description: 'Open and not snoozed.' }),
    overdueTasks: Count,
    ...figures,
    ...liveProcesses,
  },
  { $id: 'TowerStatistics' },
);
export type TowerStatistics = Static<typeof TowerStatistics>;

const health = {
  kind: wordOf(towerKinds),
  id: Id,
  name: Type.String({ description: 'Of a subscription: its query.' }),
  projectId: Id,
  projectName: Type.String(),
  health: wordOf(towerHealths),
  reasons: Type.Array(wordOf(towerReasons), { description: 'The gravest first; none when it is healthy.' }),
  ...figures,
  lastGoodAt: nullable(Time),
  lastFailedAt: nullable(Time),
  watchDueAt: nullable(
    Type.String({
      format: 'date-time',
      description:
        'The next due time that must start; of a stalled subject, the last one that passed without a start.',
    }),
  ),
  openTaskId: nullable(Id),
};

export const TowerHealthEntry = Type.Object(health, { $id: 'TowerHealthEntry' });
export type TowerHealthEntry = Static<typeof TowerHealthEntry>;

export const TowerDetail = Type.Object(
  {
    ...health,
    days: Type.Array(Type.Object({ day: Type.String({ format: 'date' }), ...figures }), {
      description: 'Days in UTC on which a run was judged, oldest first.',
    }),
    runs: Type.Array(Notification, { description: 'The last 20 that the caller may see, newest first.' }),
  },
  { $id: 'TowerDetail' },
);
export type TowerDetail = Static<typeof TowerDetail>;

const timeRangeDays = Type.Optional(
  Type.Unsafe<TowerRange>({
    ...{ type: 'integer', enum: [...towerRanges], minimum: 1, maximum: 90 },
    description: 'Days that figures are of, today in UTC included; default 7.',
  }),
);
const filter = {
  kind: Type.Optional(wordOf(towerKinds)),
  projectId: Type.Optional(Id),
  dataSourceId: Type.Optional(Id),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name.' })),
  timeRangeDays,
};

export const getTowerStatistics = defineEndpoint({
  operationId: 'getTowerStatistics',
  tag,
  summary:
    'How many subscriptions and data contracts of the readable projects are well, and how their runs went',
  method: 'GET',
  path: `${root}/statistics`,
  query: Type.Object(filter),
  responses: { 200: TowerStatistics },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

const ScheduledSubject = Type.Object({ kind: wordOf(towerKinds), id: Id, name: Type.String() });

/** Names that one clash lists, at most. */
export const clashNamesMax = 5;
/** Clashes in one response, at most. */
export const clashesMax = 20;

export const ScheduleLoad = Type.Object(
  {
    from: Time,
    to: Time,
    hours: Type.Array(
      Type.Object({
        from: Time,
        runs: Type.Integer({ minimum: 0, description: 'Runs and evaluations that come due in it.' }),
        clashes: Type.Integer({
          minimum: 0,
          description: 'Moments at which two or more come due at one data source.',
        }),
      }),
      { description: 'The hours to come, the present one first.' },
    ),
    clashes: Type.Array(
      Type.Object({
        at: Time,
        dataSourceId: Id,
        dataSourceName: Type.String(),
        runs: Type.Integer({ minimum: 2 }),
        subjects: Type.Array(ScheduledSubject, { description: `The first ${clashNamesMax}, by name.` }),
      }),
      { description: `The ${clashesMax} largest; of equal ones the earliest.` },
    ),
    isCut: Type.Boolean({
      description: 'There are more due times than are looked at: the counts are too low.',
    }),
  },
  { $id: 'ScheduleLoad' },
);
export type ScheduleLoad = Static<typeof ScheduleLoad>;

export const getScheduleLoad = defineEndpoint({
  operationId: 'getScheduleLoad',
  tag,
  summary: 'What the schedules of the readable projects make due in the next 24 hours, and what clashes',
  method: 'GET',
  path: `${root}/schedule-load`,
  query: Type.Object({ projectId: Type.Optional(Id), dataSourceId: Type.Optional(Id) }),
  responses: { 200: ScheduleLoad },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const listTowerHealth = defineEndpoint({
  operationId: 'listTowerHealth',
  tag,
  summary:
    'Health of the subscriptions and data contracts of the readable projects, worst first, with reasons',
  method: 'GET',
  path: `${root}/health`,
  query: Type.Object({
    ...listQuery,
    ...filter,
    health: Type.Optional(wordOf(towerHealths)),
    hasOpenTasks: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: pageOf(TowerHealthEntry) },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const TowerContractDetail = Type.Object(
  {
    ...health,
    days: Type.Array(Type.Object({ day: Type.String({ format: 'date' }), ...figures }), {
      description: 'Days in UTC on which it was judged, oldest first.',
    }),
    evaluations: Type.Array(ContractEvaluation, { description: 'The last 20, newest first.' }),
    runs: Type.Array(Notification, {
      description: 'The last 20 that told of it and that the caller may see, newest first.',
    }),
  },
  { $id: 'TowerContractDetail' },
);
export type TowerContractDetail = Static<typeof TowerContractDetail>;

export const getTowerContract = defineEndpoint({
  operationId: 'getTowerContract',
  tag,
  summary: 'Health of one data contract, its days, its last evaluations and what was told of it',
  method: 'GET',
  path: `${root}/contracts/{id}/detail`,
  params: IdParams,
  query: Type.Object({ timeRangeDays }),
  responses: { 200: TowerContractDetail },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const getTowerSubscription = defineEndpoint({
  operationId: 'getTowerSubscription',
  tag,
  summary: 'Health of one subscription, its days and its last runs',
  method: 'GET',
  path: `${root}/subscriptions/{id}/detail`,
  params: IdParams,
  query: Type.Object({ timeRangeDays }),
  responses: { 200: TowerDetail },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});
