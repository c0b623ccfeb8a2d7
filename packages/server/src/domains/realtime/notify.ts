import type {
  AiPlanStatus,
  ApprovalDecision,
  HubEvent,
  HubEventName,
  HubJobState,
  NoticeKind,
  NotificationKind,
  TaskEventKind,
} from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Queryable } from '../../platform/db/index.ts';
import type { Events } from '../../platform/events/index.ts';
import { addressOf } from '../../platform/hub/index.ts';
import type { Logger } from '../../platform/log/index.ts';

/** Topic of events to users. Every process subscribes to it, because any process may have the connection of a user. */
export const userTopic = 'user';

/** Event for the connections of users. */
export type UserEvent = {
  /** Addresses of the users who receive the event. */
  readonly to: readonly string[];
  readonly event: HubEventName;
  readonly payload: unknown;
  /** Set if only users who can see this notification may receive the event. */
  readonly notificationId?: number;
};

/** Member of a job's metadata: address of the user who started it. */
const starterMember = 'startedBy';

/**
 * Returns job metadata with the caller's address, so that the caller receives the job's events. Undefined for a
 * program.
 */
export const startedBy = (caller: Caller): Record<string, string> | undefined =>
  caller.userId === null && caller.hostUserId === undefined
    ? undefined
    : { [starterMember]: addressOf(caller) };

/** Job whose events go to its starter. The metadata contains the starter. */
type ToldJob = {
  readonly jobId: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly at: Date;
};

/** Sends events to users. Sends nothing while realtime is off. */
export type Notify = {
  /**
   * Reports the end of a run to the given users: the owner of the subscription and the starter of the run. Call it
   * after the commit. Never fails, because a run does not depend on its events.
   */
  readonly notificationCreated: (notification: {
    readonly notificationId: number;
    readonly kind: NotificationKind;
    readonly userIds: readonly number[];
  }) => void;
  /** Reports new notices to their readers, in this transaction. */
  readonly noticesCreated: (
    executor: Queryable,
    kind: NoticeKind,
    notices: readonly { readonly noticeId: number; readonly userId: number }[],
  ) => Promise<void>;
  /** Reports a change of a task, in this transaction. */
  readonly taskChanged: (
    executor: Queryable,
    change: { readonly taskId: number; readonly kind: TaskEventKind; readonly userIds: readonly number[] },
  ) => Promise<void>;
  /** Reports the decision on a request to its requester and its reviewer, in this transaction. */
  readonly approvalUpdated: (
    executor: Queryable,
    approval: {
      readonly approvalId: number;
      readonly status: ApprovalDecision;
      readonly userIds: readonly (number | null)[];
    },
  ) => Promise<void>;
  /**
   * Reports a new or decided plan of an AI actor, in this transaction. Recipients are the owner of the actor and the
   * user who requested the plan.
   */
  readonly aiPlanChanged: (
    executor: Queryable,
    change: {
      readonly actorId: number;
      readonly planId: number;
      readonly status: AiPlanStatus;
      readonly userIds: readonly (number | null)[];
    },
  ) => Promise<void>;
  /** Reports the new state of a job. Never fails, like `notificationCreated`. */
  readonly jobChanged: (job: ToldJob & { readonly state: HubJobState }) => void;
  /** Reports the progress of a job. `share`: 0 to 1. Never fails. */
  readonly jobProgressed: (job: ToldJob & { readonly share: number; readonly text: string | null }) => void;
  /** Resolves when all events outside a transaction are written. */
  readonly settled: () => Promise<void>;
};

const percentOfShare = (share: number): number => Math.round(share * 1_000) / 10;

/** Creates the sender of events to users. It writes them to the topic that every process subscribes to. */
export function createNotify(deps: {
  events: Pick<Events, 'publish'>;
  /** Executor of events outside a transaction. */
  executor: Queryable;
  log: Logger;
  isEnabled: boolean;
}): Notify {
  const { events, log } = deps;
  // Sequential, so that the states of a job arrive in order.
  let last: Promise<void> = Promise.resolve();

  const publish = async (executor: Queryable, userEvent: UserEvent): Promise<void> => {
    if (deps.isEnabled && userEvent.to.length > 0) await events.publish(executor, userTopic, userEvent);
  };
  const publishLater = (userEvent: UserEvent): void => {
    if (!deps.isEnabled || userEvent.to.length === 0) return;
    last = last
      .then(() => publish(deps.executor, userEvent))
      .catch((error: unknown) => log.warn({ err: error, event: userEvent.event }, 'users could not be told'));
  };
  const publishToStarter = (job: ToldJob, event: HubEventName, payload: unknown): void => {
    const starter = job.metadata?.[starterMember];
    if (typeof starter === 'string') publishLater({ to: [starter], event, payload });
  };
  const addresses = (userIds: readonly (number | null)[]): string[] =>
    [...new Set(userIds)].filter((id) => id !== null).map((userId) => addressOf({ userId }));

  return {
    notificationCreated: ({ notificationId, kind, userIds }) => {
      const payload: HubEvent<'NotificationCreated'> = { notificationId, kind };
      publishLater({ to: addresses(userIds), event: 'NotificationCreated', payload, notificationId });
    },
    noticesCreated: async (executor, kind, notices) => {
      for (const { noticeId, userId } of notices) {
        const payload: HubEvent<'NoticeCreated'> = { noticeId, kind };
        await publish(executor, { to: addresses([userId]), event: 'NoticeCreated', payload });
      }
    },
    taskChanged: async (executor, { taskId, kind, userIds }) => {
      const payload: HubEvent<'TaskChanged'> = { taskId, kind };
      await publish(executor, { to: addresses(userIds), event: 'TaskChanged', payload });
    },
    approvalUpdated: async (executor, { approvalId, status, userIds }) => {
      const payload: HubEvent<'ApprovalUpdated'> = { approvalId, status };
      await publish(executor, { to: addresses(userIds), event: 'ApprovalUpdated', payload });
    },
    aiPlanChanged: async (executor, { actorId, planId, status, userIds }) => {
      const payload: HubEvent<'AiPlanChanged'> = { actorId, planId, status };
      await publish(executor, { to: addresses(userIds), event: 'AiPlanChanged', payload });
    },
    jobChanged: (job) => {
      const { jobId, state, at } = job;
      const payload: HubEvent<'JobStatusChanged'> = { jobId, state, timestamp: at.toISOString() };
      publishToStarter(job, 'JobStatusChanged', payload);
    },
    jobProgressed: (job) => {
      const payload: HubEvent<'JobProgressed'> = {
        jobId: job.jobId,
        percent: percentOfShare(job.share),
        stage: job.text,
        timestamp: job.at.toISOString(),
      };
      publishToStarter(job, 'JobProgressed', payload);
    },
    settled: () => last,
  };
}
