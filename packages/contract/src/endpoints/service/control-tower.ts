import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { ContractEvaluation } from '../contracts/contract-evaluations.ts';
import { Notification } from '../notifications/notifications.ts';

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
    description:
      'For a subscription: runs that ended and were not skipped. For a contract: evaluations that passed, warned or failed.',
  }),
  good: Type.Integer({
    minimum: 0,
    description:
      'Of these: runs that were sent, silenced, without results or below the minimum; evaluations that passed or warned.',
  }),
  failed: Type.Integer({
    minimum: 0,
    description: 'Of these: runs that failed or timed out; evaluations that failed.',
  }),
  successRate: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: '`good` divided by `judged`; null if `judged` is 0.',
    }),
  ),
};

/** Availability of processes that run jobs and fire schedules. */
export const liveProcesses = {
  hasLiveWorker: Type.Boolean({
    description: 'A process that runs jobs has reported recently. Without one, no due work starts.',
  }),
  lastHeartbeatAt: nullable(
    Type.String({ format: 'date-time', description: 'Time of the last report of a process that runs jobs.' }),
  ),
  hasLiveScheduler: Type.Boolean({
    description: 'A process with the role Scheduler has reported recently. Without one, no schedule fires.',
  }),
  unservedQueues: Type.Array(Type.String(), {
    description: 'Queues without a live process that executes their jobs. These jobs wait.',
  }),
  pausedQueues: Type.Array(Type.String(), {
    description: 'Paused queues. Their jobs wait until a user resumes the queue on the job dashboard.',
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
    openTasks: Type.Integer({ minimum: 0, description: 'Tasks that are open and not snoozed.' }),
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
  name: Type.String({ description: 'Name of the contract. For a subscription: the name of its query.' }),
  projectId: Id,
  projectName: Type.String(),
  health: wordOf(towerHealths),
  reasons: Type.Array(wordOf(towerReasons), {
    description: 'Most severe first; empty if the subject is healthy.',
  }),
  ...figures,
  lastGoodAt: nullable(Time),
  lastFailedAt: nullable(Time),
  watchDueAt: nullable(
    Type.String({
      format: 'date-time',
      description:
        'The next due time that must start. For a stalled subject: the last due time that passed without a start.',
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
      description: 'Days in UTC with at least one counted run, oldest first.',
    }),
    runs: Type.Array(Notification, {
      description: 'The last 20 runs that the caller may see, newest first.',
    }),
  },
  { $id: 'TowerDetail' },
);
export type TowerDetail = Static<typeof TowerDetail>;

const timeRangeDays = Type.Optional(
  Type.Unsafe<TowerRange>({
    type: 'integer',
    enum: [...towerRanges],
    minimum: 1,
    maximum: 90,
    description: 'Days that the figures cover, including today (UTC). Default 7.',
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
    'Number of subscriptions and data contracts of the readable projects by health, with figures of their runs',
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
        runs: Type.Integer({ minimum: 0, description: 'Runs and evaluations that are due in this hour.' }),
        clashes: Type.Integer({
          minimum: 0,
          description: 'Times at which two or more are due at one data source.',
        }),
      }),
      { description: 'The next hours, starting with the current hour.' },
    ),
    clashes: Type.Array(
      Type.Object({
        at: Time,
        dataSourceId: Id,
        dataSourceName: Type.String(),
        runs: Type.Integer({ minimum: 2 }),
        subjects: Type.Array(ScheduledSubject, { description: `The first ${clashNamesMax}, by name.` }),
      }),
      { description: `The ${clashesMax} largest clashes. Of equal size, the earliest come first.` },
    ),
    isCut: Type.Boolean({
      description: 'More due times exist than were counted. The counts are too low.',
    }),
  },
  { $id: 'ScheduleLoad' },
);
export type ScheduleLoad = Static<typeof ScheduleLoad>;

export const getScheduleLoad = defineEndpoint({
  operationId: 'getScheduleLoad',
  tag,
  summary: 'Runs and evaluations of the readable projects that are due in the next 24 hours, with clashes',
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
      description: 'Days in UTC with at least one counted evaluation, oldest first.',
    }),
    evaluations: Type.Array(ContractEvaluation, { description: 'The last 20 evaluations, newest first.' }),
    runs: Type.Array(Notification, {
      description:
        'The last 20 runs that sent messages about the contract and that the caller may see, newest first.',
    }),
  },
  { $id: 'TowerContractDetail' },
);
export type TowerContractDetail = Static<typeof TowerContractDetail>;

export const getTowerContract = defineEndpoint({
  operationId: 'getTowerContract',
  tag,
  summary: 'Health of one data contract, with its days, its last evaluations and its last messages',
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
