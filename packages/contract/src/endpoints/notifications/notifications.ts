import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { notificationTypes } from '../recipients/recipients.ts';

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
  contractId: nullable(Type.Integer({ description: 'Data contract whose evaluation the run reports.' })),
  queryId: nullable(Id),
  queryName: Type.String(),
  queryVersionId: nullable(
    Type.Integer({ description: 'Version of the query that ran; null if it is unknown.' }),
  ),
  versionNumber: nullable(Type.Integer({ description: 'Number of the version `queryVersionId`.' })),
  projectId: Id,
  origin: wordOf(['Schedule', 'Test']),
  status: wordOf(runStatuses),
  silencedBy: nullable(wordOf(silenceReasons), { description: 'Reason why a `Silenced` run sent nothing.' }),
  comment: nullable(
    Type.String({
      description:
        'Reason for the end of the run, from a closed list. Callers who may read the query also get the message of the database.',
    }),
  ),
  resultCount: nullable(
    Type.Integer({ description: 'Rows of the result. For a data contract: rules that did not pass.' }),
  ),
  violationCount: nullable(
    Type.Integer({
      description:
        'Violations of all rules of a data contract that did not pass. A row counts once for each rule that it breaks. A Schema rule counts differences, and a CustomSql rule the number that it returns. Null for other runs, and if no rule counts violations.',
    }),
  ),
  unroutedCount: nullable(
    Type.Integer({
      description: 'With row routing: rows that no recipient received. Null for runs without row routing.',
    }),
  ),
  executionTimeMs: nullable(Type.Number()),
  dueAt: Time,
  createdTime: Time,
  heldUntil: nullable(
    Type.String({
      format: 'date-time',
      description: 'The run has a message, which quiet hours delay until this time.',
    }),
  ),
  sentAt: nullable(Time),
  finishedAt: nullable(Time),
  recoveredAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'Recovery time of a failed run: later attempts have sent its message to all recipients.',
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
  orderedBy: nullable(Type.String({ description: 'Name of the user who requested this attempt.' })),
  state: wordOf(deliveryStates),
  reason: nullable(Type.String()),
  remedy: nullable(Type.String({ description: 'Steps to fix the reason, if known.' })),
  notes: Type.Array(Type.String(), {
    description: 'Differences between the sent message and the requested one.',
  }),
  messageId: Type.String({
    description:
      'Same id for all attempts to send this message. A signed webhook contains it as `webhook-id`.',
  }),
  remoteId: nullable(
    Type.String({ description: 'Id of the created item in the other system, such as the key of an issue.' }),
  ),
  rowCount: nullable(
    Type.Integer({
      description:
        'Rows of the message, if the recipient received its own rows. Null: the message was the same for all recipients.',
    }),
  ),
  bytesSent: nullable(Type.Integer()),
  dueAt: nullable(Type.String({ format: 'date-time', description: 'Due time of a requested attempt.' })),
  startedAt: Time,
  finishedAt: nullable(Time),
  httpClass: Type.Optional(nullable(Type.String({ description: 'Only for Admin and SecurityAdmin.' }))),
  durationMs: Type.Optional(nullable(Type.Number({ description: 'Only for Admin and SecurityAdmin.' }))),
});
export type Delivery = Static<typeof Delivery>;

export const StoredResults = Type.Object({
  columns: Type.Array(Type.String()),
  rows: Type.Array(Type.Array(Type.Unknown())),
  isTruncated: Type.Boolean(),
});

/** A query that failed in a run. */
export const RunFailure = Type.Object({
  stepOrder: nullable(Type.Integer({ description: 'Step that failed; null for the final query.' })),
  message: Type.String({
    description:
      'Message of the database without values of rows. If the message could contain values, it is the class of the error.',
  }),
  line: nullable(Type.Integer({ description: 'Line in the text of the step, starting at 1.' })),
  column: nullable(Type.Integer({ description: 'Column in that line, starting at 1.' })),
  sqlLine: nullable(Type.String({ description: 'Text of that line in the version that ran.' })),
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
    isMessageKept: Type.Boolean({
      description: 'The message is still stored, so that unsent deliveries can be sent again.',
    }),
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
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'Runs with a message for this recipient.',
      }),
    ),
    from: Type.Optional(
      Type.String({ format: 'date-time', description: 'Runs with a due time at or after this time.' }),
    ),
    to: Type.Optional(
      Type.String({ format: 'date-time', description: 'Runs with a due time before this time.' }),
    ),
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
  isCut: Type.Boolean({
    description: 'More deliveries exist than one request can resend (1,000). Repeat the request.',
  }),
});
const IncludesUnknown = Type.Boolean({
  description:
    'Also resends deliveries with an unknown outcome. The recipient may receive these messages twice. Default false.',
});

export const resendDelivery = defineEndpoint({
  operationId: 'resendDelivery',
  tag,
  summary: 'Sends the message of one failed delivery again, unchanged',
  method: 'POST',
  path: '/svc/api/notifications/{id}/deliveries/{deliveryId}/resend',
  params: Type.Object({ id: Id, deliveryId: Id }),
  responses: { 202: Ordered },
  access: access.write({ project: 'writable' }),
  refusals: {
    409: 'The delivery was sent, is in progress or was already repeated, or its message is no longer stored.',
  },
});

export const resendFailedDeliveries = defineEndpoint({
  operationId: 'resendFailedDeliveries',
  tag,
  summary: 'Sends all failed deliveries of a run again',
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
  summary: 'Sends all failed deliveries of a time range again, in the projects in which the caller may write',
  method: 'POST',
  path: '/svc/api/notifications/resend-failed',
  body: ResendFailedInput,
  responses: { 202: Ordered },
  access: access.write({ project: 'writable' }),
});
