import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { FiniteNumber, Id, IdParams, listQuery, mapOf, nullable, pageOf, Time, wordOf } from '../shapes.ts';
import { Alert, AlertRule, AlertRuleInput } from './alerts.ts';
import { AnomalyWatch, AnomalyWatchInput } from './anomalies.ts';
import { runStatuses, silenceReasons } from './notifications.ts';
import { QuietHours } from './quiet-hours.ts';
import { notificationTypes, recipientStates } from './recipients.ts';
import { RememberedRows, RowMemory, RowMemoryInput } from './row-memory.ts';
import { RowRouting, RowRoutingInput } from './row-routing.ts';
import { Snooze } from './snooze.ts';

export const notificationTriggers = [
  'OnResultCountChange',
  'Always',
  'OnResultCountIncrease',
  'OnAnomaly',
  'WhileRows',
  'OnRowChange',
] as const;
export type NotificationTrigger = (typeof notificationTriggers)[number];
/** Handling of a due time while the previous run is still running. */
export const runOverlaps = ['Skip', 'Queue'] as const;
export type RunOverlap = (typeof runOverlaps)[number];
/** Reasons why due times have no run. */
export const missedReasons = ['NotStarted', 'PreviousRunning'] as const;
export type MissedReason = (typeof missedReasons)[number];
export const attachmentFormats = ['Csv', 'Xlsx'] as const;
export type AttachmentFormat = (typeof attachmentFormats)[number];

const tag = 'subscriptions';

export const CronExpression = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Five fields (minute hour day month weekday), or six with seconds first.',
});
export const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'IANA name, e.g. Europe/Zagreb.',
});

export const Schedule = Type.Object({
  cronExpression: Type.String(),
  timeZone: Type.String(),
  description: Type.String({ description: 'The schedule in words, computed by the parser that fires it.' }),
  nextTimes: Type.Array(Time, { description: 'The next times that it fires; at most five.' }),
});
export type Schedule = Static<typeof Schedule>;

const ParameterValues = mapOf(
  Type.Union([Type.String({ maxLength: 4_000 }), FiniteNumber, Type.Boolean(), Type.Null()]),
  {
    nameLengthMax: 100,
    description: "Values of the query's parameters, by name; those left out take their defaults.",
  },
);

/** Upper bounds of the numeric settings; the lower bound is 1. */
export const subscriptionMax = {
  minimumRowCount: 1_000_000_000,
  maxRows: 1_000_000,
  timeoutSeconds: 86_400,
} as const;
/** Hours of a task's deadline, at most. */
export const slaHoursMax = 720;

const numberUpTo = (maximum: number) => nullable(Type.Integer({ minimum: 1, maximum }));

const settings = {
  notificationTrigger: wordOf(notificationTriggers),
  minimumRowCount: numberUpTo(subscriptionMax.minimumRowCount),
  maxRows: numberUpTo(subscriptionMax.maxRows),
  timeoutSeconds: numberUpTo(subscriptionMax.timeoutSeconds),
  overlap: wordOf(runOverlaps, {
    description:
      'A due time that passes while the previous run is under way: `Skip` (the default) records it among the missed runs, `Queue` runs it afterwards. Runs by hand and runs that quiet hours hold do not count.',
  }),
  showQuery: Type.Boolean(),
  storeResults: Type.Boolean(),
  includeAttachment: Type.Boolean(),
  attachmentFormat: nullable(wordOf(attachmentFormats)),
  createTasks: Type.Boolean({
    description: 'Runs that find rows open a task, and resolve it when they are gone.',
  }),
  slaHours: nullable(
    Type.Integer({
      minimum: 1,
      maximum: slaHoursMax,
      description: 'Hours within which its tasks are to be resolved.',
    }),
  ),
  parameters: ParameterValues,
  anomaly: nullable(AnomalyWatch, {
    description: 'How the row counts are watched for what is unusual; null: they are not.',
  }),
  alert: nullable(AlertRule, { description: 'When `WhileRows` tells; null with every other trigger.' }),
  rowMemory: nullable(RowMemory, {
    description: 'What `OnRowChange` remembers rows by and tells of them; null with every other trigger.',
  }),
  quietHours: nullable(QuietHours, {
    description: 'When scheduled runs tell nobody: what they have to tell is told at the end. Null: never.',
  }),
  routing: nullable(RowRouting, {
    description: 'How each recipient gets rows of its own; null: every recipient gets all rows.',
  }),
};

