import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import {
  FiniteNumber,
  Id,
  IdParams,
  listQuery,
  mapOf,
  nullable,
  pageOf,
  Time,
  wordOf,
} from '../../shapes.ts';
import { notificationTypes, recipientStates } from '../recipients/recipients.ts';
import { Alert, AlertRule, AlertRuleInput } from './alerts.ts';
import { AnomalyWatch, AnomalyWatchInput } from './anomalies.ts';
import { runStatuses, silenceReasons } from './notifications.ts';
import { QuietHours } from './quiet-hours.ts';
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
  description: Type.String({ description: 'The schedule in words, from the parser that also fires it.' }),
  nextTimes: Type.Array(Time, { description: 'The next due times; at most five.' }),
});
export type Schedule = Static<typeof Schedule>;

const ParameterValues = mapOf(
  Type.Union([Type.String({ maxLength: 4_000 }), FiniteNumber, Type.Boolean(), Type.Null()]),
  {
    nameLengthMax: 100,
    description: "Values of the query's parameters, by name. Omitted parameters get their defaults.",
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
      'Handling of a due time while the previous run is running. `Skip` (default) records a missed run. `Queue` starts the run afterwards. Manual runs, and runs that quiet hours delay, do not count as previous runs.',
  }),
  showQuery: Type.Boolean(),
  storeResults: Type.Boolean(),
  includeAttachment: Type.Boolean(),
  attachmentFormat: nullable(wordOf(attachmentFormats)),
  createTasks: Type.Boolean({
    description: 'A run with rows opens a task. A run without rows resolves it.',
  }),
  slaHours: nullable(
    Type.Integer({
      minimum: 1,
      maximum: slaHoursMax,
      description: 'Hours within which the tasks of the subscription must be resolved.',
    }),
  ),
  parameters: ParameterValues,
  anomaly: nullable(AnomalyWatch, {
    description: 'Settings that detect unusual row counts; null: the counts are not watched.',
  }),
  alert: nullable(AlertRule, {
    description: 'Alert rule of the trigger `WhileRows`; null with every other trigger.',
  }),
  rowMemory: nullable(RowMemory, {
    description:
      'Row memory of the trigger `OnRowChange`: the columns that identify rows, and the changes to report. Null with every other trigger.',
  }),
  quietHours: nullable(QuietHours, {
    description:
      'Quiet hours of scheduled runs: their messages are sent at the end of the quiet hours. Null: no quiet hours.',
  }),
  routing: nullable(RowRouting, {
    description: 'Row routing: each recipient gets only its own rows. Null: every recipient gets all rows.',
  }),
};

