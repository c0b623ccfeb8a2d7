import { snoozeEnd } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { setSnooze } from '../action-store.ts';
import type { TaskActionsDeps, TaskKey } from './dependencies.ts';
import { auditAction, reachOpenTask } from './reach.ts';

/** Creates the function that snoozes a task until a time, with millisecond precision. */
export const createSnooze =
  ({ database, rights, audit, record, orderLook }: TaskActionsDeps) =>
  (actor: CallerActor, key: TaskKey, until: string): Promise<void> =>
    database.transaction(async (tx) => {
      const task = await reachOpenTask(rights, tx, actor, key);
      const at = snoozeEnd(until, task.now, '/snoozeUntil');
      await setSnooze(tx, task.id, at);
      await orderLook(tx, task.id, at);
      const detail = { until: at.toISOString() };
      await record(tx, { task, event: 'Snoozed', by: actor.caller, detail });
      await auditAction(audit, tx, actor, task, 'tasks.task_snoozed', detail);
    });

/** Creates the function that ends a snooze. The clock then sends a suppressed overdue notice. */
export const createWake =
  ({ database, rights, audit, record, orderLook }: TaskActionsDeps) =>
  (actor: CallerActor, key: TaskKey): Promise<void> =>
    database.transaction(async (tx) => {
      const task = await reachOpenTask(rights, tx, actor, key);
      if (task.snoozedUntil === null) return;
      await setSnooze(tx, task.id, null);
      await record(tx, { task, event: 'Woke', by: actor.caller });
      await orderLook(tx, task.id, task.now);
      await auditAction(audit, tx, actor, task, 'tasks.task_woken');
    });