/** Settings of a request body. */
const given = {
  ...settings,
  anomaly: nullable(AnomalyWatchInput, {
    description:
      'Watches the row counts; what is left out of it takes its default. Null: they are not watched.',
  }),
  alert: nullable(AlertRuleInput, {
    description: 'For the trigger `WhileRows` alone; what is left out of it takes its default.',
  }),
  rowMemory: nullable(RowMemoryInput, {
    description:
      'For the trigger `OnRowChange`, which needs it, alone; what is left out of it takes its default.',
  }),
  routing: nullable(RowRoutingInput, {
    description:
      'Gives each recipient the rows that have its values, in place of what was there. Null: all rows go to all.',
  }),
};
const optionalSettings = Object.fromEntries(
  Object.entries(given).map(([name, schema]) => [name, Type.Optional(schema)]),
) as {
  [K in keyof typeof given]: ReturnType<typeof Type.Optional<(typeof given)[K]>>;
};

export const AttachedRecipient = Type.Object({
  id: Id,
  name: Type.String(),
  notificationType: wordOf(notificationTypes),
  state: wordOf(recipientStates),
});

const LastRun = Type.Object({
  id: Id,
  status: wordOf(runStatuses),
  silencedBy: nullable(wordOf(silenceReasons), { description: 'Why a `Silenced` run sent nothing.' }),
  createdTime: Time,
});

/** Due times without a run that share a cause: one outage, or one series of runs that exceed their interval. */
export const MissedRuns = Type.Object({
  id: Id,
  firstDueAt: Time,
  lastDueAt: Time,
  missedCount: Type.Integer({ minimum: 1 }),
  noticedAt: Time,
  reason: wordOf(missedReasons, {
    description:
      '`NotStarted`: it did not start in time. `PreviousRunning`: it was skipped, because the previous run was still running.',
  }),
});
export type MissedRuns = Static<typeof MissedRuns>;

export const Subscription = Type.Object(
  {
    id: Id,
    queryId: Id,
    queryName: Type.String(),
    projectId: Id,
    projectName: Type.String(),
    state: wordOf(['Active', 'Archived']),
    stoppedBecause: nullable(Type.String({ description: 'Why the service itself archived it.' })),
    ownerUserId: nullable(Id),
    ownerName: nullable(Type.String()),
    schedule: Schedule,
    ...settings,
    recipients: Type.Array(AttachedRecipient),
    lastRun: nullable(LastRun),
    alertState: nullable(Alert, {
      description: 'With the trigger `WhileRows`, once a run has said something.',
    }),
    rememberedRows: nullable(RememberedRows, {
      description: 'With the trigger `OnRowChange`, once a run has found rows to remember.',
    }),
    lastMissed: nullable(MissedRuns),
    pausedSince: nullable(Time, {
      description: 'Since when its schedule stands still. Null: it fires, or the subscription is archived.',
    }),
    snoozedUntil: nullable(Time, { description: 'Until when scheduled runs tell nobody.' }),
    snoozeReason: nullable(Type.String()),
    isDemo: Type.Boolean(),
    createdTime: Time,
    version: Type.Integer(),
  },
  { $id: 'Subscription' },
);
export type Subscription = Static<typeof Subscription>;

export const SubscriptionInput = Type.Object({
  queryId: Id,
  cronExpression: CronExpression,
  timeZone: Type.Optional(TimeZone),
  recipientIds: Type.Array(Id, {
    maxItems: 1_000,
    description: 'Recipients that are told; at least one unless `createTasks`.',
  }),
  ...optionalSettings,
});
export type SubscriptionInput = Static<typeof SubscriptionInput>;

/** Changeable settings of a subscription: all but its query and its schedule. Omitted settings do not change. */
export const SubscriptionChange = Type.Object(optionalSettings);
export type SubscriptionChange = Static<typeof SubscriptionChange>;

