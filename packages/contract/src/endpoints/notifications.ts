import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../shapes.ts';
import { notificationTypes } from './recipients.ts';

export const runStatuses = [
  'Created',
  'Sent',
  'Silenced',
  'NoResults',
  'Timeout',
  'BelowThreshold',
  'Failed',
  'Skipped',
] as const;
export type RunStatus = (typeof runStatuses)[number];
/** Reasons why a run with the status `Silenced` sent nothing. */
export const silenceReasons = [
  'StillFiring',
  'AlertPending',
  'Snoozed',
  'QuietHours',
  'Baseline',
  'NothingChanged',
  'NothingRouted',
] as const;
export type SilenceReason = (typeof silenceReasons)[number];
export const deliveryStates = ['Queued', 'Sending', 'Sent', 'Failed', 'Unknown', 'Skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
export const deliveryOrigins = ['Run', 'Resend', 'Retry'] as const;
export type DeliveryOrigin = (typeof deliveryOrigins)[number];

const tag = 'notifications';

const runFields = {
  id: Id,
  subscriptionId: nullable(Id),
  contractId: nullable(Type.Integer({ description: 'The data contract whose evaluation it tells of.' })),
  queryId: nullable(Id),
  queryName: Type.String(),
  queryVersionId: nullable(
    Type.Integer({ description: 'The version of the query that ran; null where none is known.' }),
  ),
  versionNumber: nullable(Type.Integer({ description: 'The number of that version.' })),
  projectId: Id,
  origin: wordOf(['Schedule', 'Test']),
  status: wordOf(runStatuses),
  silencedBy: nullable(wordOf(silenceReasons), { description: 'Why a `Silenced` run sent nothing.' }),
  comment: nullable(
    Type.String({
      description:
        "Why the run ended: one of a closed list of reasons. The database's message is part of it for those who may read the query.",
    }),
  ),
  resultCount: nullable(
    Type.Integer({ description: 'Rows of the result; of a data contract the rules that did not pass.' }),
  ),
  violationCount: nullable(
    Type.Integer({
      description:
        'Violations of the rules of a data contract. A row counts once for each rule that it breaks. Null for other runs, and if no rule counts violations.',
    }),
  ),
  unroutedCount: nullable(
    Type.Integer({
      description: 'Rows that nobody got, of a run whose recipients get rows of their own; null of others.',
    }),
  ),
  executionTimeMs: nullable(Type.Number()),
  dueAt: Time,
  createdTime: Time,
  heldUntil: nullable(
    Type.String({
      format: 'date-time',
      description: 'The run has something to tell, and quiet hours hold it until then.',
    }),
  ),
  sentAt: nullable(Time),
  finishedAt: nullable(Time),
  recoveredAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the last recipient whom the failed run had left out got its message after all.',
    }),
  ),
};

/** A run in the history. */
export const Notification = Type.Object(
  { ...runFields, recipientNames: Type.Array(Type.String()) },
  { $id: 'Notification' },
);
export type Notification = Static<typeof Notification>;

export const Delivery = Type.Object({
  id: Id,
  recipientId: Id,
  recipientName: Type.String(),
  notificationType: wordOf(notificationTypes),
  attempt: Type.Integer(),
  origin: wordOf(deliveryOrigins),
  orderedBy: nullable(Type.String({ description: 'Name of whoever ordered this attempt.' })),
  state: wordOf(deliveryStates),
  reason: nullable(Type.String()),
  remedy: nullable(Type.String({ description: 'What to do about the reason, where something can be done.' })),
  notes: Type.Array(Type.String(), { description: 'What was not as asked although the message was sent.' }),
  messageId: Type.String({
    description: 'The same for every attempt at this message; a signed webhook carries it as `webhook-id`.',
  }),
  remoteId: nullable(
    Type.String({ description: "The other side's id of what was made, such as an issue's key." }),
  ),
  rowCount: nullable(
    Type.Integer({
      description: 'Rows of the message, where the recipient got one of its own; null: the one that all get.',
    }),
  ),
  bytesSent: nullable(Type.Integer()),
  dueAt: nullable(Type.String({ format: 'date-time', description: 'When an ordered attempt comes due.' })),
  startedAt: Time,
  finishedAt: nullable(Time),
  httpClass: Type.Optional(nullable(Type.String({ description: 'Admin and SecurityAdmin only.' }))),
  durationMs: Type.Optional(nullable(Type.Number({ description: 'Admin and SecurityAdmin only.' }))),
});
export type Delivery = Static<typeof Delivery>;

