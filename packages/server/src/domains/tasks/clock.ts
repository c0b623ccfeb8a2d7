import type { Database, Tx } from '../../platform/db/index.ts';
import { type LockedTask, lockTask, setOverdueNotified, setSnooze } from './action-store.ts';
import type { RecordTask } from './record.ts';

/** Schedules a check of a task at a time, in the transaction that sets the time. */
export type OrderLook = (tx: Tx, taskId: number, at: Date) => Promise<void>;

export type TaskClock = ReturnType<typeof createTaskClock>;

/** Creates the timed changes of tasks: they become overdue, and they wake. */
export function createTaskClock(deps: { readonly database: Database; readonly record: RecordTask }) {
  /** Notifies that a task is overdue, once per due time. */
  const tellOverdue = async (tx: Tx, task: LockedTask): Promise<void> => {
    const { dueAt, now } = task;
    if (dueAt === null || dueAt > now || task.overdueToldAt !== null) return;
    await setOverdueNotified(tx, task.id);
    const facts = { dueAt: dueAt.toISOString() };
    await deps.record(tx, {
      task,
      event: 'Overdue',
      by: null,
      detail: facts,
      notice: { kind: 'TaskOverdue', facts, isForResponsible: true },
    });
  };

  return {
    /** Ends the snooze of an open task, at its time or because of its count. Sends a suppressed overdue notice. */
    wake: async (tx: Tx, task: LockedTask, facts: { count?: number; of?: 'Rules' } = {}): Promise<void> => {
      await setSnooze(tx, task.id, null);
      await deps.record(tx, {
        task,
        event: 'Woke',
        by: null,
        detail: facts,
        notice: { kind: 'TaskWoke', facts },
      });
      await tellOverdue(tx, task);
    },

    /** Applies the timed changes of a task that are due now. Does nothing if its times have changed. */
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
