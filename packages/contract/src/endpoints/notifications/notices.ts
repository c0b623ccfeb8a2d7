import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

export const noticeKinds = [
  'RunFailed',
  'RunMissed',
  'RunOverlapped',
  'SubscriptionStopped',
  'RecipientGone',
  'RowsUnrouted',
  'MigrationFailed',
  'MigrationMissed',
  'QueryBroken',
  'ContractError',
  'ContractFailed',
  'ContractRecovered',
  'ActorFailed',
  'ActorPaused',
  'KeyExpires',
  'EvaluationMissed',
  'AccuracyDropped',
  'AccuracyRecovered',
  'EvaluationPaused',
  'LlmBudget',
  'ClockSetBack',
  'TaskOpened',
  'TaskAssigned',
  'TaskCommented',
  'TaskCountChanged',
  'TaskWoke',
  'TaskOverdue',
  'TaskResolved',
  'TaskReopened',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Subjects of a notice. */
export const noticeSubjectKinds = [
  'Subscription',
  'Query',
  'Contract',
  'Task',
  'MigrationJob',
  'AiActor',
  'EvaluationSchedule',
  'ApiKey',
  'Settings',
] as const;
export type NoticeSubjectKind = (typeof noticeSubjectKinds)[number];

const tag = 'notices';

/** A message of the service to the owner of a subject, or to another user if the owner cannot be notified. */
export const Notice = Type.Object(
  {
    id: Id,
    kind: wordOf(noticeKinds),
    text: Type.String(),
    subjectKind: wordOf(noticeSubjectKinds),
    subjectId: nullable(
      Type.Integer({
        description:
          'Id of the subject. For a schedule of evaluations: the id of its project. Null for the settings.',
      }),
    ),
    subjectName: Type.String({ description: 'Name of the subject at the time of the notice.' }),
    notificationId: nullable(Type.Integer({ description: 'Run of the notice.' })),
    projectId: nullable(Id),
    createdTime: Time,
    readAt: nullable(Time),
  },
  { $id: 'Notice' },
);
export type Notice = Static<typeof Notice>;

export const listNotices = defineEndpoint({
  operationId: 'listNotices',
  tag,
  summary: "The caller's notices, newest first",
  method: 'GET',
  path: '/svc/api/notices',
  query: Type.Object({ ...listQuery, isUnread: Type.Optional(Type.Boolean()) }),
  responses: {
    200: Type.Object({ ...pageOf(Notice).properties, unreadCount: Type.Integer({ minimum: 0 }) }),
  },
  access: access.ownRead(),
});

export const readNotice = defineEndpoint({
  operationId: 'readNotice',
  tag,
  summary: 'Marks a notice as read',
  method: 'POST',
  path: '/svc/api/notices/{id}/read',
  params: IdParams,
  responses: { 204: null },
  access: access.own(),
});

export const readAllNotices = defineEndpoint({
  operationId: 'readAllNotices',
  tag,
  summary: "Marks all of the caller's notices as read",
  method: 'POST',
  path: '/svc/api/notices/read-all',
  responses: { 204: null },
  access: access.own(),
});
