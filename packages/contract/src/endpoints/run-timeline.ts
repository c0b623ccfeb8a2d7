import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { BilledBytes, Id, IdParams, nullable, Retries, ScannedBytes, Time, wordOf } from '../shapes.ts';
import { deliveryOrigins, deliveryStates } from './notifications.ts';
import { notificationTypes } from './recipients.ts';
import { taskEventKinds } from './tasks.ts';

const Milliseconds = (description: string) => Type.Number({ minimum: 0, description });

export const RunStatement = Type.Object({
  name: Type.String(),
  dataSourceId: Id,
  dataSourceName: nullable(Type.String({ description: 'Null when the data source is gone.' })),
  outcome: wordOf(['Succeeded', 'Failed', 'NotRun']),
  rowCount: Type.Integer({ minimum: 0 }),
  from: Time,
  durationMs: Milliseconds('A wait for a turn at the data source included.'),
  scannedBytes: ScannedBytes,
  billedBytes: BilledBytes,
  retries: Retries,
});
export type RunStatement = Static<typeof RunStatement>;

export const RunAttempt = Type.Object({
  deliveryId: Id,
  recipientId: Id,
  recipientName: Type.String(),
  attempt: Type.Integer(),
  origin: wordOf(deliveryOrigins),
  orderedBy: nullable(Type.String()),
  state: wordOf(deliveryStates),
  from: Time,
  to: nullable(Time),
  request: Type.Object({
    notificationType: wordOf(notificationTypes),
    messageId: Type.String({ description: 'The same for every attempt at this message.' }),
    bytesSent: nullable(Type.Integer()),
  }),
  response: Type.Object(
    {
      httpClass: Type.Optional(nullable(Type.String({ description: 'Admin and SecurityAdmin only.' }))),
      reason: nullable(
        Type.String({ description: 'One of a closed list; never the words of the other side.' }),
      ),
      remoteId: nullable(Type.String({ description: "The other side's id of what was made." })),
      retryAfterSeconds: nullable(Type.Integer({ description: 'How long the other side asked to wait.' })),
    },
    { description: 'What is known of the answer. What the other side wrote is not kept.' },
  ),
});
export type RunAttempt = Static<typeof RunAttempt>;

export const RunTimeline = Type.Object(
  {
    request: nullable(
      Type.Object({
        method: Type.String(),
        route: Type.String(),
        userName: nullable(Type.String()),
        at: Time,
      }),
      { description: 'The request to the API that started the run; null for one of the schedule.' },
    ),
    traceId: nullable(Type.String()),
    jobId: nullable(
      Type.String({ description: 'The job that executed it. Ended jobs are not kept for long.' }),
    ),
    dueAt: Time,
    startedAt: nullable(Time),
    finishedAt: nullable(Time),
    waitedMs: nullable(Milliseconds('From its due time to its start.')),
    statements: Type.Array(RunStatement, { description: 'In the order in which they ran.' }),
    queryMs: nullable(Milliseconds('The whole query, masking included; null when it gave no result.')),
    maskingMs: nullable(Milliseconds('Of that: the masking of the result.')),
    attempts: Type.Array(RunAttempt, { description: 'Oldest first.' }),
    tasks: Type.Array(
      Type.Object({ taskId: Id, kind: wordOf(taskEventKinds), at: Time, rowCount: nullable(Type.Integer()) }),
      { description: 'What the run did to tasks of a project that the caller reads.' },
    ),
  },
  { $id: 'RunTimeline' },
);
export type RunTimeline = Static<typeof RunTimeline>;

export const getRunTimeline = defineEndpoint({
  operationId: 'getRunTimeline',
  tag: 'notifications',
  summary: 'What led to a run, what its time went into, and what followed from it',
  method: 'GET',
  path: '/svc/api/notifications/{id}/timeline',
  params: IdParams,
  responses: { 200: RunTimeline },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});