export const listSubscriptions = defineEndpoint({
  operationId: 'listSubscriptions',
  tag,
  summary: 'Subscriptions of the readable projects',
  method: 'GET',
  path: '/svc/api/subscriptions',
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the query name.' })),
    projectId: Type.Optional(Id),
    queryId: Type.Optional(Id),
    // `Active` includes paused subscriptions.
    state: Type.Optional(wordOf(['Active', 'Paused', 'Archived', 'All'])),
  }),
  responses: { 200: pageOf(Subscription) },
  access: access.read({ project: 'readable' }),
});

export const createSubscription = defineEndpoint({
  operationId: 'createSubscription',
  tag,
  summary: 'Subscribes recipients to a query on a schedule',
  method: 'POST',
  path: '/svc/api/subscriptions',
  body: SubscriptionInput,
  responses: { 201: Subscription },
  sends: ['Location'],
  access: access.write({ project: 'writable' }),
  refusals: { 404: 'The query or a recipient does not exist, or the caller may not see it.' },
});

export const getSubscription = defineEndpoint({
  operationId: 'getSubscription',
  tag,
  summary: 'One subscription, archived ones too',
  method: 'GET',
  path: '/svc/api/subscriptions/{id}',
  params: IdParams,
  responses: { 200: Subscription },
  sends: ['ETag'],
  access: access.read({ project: 'readable' }),
});

export const updateSubscription = defineEndpoint({
  operationId: 'updateSubscription',
  tag,
  summary: 'Changes what a subscription tells and how; its query and its schedule stay',
  method: 'PATCH',
  path: '/svc/api/subscriptions/{id}',
  params: IdParams,
  body: SubscriptionChange,
  responses: { 200: Subscription },
  edits: 'Subscription',
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: { 412: 'The subscription changed since it was read.' },
});

export const archiveSubscription = defineEndpoint({
  operationId: 'archiveSubscription',
  tag,
  summary: 'Archives a subscription: its schedule stops, its history stays',
  method: 'DELETE',
  path: '/svc/api/subscriptions/{id}',
  params: IdParams,
  responses: { 204: null },
  edits: 'Subscription',
  access: access.write({ project: 'writable' }),
});

