import { type Static, Type } from 'typebox';
import { aiPlanStatuses } from './endpoints/ai-actor-plans.ts';
import { noticeKinds } from './endpoints/notices.ts';
import { taskEventKinds } from './endpoints/tasks.ts';
import { Id, nullable, Time, wordOf } from './shapes.ts';

/** Words of a job's state. */
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

/** How the run of a notification ended. */
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
 * Events of the realtime hub, each with its one argument. A client hears those that concern its own user. They say
 * that something changed, never what it holds: that is read over REST, with the rights of the moment.
 */
export const hubEvents = {
  /** A background job that the user started changed its state. */
  JobStatusChanged: Type.Object({
    jobId: Type.String({ format: 'uuid' }),
    state: wordOf(hubJobStates),
    timestamp: Time,
  }),
  /** A background job that the user started came further; at most about once a second for each job. */
  JobProgressed: Type.Object({
    jobId: Type.String({ format: 'uuid' }),
    percent: Type.Number({ minimum: 0, maximum: 100 }),
    stage: nullable(Type.String({ description: 'What it is doing, in words.' })),
    timestamp: Time,
  }),
  /** A run ended and stands in the history: to the owner of its subscription and whoever started it by hand. */
  NotificationCreated: Type.Object({ notificationId: Id, kind: wordOf(notificationKinds) }),
  /** A notice was made: to its reader. */
  NoticeCreated: Type.Object({ noticeId: Id, kind: wordOf(noticeKinds) }),
  /** Something happened to a task: to its assignee, its watchers and whoever did it. */
  TaskChanged: Type.Object({ taskId: Id, kind: wordOf(taskEventKinds) }),
  /** An approval request was decided: to its requester and its reviewer. */
  ApprovalUpdated: Type.Object({ approvalId: Id, status: wordOf(approvalDecisions) }),
  /** A plan of an AI actor was made or decided: to the owner of the actor and whoever ordered it. */
  AiPlanChanged: Type.Object({ actorId: Id, planId: Id, status: wordOf(aiPlanStatuses) }),
} as const;

export type HubEventName = keyof typeof hubEvents;
export type HubEvent<Name extends HubEventName> = Static<(typeof hubEvents)[Name]>;
