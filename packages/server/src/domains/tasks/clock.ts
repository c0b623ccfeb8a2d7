import type { Database, Tx } from '../../platform/db/index.ts';
import { type LockedTask, lockTask, setOverdueTold, setSnooze } from './act-store.ts';
import type { RecordTask } from './record.ts';

/** Orders a look at a task at a time, in the transaction that gives it that time. */
export type OrderLook = (tx: Tx, taskId: number, at: Date) => Promise<void>;

export type TaskClock = ReturnType<typeof createTaskClock>;

/** What happens to tasks when their time comes: they become overdue, and wake. */
export function createTaskClock(deps: { readonly database: Database; readonly record: RecordTask }) {
  /** Tells that a task is overdue, once for each time that it was given. */
  const tellOverdue = async (tx: Tx, task: LockedTask): Promise<void> => {
    const { dueAt, now } = task;
    if (dueAt === null || dueAt > now || task.overdueToldAt !== null) return;
    await setOverdueTold(tx, task.id);
    const facts = { dueAt: dueAt.toISOString() };
    await deps.record(tx, {
      ...{ task, event: 'Overdue', by: null, detail: facts },
      notice: { kind: 'TaskOverdue', facts, isForResponsible: true },
    });
  };

  return {
    /** Ends the snooze of an open task, at its time or because of what was counted, and tells what it kept quiet. */
    wake: async (tx: Tx, task: LockedTask, facts: { count?: number; of?: 'Rules' } = {}): Promise<void> => {
      await setSnooze(tx, task.id, null);
      await deps.record(tx, {
        ...{ task, event: 'Woke', by: null, detail: facts },
        notice: { kind: 'TaskWoke', facts },
      });
      await tellOverdue(tx, task);
    },

    /** Does what is due at a task now; nothing where its times were changed meanwhile. */
    look(taskId: number): Promise<void> {
      return deps.database.transaction(async (tx) => {
        const task = await lockTask(tx, taskId);
        if (task?.state !== 'Open') return;
        if (task.snoozedUntil === null) return tellOverdue(tx, task);
        if (task.snoozedUntil <= task.now) await this.wake(tx, task);
      });
    },
  };
}
