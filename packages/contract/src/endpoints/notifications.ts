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
export const deliveryStates = ['Sending', 'Sent', 'Failed', 'Unknown', 'Skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const tag = 'notifications';

const runFields = {
  id: Id,
  subscriptionId: Id,
  queryId: Id,
  queryName: Type.String(),
  projectId: Id,
  origin: wordOf(['Schedule', 'Test']),
  status: wordOf(runStatuses),
  comment: nullable(
    Type.String({ description: 'Why the run ended as it did; one of a closed list of reasons.' }),
  ),
  resultCount: nullable(Type.Integer()),
  executionTimeMs: nullable(Type.Number()),
  dueAt: Time,
  createdTime: Time,
  sentAt: nullable(Time),
  finishedAt: nullable(Time),
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
  state: wordOf(deliveryStates),
  reason: nullable(Type.String()),
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

export const NotificationDetail = Type.Object(
  {
    ...runFields,
    projectName: Type.String(),
    previousResultCount: nullable(Type.Integer()),
    startedAt: nullable(Time),
    deliveries: Type.Array(Delivery),
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
    queryId: Type.Optional(Id),
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the query name.' })),
  }),
  responses: { 200: pageOf(Notification) },
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
