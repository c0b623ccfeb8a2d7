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

/** Topic of what is sent to users, whichever process holds their connections. */
export const userTopic = 'user';

/** An event on its way to the connections of users. */
export type UserEvent = {
  /** Addresses of the users whom it concerns. */
  readonly to: readonly string[];
  readonly event: HubEventName;
  readonly payload: unknown;
  /** Set where only those may hear of it who can see this notification. */
  readonly notificationId?: number;
};

/** Member of a job's metadata that says for whom it works. */
const starterMember = 'startedBy';

/** Metadata for a job that a caller starts, by which its changes reach the caller; none for a program. */
export const startedBy = (caller: Caller): Record<string, string> | undefined =>
  caller.userId === null && caller.hostUserId === undefined
    ? undefined
    : { [starterMember]: addressOf(caller) };

/** A job of which something is told: its starter is in its metadata. */
type ToldJob = {
  readonly jobId: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly at: Date;
};

/** What the rest of the service tells users about, as it happens. Nothing is sent while realtime is off. */
export type Notify = {
  /**
   * A run has ended, to the owner of the subscription and whoever started it; called once that is committed. Never
   * fails: a run does not depend on who is told of it.
   */
  readonly notificationCreated: (notification: {
    readonly notificationId: number;
    readonly kind: NotificationKind;
    readonly userIds: readonly number[];
  }) => void;
  /** Notices were made, in this transaction; each to its reader. */
  readonly noticesCreated: (
    executor: Queryable,
    kind: NoticeKind,
    notices: readonly { readonly noticeId: number; readonly userId: number }[],
  ) => Promise<void>;
  /** Something happened to a task, in this transaction. */
  readonly taskChanged: (
    executor: Queryable,
    change: { readonly taskId: number; readonly kind: TaskEventKind; readonly userIds: readonly number[] },
  ) => Promise<void>;
  /** A request was approved or rejected, in this transaction; to its requester and its reviewer. */
  readonly approvalUpdated: (
    executor: Queryable,
    approval: {
      readonly approvalId: number;
      readonly status: ApprovalDecision;
      readonly userIds: readonly (number | null)[];
    },
  ) => Promise<void>;
  /** A plan of an AI actor was made or decided, in this transaction; to its owner and whoever ordered it. */
  readonly aiPlanChanged: (
    executor: Queryable,
    change: {
      readonly actorId: number;
      readonly planId: number;
      readonly status: AiPlanStatus;
      readonly userIds: readonly (number | null)[];
    },
  ) => Promise<void>;
  /** A job changed its state. Never fails, like `notificationCreated`. */
  readonly jobChanged: (job: ToldJob & { readonly state: HubJobState }) => void;
  /** A job came further. `share`: 0 to 1. Never fails. */
  readonly jobProgressed: (job: ToldJob & { readonly share: number; readonly text: string | null }) => void;
  /** Resolves when everything that was told outside a transaction is written. */
  readonly settled: () => Promise<void>;
};

const percentOfShare = (share: number): number => Math.round(share * 1_000) / 10;

/** Writes what users are told into the events that every process hears. */
export function createNotify(deps: {
  events: Pick<Events, 'publish'>;
  /** For what is told outside any transaction. */
  executor: Queryable;
  log: Logger;
  isEnabled: boolean;
}): Notify {
  const { events, log } = deps;
  // One after the other, so that a job's states arrive in their order.
  let last: Promise<void> = Promise.resolve();

  const publish = async (executor: Queryable, told: UserEvent): Promise<void> => {
    if (deps.isEnabled && told.to.length > 0) await events.publish(executor, userTopic, told);
  };
  const publishLater = (told: UserEvent): void => {
    if (!deps.isEnabled || told.to.length === 0) return;
    last = last
      .then(() => publish(deps.executor, told))
      .catch((error: unknown) => log.warn({ err: error, event: told.event }, 'users could not be told'));
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
