import { type Static, Type } from 'typebox';
import { aiPlanStatuses } from './endpoints/models/ai-actor-plans.ts';
import { noticeKinds } from './endpoints/notifications/notices.ts';
import { taskEventKinds } from './endpoints/notifications/tasks.ts';
import { Id, nullable, Time, wordOf } from './shapes.ts';

/** States of a job. */
export const hubJobStates = [
  'Scheduled',
  'Enqueued',
  'AwaitingParent',
  'AwaitingRetry',
  'Processing',
  'Completed',
  'Failed',
  'Cancelled',
] as const;
export type HubJobState = (typeof hubJobStates)[number];

/** Outcomes of a notification run. */
export const notificationKinds = [
  'Sent',
  'Silenced',
  'NoResults',
  'Timeout',
  'BelowThreshold',
  'Failed',
  'Skipped',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export const approvalDecisions = ['Approved', 'Rejected'] as const;
export type ApprovalDecision = (typeof approvalDecisions)[number];

/**
 * Events of the realtime hub, each with one argument. A client receives its user's events. An event reports
 * only that something changed. The client reads the data over REST, with its current rights.
 */
export const hubEvents = {
  /** A background job that the user started changed its state. */
  JobStatusChanged: Type.Object({
    jobId: Type.String({ format: 'uuid' }),
    state: wordOf(hubJobStates),
    timestamp: Time,
  }),
  /** A background job that the user started made progress; at most about one event per second for each job. */
  JobProgressed: Type.Object({
    jobId: Type.String({ format: 'uuid' }),
    percent: Type.Number({ minimum: 0, maximum: 100 }),
    stage: nullable(Type.String({ description: 'Description of the current work.' })),
    timestamp: Time,
  }),
  /** A run ended and is in the history. Sent to the owner of its subscription and to the user who started it. */
  NotificationCreated: Type.Object({ notificationId: Id, kind: wordOf(notificationKinds) }),
  /** A notice was created. Sent to its reader. */
  NoticeCreated: Type.Object({ noticeId: Id, kind: wordOf(noticeKinds) }),
  /** A task changed. Sent to its assignee, its watchers and the user who changed it. */
  TaskChanged: Type.Object({ taskId: Id, kind: wordOf(taskEventKinds) }),
  /** An approval request was decided. Sent to its requester and its reviewer. */
  ApprovalUpdated: Type.Object({ approvalId: Id, status: wordOf(approvalDecisions) }),
  /**
   * A plan of an AI actor was created or decided. Sent to the owner of the actor and to the user who requested the
   * plan.
   */
  AiPlanChanged: Type.Object({ actorId: Id, planId: Id, status: wordOf(aiPlanStatuses) }),
} as const;

export type HubEventName = keyof typeof hubEvents;
export type HubEvent<Name extends HubEventName> = Static<(typeof hubEvents)[Name]>;