/** Settings of a request body. */
const given = {
  ...settings,
  anomaly: nullable(AnomalyWatchInput, {
    description:
      'Settings that detect unusual row counts. Omitted members get their defaults. Null: the counts are not watched.',
  }),
  alert: nullable(AlertRuleInput, {
    description: 'Alert rule; only for the trigger `WhileRows`. Omitted members get their defaults.',
  }),
  rowMemory: nullable(RowMemoryInput, {
    description:
      'Row memory; required for the trigger `OnRowChange`, and only allowed for it. Omitted members get their defaults.',
  }),
  routing: nullable(RowRoutingInput, {
    description:
      'Row routing: each recipient gets only the rows with its values. It replaces the stored routing. Null: every recipient gets all rows.',
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
  silencedBy: nullable(wordOf(silenceReasons), { description: 'Reason why a `Silenced` run sent nothing.' }),
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
      '`NotStarted`: the run did not start in time. `PreviousRunning`: the run was skipped, because the previous run was still running.',
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
    stoppedBecause: nullable(
      Type.String({ description: 'Reason why the service archived the subscription.' }),
    ),
    ownerUserId: nullable(Id),
    ownerName: nullable(Type.String()),
    schedule: Schedule,
    ...settings,
    recipients: Type.Array(AttachedRecipient),
    lastRun: nullable(LastRun),
    alertState: nullable(Alert, {
      description:
        'State of the alert. Null without the trigger `WhileRows`, and before the first run with a result.',
    }),
    rememberedRows: nullable(RememberedRows, {
      description:
        'Remembered rows. Null without the trigger `OnRowChange`, and before the first run that stored rows.',
    }),
    lastMissed: nullable(MissedRuns),
    pausedSince: nullable(Time, {
      description:
        'Time since which the schedule is paused. Null: the schedule is not paused, or the subscription is archived.',
    }),
    snoozedUntil: nullable(Time, {
      description: 'End of the snooze, during which scheduled runs notify no recipients.',
    }),
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
    description: 'Recipients to notify. At least one is required, unless `createTasks` is true.',
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
  summary: 'One subscription; archived subscriptions included',
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
  summary: 'Changes the settings of a subscription, except its query and its schedule',
  method: 'PATCH',
  path: '/svc/api/subscriptions/{id}',
  params: IdParams,
  body: SubscriptionChange,
  responses: { 200: Subscription },
  edits: 'Subscription',
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: { 412: 'The subscription changed after the caller read it.' },
});

export const archiveSubscription = defineEndpoint({
  operationId: 'archiveSubscription',
  tag,
  summary: 'Archives a subscription; its schedule stops and its history remains',
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
  summary: 'Reactivates an archived subscription with its schedule',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/reactivate',
  params: IdParams,
  responses: { 200: Subscription },
  access: access.write({ project: 'writable' }),
  refusals: { 409: 'The query, or a data source that it needs, no longer exists.' },
});

export const ReplaceSubscriptionBody = Type.Object({
  cronExpression: CronExpression,
  timeZone: Type.Optional(TimeZone),
});

export const replaceSubscription = defineEndpoint({
  operationId: 'replaceSubscription',
  tag,
  summary: 'Replaces a subscription by a new one with another schedule, and archives the old one',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/replace',
  params: IdParams,
  body: ReplaceSubscriptionBody,
  responses: { 201: Subscription },
  edits: 'Subscription',
  sends: ['ETag', 'Location'],
  access: access.write({ project: 'writable' }),
  refusals: {
    409: 'The subscription is already archived, or its query no longer exists.',
    412: 'The subscription changed after the caller read it.',
  },
});

export const testRunSubscription = defineEndpoint({
  operationId: 'testRunSubscription',
  tag,
  summary: 'Runs a subscription now and sends its messages; rows that it already remembers do not change',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/test-run',
  params: IdParams,
  responses: {
    202: Type.Object(
      { id: Id, status: wordOf(runStatuses) },
      { description: 'The new run. `/svc/api/notifications/{id}` reports its progress.' },
    ),
  },
  startsWork: true,
  sends: ['Location'],
  access: access.write({ project: 'writable' }),
  refusals: {
    409: 'No recipient can be notified: the subscription is archived, or all its recipients await approval.',
  },
});

export const addSubscriptionRecipients = defineEndpoint({
  operationId: 'addSubscriptionRecipients',
  tag,
  summary: 'Attaches existing recipients to a subscription',
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
  summary: 'Detaches a recipient from a subscription',
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
  summary: 'Assigns a subscription to another owner',
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
  summary: 'Sets the hours within which tasks must be resolved; applies to future tasks',
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
  summary: 'Pauses the schedule of a subscription until it is resumed; manual runs remain possible',
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
  summary: 'Resumes the schedule of a paused subscription; due times during the pause are not run',
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
  summary:
    'Stops the notifications of scheduled runs until a time, or ends this snooze; runs and tasks continue',
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
        code: nullable(Type.String({ description: 'Problem code of the refusal.' })),
        detail: nullable(Type.String()),
      }),
      { description: 'Results in the order of the request.' },
    ),
  },
  { $id: 'SubscriptionBulkResult' },
);
export type SubscriptionBulkResult = Static<typeof SubscriptionBulkResult>;

export const changeSubscriptions = defineEndpoint({
  operationId: 'changeSubscriptions',
  tag,
  summary: 'Applies one action to several subscriptions, each independently',
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
  summary: 'Describes a schedule in words and returns the next five due times',
  method: 'POST',
  path: '/svc/api/subscriptions/schedule-preview',
  body: Type.Object({ cronExpression: CronExpression, timeZone: Type.Optional(TimeZone) }),
  responses: { 200: Schedule },
  access: access.runByPost(),
});
