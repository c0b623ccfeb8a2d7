import type { TaskPriority } from '@svc/contract';
import type { Database, Tx } from '../../platform/db/index.ts';
import { isUniqueViolation } from '../../platform/db/index.ts';
import { badRequest, conflict, forbidden, notFound, snoozeEnd } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import type { NoticesService } from '../notices/index.ts';
import { assertVersion, type ProjectRights } from '../projects/index.ts';
import { findUsers } from '../users/index.ts';
import {
  type LockedTask,
  lockTask,
  reopen,
  resolve,
  setAssignee,
  setPriority,
  setSnooze,
} from './act-store.ts';
import type { OrderLook } from './clock.ts';
import { setWatching } from './event-store.ts';
import type { RecordTask } from './record.ts';

export type TaskActsDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly notices: Pick<NoticesService, 'readersAmong'>;
  readonly record: RecordTask;
  readonly orderLook: OrderLook;
};

/** Task to change. `version`: the version that the caller read, if sent. */
export type TaskKey = { readonly id: number; readonly version?: number | undefined };

export type TaskActs = ReturnType<typeof createTaskActs>;

/** Creates the actions of users on tasks. All except `watch` need Write in the project and are audited. */
export function createTaskActs(deps: TaskActsDeps) {
  const { database, record } = deps;

  /** Locks and returns the task when the caller may change it, otherwise throws the refusal. */
  const reach = async (tx: Tx, { caller }: CallerActor, { id, version }: TaskKey): Promise<LockedTask> => {
    const task = await lockTask(tx, id);
    if (!task) throw notFound();
    await deps.rights.require(tx, caller, task.projectId, 'Write');
    assertVersion(task.version, version);
    return task;
  };

  const audited = (tx: Tx, actor: CallerActor, task: LockedTask, event: `tasks.${string}`, detail = {}) =>
    deps.audit.record(tx, {
      by: actor,
      event,
      subject: { kind: 'task', id: task.id },
      projectId: task.projectId,
      detail,
    });

  const refuseResolved = ({ state }: LockedTask): void => {
    if (state === 'Resolved')
      throw conflict('task-resolved', 'This task was resolved already. Reopen it first.');
  };

  /** Returns the new assignee. Refuses a user who cannot read the project. */
  const findAssignee = async (tx: Tx, projectId: number, userId: number) => {
    const [reader] = await deps.notices.readersAmong(tx, projectId, [userId]);
    const [user] = await findUsers(tx, reader === undefined ? [] : [reader]);
    if (user) return user;
    throw badRequest('unknown-assignee', 'The assignee must be an enabled user who can read the project.', [
      { path: '/assigneeUserId', message: 'is no user who can read the project' },
    ]);
  };

  return {
    resolve: (actor: CallerActor, key: TaskKey, notes: string | null): Promise<void> =>
      database.transaction(async (tx) => {
        const task = await reach(tx, actor, key);
        refuseResolved(task);
        const content = notes?.trim() ? notes.trim() : null;
        await resolve(tx, task.id, 'Manual', { userId: actor.caller.userId, notes: content });
        await record(tx, {
          task,
          event: 'Resolved',
          by: actor.caller,
          content,
          notice: { kind: 'TaskResolved', facts: {} },
        });
        await audited(tx, actor, task, 'tasks.task_resolved');
      }),

    /** Reopens a task, unless another task about the same subject is open. */
    reopen: async (actor: CallerActor, key: TaskKey): Promise<void> => {
      const refusal = conflict('task-open', 'This task is open, or another task about the same thing is.');
      try {
        await database.transaction(async (tx) => {
          const task = await reach(tx, actor, key);
          if (task.state === 'Open') throw refusal;
          const dueAt = await reopen(tx, task.id);
          if (dueAt) await deps.orderLook(tx, task.id, dueAt);
          await record(tx, {
            task,
            event: 'Reopened',
            by: actor.caller,
            notice: { kind: 'TaskReopened', facts: {} },
          });
          await audited(tx, actor, task, 'tasks.task_reopened');
        });
      } catch (error) {
        throw isUniqueViolation(error, 'tasks_open_subscription') ? refusal : error;
      }
    },

    assign: (actor: CallerActor, key: TaskKey, userId: number | null): Promise<void> =>
      database.transaction(async (tx) => {
        const task = await reach(tx, actor, key);
        refuseResolved(task);
        const assignee = userId === null ? null : await findAssignee(tx, task.projectId, userId);
        if (task.assigneeUserId === userId) return;
        await setAssignee(tx, task.id, userId);
        const assigneeName = assignee && (assignee.displayName ?? assignee.userName);
        await record(tx, {
          task,
          event: assignee ? 'Assigned' : 'Unassigned',
          by: actor.caller,
          detail: { assigneeName },
          notice: { kind: 'TaskAssigned', facts: { assigneeName }, also: [task.assigneeUserId] },
        });
        const detail = { from: task.assigneeUserId, to: userId };
        await audited(tx, actor, task, 'tasks.task_assigned', detail);
      }),

    /** Snoozes a task until a time, with millisecond precision. */
    snooze: (actor: CallerActor, key: TaskKey, until: string): Promise<void> =>
      database.transaction(async (tx) => {
        const task = await reach(tx, actor, key);
        refuseResolved(task);
        const at = snoozeEnd(until, task.now, '/snoozeUntil');
        await setSnooze(tx, task.id, at);
        await deps.orderLook(tx, task.id, at);
        const detail = { until: at.toISOString() };
        await record(tx, { task, event: 'Snoozed', by: actor.caller, detail });
        await audited(tx, actor, task, 'tasks.task_snoozed', detail);
      }),

    /** Ends a snooze. The clock then sends a suppressed overdue notice. */
    wake: (actor: CallerActor, key: TaskKey): Promise<void> =>
      database.transaction(async (tx) => {
        const task = await reach(tx, actor, key);
        refuseResolved(task);
        if (task.snoozedUntil === null) return;
        await setSnooze(tx, task.id, null);
        await record(tx, { task, event: 'Woke', by: actor.caller });
        await deps.orderLook(tx, task.id, task.now);
        await audited(tx, actor, task, 'tasks.task_woken');
      }),

    prioritise: (actor: CallerActor, key: TaskKey, priority: TaskPriority): Promise<void> =>
      database.transaction(async (tx) => {
        const task = await reach(tx, actor, key);
        refuseResolved(task);
        if (task.priority === priority) return;
        await setPriority(tx, task.id, priority);
        const detail = { from: task.priority, to: priority };
        await record(tx, { task, event: 'PriorityChanged', by: actor.caller, detail });
        await audited(tx, actor, task, 'tasks.priority_changed', detail);
      }),

    comment: (actor: CallerActor, key: TaskKey, content: string): Promise<{ id: number }> =>
      database.transaction(async (tx) => {
        const task = await reach(tx, actor, key);
        const id = await record(tx, {
          task,
          event: 'Commented',
          by: actor.caller,
          content: content.trim(),
          notice: { kind: 'TaskCommented', facts: {} },
        });
        await audited(tx, actor, task, 'tasks.comment_added', { commentId: id });
        return { id };
      }),

    /** Starts or stops notifying the caller about the task. Needs the right to read it. */
    watch: (actor: CallerActor, id: number, isWatching: boolean): Promise<void> =>
      database.transaction(async (tx) => {
        const { caller } = actor;
        const task = await lockTask(tx, id);
        if (!task) throw notFound();
        await deps.rights.require(tx, caller, task.projectId, 'Read');
        if (caller.userId === null)
          throw forbidden('no-user-record', 'Only users whom the service stores can watch a task.');
        await setWatching(tx, id, caller.userId, isWatching);
      }),
  };
}
