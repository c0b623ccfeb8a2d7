import { isUniqueViolation } from '../../../platform/db/index.ts';
import { conflict } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { reopen } from '../action-store.ts';
import type { TaskActionsDeps, TaskKey } from './dependencies.ts';
import { auditAction, reachTask } from './reach.ts';

/** Creates the function that reopens a task, unless another task about the same subject is open. */
export const createReopen =
  ({ database, rights, audit, record, orderLook }: TaskActionsDeps) =>
  async (actor: CallerActor, key: TaskKey): Promise<void> => {
    const refusal = conflict('task-open', 'This task is open, or another task about the same thing is.');
    try {
      await database.transaction(async (tx) => {
        const task = await reachTask(rights, tx, actor, key);
        if (task.state === 'Open') throw refusal;
        const dueAt = await reopen(tx, task.id);
        if (dueAt) await orderLook(tx, task.id, dueAt);
        await record(tx, {
          task,
          event: 'Reopened',
          by: actor.caller,
          notice: { kind: 'TaskReopened', facts: {} },
        });
        await auditAction(audit, tx, actor, task, 'tasks.task_reopened');
      });
    } catch (error) {
      throw isUniqueViolation(error, 'tasks_open_subscription') ? refusal : error;
    }
  };