export const StoredResults = Type.Object({
  columns: Type.Array(Type.String()),
  rows: Type.Array(Type.Array(Type.Unknown())),
  isTruncated: Type.Boolean(),
});

/** A query that failed in a run. */
export const RunFailure = Type.Object({
  stepOrder: nullable(Type.Integer({ description: 'The step that failed; null for the final query.' })),
  message: Type.String({
    description:
      "The database's message, without values of rows; the class of the error where it could hold some.",
  }),
  line: nullable(Type.Integer({ description: 'Line in the text of the step, from 1.' })),
  column: nullable(Type.Integer({ description: 'Column in that line, from 1.' })),
  sqlLine: nullable(Type.String({ description: 'That line, as the version that ran has it.' })),
});
export type RunFailure = Static<typeof RunFailure>;

export const NotificationDetail = Type.Object(
  {
    ...runFields,
    failure: nullable(RunFailure),
    projectName: Type.String(),
    previousResultCount: nullable(Type.Integer()),
    startedAt: nullable(Time),
    deliveries: Type.Array(Delivery),
    isMessageKept: Type.Boolean({ description: 'Deliveries that were not made can be made again.' }),
    results: nullable(StoredResults),
    traceId: nullable(Type.String()),
  },
  { $id: 'NotificationDetail' },
);
export type NotificationDetail = Static<typeof NotificationDetail>;

export const listNotifications = defineEndpoint({
  operationId: 'listNotifications',
  tag,
  summary: 'History of runs that the caller may see, newest first',
  method: 'GET',
  path: '/svc/api/notifications',
  query: Type.Object({
    ...listQuery,
    status: Type.Optional(wordOf(runStatuses)),
    subscriptionId: Type.Optional(Id),
    contractId: Type.Optional(Id),
    queryId: Type.Optional(Id),
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the query name.' })),
    recipientId: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: 2_147_483_647 },
        description: 'Runs that had something to deliver to this recipient.',
      }),
    ),
    from: Type.Optional(
      Type.String({ format: 'date-time', description: 'Runs that were due at this time or later.' }),
    ),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Runs that were due before.' })),
  }),
  responses: { 200: pageOf(Notification) },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const getNotification = defineEndpoint({
  operationId: 'getNotification',
  tag,
  summary: 'One run, with its deliveries and stored results',
  method: 'GET',
  path: '/svc/api/notifications/{id}',
  params: IdParams,
  responses: { 200: NotificationDetail },
  access: access.read({ project: 'readable' }),
});

const Ordered = Type.Object({
  orderedCount: Type.Integer({ minimum: 0 }),
  isCut: Type.Boolean({ description: 'There are more than one order covers (1,000): order again.' }),
});
const IncludesUnknown = Type.Boolean({
  description:
    'Also those of which nobody knows whether they arrived; the recipient may get them twice. Default false.',
});

export const resendDelivery = defineEndpoint({
  operationId: 'resendDelivery',
  tag,
  summary: 'Makes one delivery again, with the message as it was',
  method: 'POST',
  path: '/svc/api/notifications/{id}/deliveries/{deliveryId}/resend',
  params: Type.Object({ id: Id, deliveryId: Id }),
  responses: { 202: Ordered },
  access: access.write({ project: 'writable' }),
  refusals: {
    409: 'The delivery was made, is under way, or was repeated already, or its message is no longer kept.',
  },
});

export const resendFailedDeliveries = defineEndpoint({
  operationId: 'resendFailedDeliveries',
  tag,
  summary: 'Makes all failed deliveries of a run again',
  method: 'POST',
  path: '/svc/api/notifications/{id}/resend-failed',
  params: IdParams,
  body: Type.Object({ includesUnknown: Type.Optional(IncludesUnknown) }),
  responses: { 202: Ordered },
  access: access.write({ project: 'writable' }),
});

export const ResendFailedInput = Type.Object({
  from: Time,
  to: Time,
  subscriptionId: Type.Optional(Id),
  recipientId: Type.Optional(Id),
  includesUnknown: Type.Optional(IncludesUnknown),
});
export type ResendFailedInput = Static<typeof ResendFailedInput>;

export const resendFailedOfWindow = defineEndpoint({
  operationId: 'resendFailedOfWindow',
  tag,
  summary:
    'Makes all failed deliveries of a window of time again, in the projects that the caller may write in',
  method: 'POST',
  path: '/svc/api/notifications/resend-failed',
  body: ResendFailedInput,
  responses: { 202: Ordered },
  access: access.write({ project: 'writable' }),
});
