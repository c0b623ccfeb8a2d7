import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { BilledBytes, Id, IdParams, nullable, Retries, ScannedBytes, Time, wordOf } from '../../shapes.ts';
import { notificationTypes } from '../recipients/recipients.ts';
import { deliveryOrigins, deliveryStates } from './notifications.ts';
import { taskEventKinds } from './tasks.ts';

const Milliseconds = (description: string) => Type.Number({ minimum: 0, description });

export const RunStatement = Type.Object({
  name: Type.String(),
  dataSourceId: Id,
  dataSourceName: nullable(Type.String({ description: 'Null if the data source no longer exists.' })),
  outcome: wordOf(['Succeeded', 'Failed', 'NotRun']),
  rowCount: Type.Integer({ minimum: 0 }),
  from: Time,
  durationMs: Milliseconds(
    'Duration in milliseconds, including the wait for a free slot at the data source.',
  ),
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
    messageId: Type.String({ description: 'Same id for all attempts to send this message.' }),
    bytesSent: nullable(Type.Integer()),
  }),
  response: Type.Object(
    {
      httpClass: Type.Optional(nullable(Type.String({ description: 'Only for Admin and SecurityAdmin.' }))),
      reason: nullable(
        Type.String({
          description: 'Reason from a closed list. It never contains text from the other system.',
        }),
      ),
      remoteId: nullable(Type.String({ description: 'Id of the created item in the other system.' })),
      retryAfterSeconds: nullable(
        Type.Integer({ description: 'Seconds that the other system requested to wait.' }),
      ),
    },
    { description: 'Stored facts about the response. Its text is not stored.' },
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
      { description: 'The API request that started the run; null if the schedule started it.' },
    ),
    traceId: nullable(Type.String()),
    jobId: nullable(
      Type.String({ description: 'Job that executed the run. Ended jobs are deleted after a short time.' }),
    ),
    dueAt: Time,
    startedAt: nullable(Time),
    finishedAt: nullable(Time),
    waitedMs: nullable(Milliseconds('Milliseconds from the due time to the start.')),
    statements: Type.Array(RunStatement, { description: 'Statements in the order in which they ran.' }),
    queryMs: nullable(
      Milliseconds('Milliseconds for the whole query, including masking; null without a result.'),
    ),
    maskingMs: nullable(Milliseconds('Milliseconds of `queryMs` for masking the result.')),
    attempts: Type.Array(RunAttempt, { description: 'Oldest first.' }),
    tasks: Type.Array(
      Type.Object({ taskId: Id, kind: wordOf(taskEventKinds), at: Time, rowCount: nullable(Type.Integer()) }),
      { description: 'Events that the run caused in tasks, if the caller can read their project.' },
    ),
  },
  { $id: 'RunTimeline' },
);
export type RunTimeline = Static<typeof RunTimeline>;

export const getRunTimeline = defineEndpoint({
  operationId: 'getRunTimeline',
  tag: 'notifications',
  summary: 'Course of a run: its cause, its timings, its deliveries and its effects on tasks',
  method: 'GET',
  path: '/svc/api/notifications/{id}/timeline',
  params: IdParams,
  responses: { 200: RunTimeline },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});