export const listMissedRuns = defineEndpoint({
  operationId: 'listMissedRuns',
  tag,
  summary: 'Due times whose run did not start in time or was skipped, newest first',
  method: 'GET',
  path: '/svc/api/subscriptions/{id}/missed-runs',
  params: IdParams,
  query: Type.Object({ ...listQuery }),
  responses: { 200: pageOf(MissedRuns) },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const reactivateSubscription = defineEndpoint({
  operationId: 'reactivateSubscription',
  tag,
  summary: 'Brings an archived subscription back, with its schedule',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/reactivate',
  params: IdParams,
  responses: { 200: Subscription },
  access: access.write({ project: 'writable' }),
  refusals: { 409: 'The query or a data source that it needs is gone.' },
});

export const ReplaceSubscriptionBody = Type.Object({
  cronExpression: CronExpression,
  timeZone: Type.Optional(TimeZone),
});

export const replaceSubscription = defineEndpoint({
  operationId: 'replaceSubscription',
  tag,
  summary: 'Has a new subscription with another schedule take the place of one, which is archived',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/replace',
  params: IdParams,
  body: ReplaceSubscriptionBody,
  responses: { 201: Subscription },
  edits: 'Subscription',
  sends: ['ETag', 'Location'],
  access: access.write({ project: 'writable' }),
  refusals: {
    409: 'It is archived already, or its query is gone.',
    412: 'The subscription changed since it was read.',
  },
});

export const testRunSubscription = defineEndpoint({
  operationId: 'testRunSubscription',
  tag,
  summary: 'Runs a subscription now, with real deliveries; the rows that it remembers stay as they are',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/test-run',
  params: IdParams,
  responses: {
    202: Type.Object(
      { id: Id, status: wordOf(runStatuses) },
      { description: 'The run; follow it under /svc/api/notifications/{id}.' },
    ),
  },
  startsWork: true,
  sends: ['Location'],
  access: access.write({ project: 'writable' }),
  refusals: {
    409: 'Nobody can be notified: the subscription is archived, or every recipient waits for approval.',
  },
});

export const addSubscriptionRecipients = defineEndpoint({
  operationId: 'addSubscriptionRecipients',
  tag,
  summary: 'Attaches existing recipients',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/recipients',
  params: IdParams,
  body: Type.Object({ recipientIds: Type.Array(Id, { minItems: 1, maxItems: 1_000 }) }),
  responses: { 200: Subscription },
  edits: 'Subscription',
  access: access.write({ project: 'writable' }),
});

export const removeSubscriptionRecipient = defineEndpoint({
  operationId: 'removeSubscriptionRecipient',
  tag,
  summary: 'Detaches a recipient',
  method: 'DELETE',
  path: '/svc/api/subscriptions/{id}/recipients/{recipientId}',
  params: Type.Object({ id: Id, recipientId: Id }),
  responses: { 204: null },
  edits: 'Subscription',
  access: access.write({ project: 'writable' }),
});

export const setSubscriptionOwner = defineEndpoint({
  operationId: 'setSubscriptionOwner',
  tag,
  summary: 'Hands a subscription to another user',
  method: 'PUT',
  path: '/svc/api/subscriptions/{id}/owner',
  params: IdParams,
  body: Type.Object({ userId: Id }),
  responses: { 204: null },
  access: access.administer('UserAdmin'),
});

export const setSubscriptionSla = defineEndpoint({
  operationId: 'setSubscriptionSla',
  tag,
  summary: 'Says within how many hours tasks are to be resolved, from the next one on',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/sla',
  params: IdParams,
  body: Type.Object({ slaHours: settings.slaHours }),
  responses: { 204: null },
  edits: 'Subscription',
  access: access.write({ project: 'writable' }),
});

export const pauseSubscription = defineEndpoint({
  operationId: 'pauseSubscription',
  tag,
  summary: 'Stops the schedule of a subscription until it is resumed; it can still be run by hand',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/pause',
  params: IdParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
  refusals: { 409: 'The subscription is archived.' },
});

export const resumeSubscription = defineEndpoint({
  operationId: 'resumeSubscription',
  tag,
  summary: 'Has the schedule of a paused subscription fire again; what was due meanwhile is not run',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/resume',
  params: IdParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
  refusals: { 409: 'The subscription is archived.' },
});

export const snoozeSubscription = defineEndpoint({
  operationId: 'snoozeSubscription',
  tag,
  summary: 'Has scheduled runs tell nobody until a time, or ends that; runs and tasks go on',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/snooze',
  params: IdParams,
  body: Snooze,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
});

export const subscriptionBulkActs = ['Pause', 'Resume', 'Snooze', 'Archive', 'Reactivate'] as const;
export type SubscriptionBulkAct = (typeof subscriptionBulkActs)[number];

export const SubscriptionBulkResult = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        id: Id,
        isDone: Type.Boolean(),
        code: nullable(Type.String({ description: 'Why it was refused: a code of a problem.' })),
        detail: nullable(Type.String()),
      }),
      { description: 'In the order in which the subscriptions were named.' },
    ),
  },
  { $id: 'SubscriptionBulkResult' },
);
export type SubscriptionBulkResult = Static<typeof SubscriptionBulkResult>;

export const changeSubscriptions = defineEndpoint({
  operationId: 'changeSubscriptions',
  tag,
  summary: 'Does the same to several subscriptions, each for itself',
  method: 'POST',
  path: '/svc/api/subscriptions/bulk',
  body: Type.Object({
    subscriptionIds: Type.Array(Id, { minItems: 1, maxItems: 200 }),
    act: wordOf(subscriptionBulkActs),
    until: Type.Optional(Snooze.properties.until),
    reason: Type.Optional(Snooze.properties.reason),
  }),
  responses: { 200: SubscriptionBulkResult },
  access: access.write({ project: 'none' }),
});

export const previewSchedule = defineEndpoint({
  operationId: 'previewSchedule',
  tag,
  summary: 'Explains a schedule: words and the next five times',
  method: 'POST',
  path: '/svc/api/subscriptions/schedule-preview',
  body: Type.Object({ cronExpression: CronExpression, timeZone: Type.Optional(TimeZone) }),
  responses: { 200: Schedule },
  access: access.runByPost(),
});
