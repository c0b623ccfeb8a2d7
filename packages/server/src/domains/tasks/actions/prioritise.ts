import type { TaskPriority } from '@svc/contract';
import type { CallerActor } from '../../audit/index.ts';
import { setPriority } from '../action-store.ts';
import type { TaskActionsDeps, TaskKey } from './dependencies.ts';
import { auditAction, reachOpenTask } from './reach.ts';

/** Creates the function that changes the priority of a task. */
export const createPrioritise =
  ({ database, rights, audit, record }: TaskActionsDeps) =>
  (actor: CallerActor, key: TaskKey, priority: TaskPriority): Promise<void> =>
    database.transaction(async (tx) => {
      const task = await reachOpenTask(rights, tx, actor, key);
      if (task.priority === priority) return;
      await setPriority(tx, task.id, priority);
      const detail = { from: task.priority, to: priority };
      await record(tx, { task, event: 'PriorityChanged', by: actor.caller, detail });
      await auditAction(audit, tx, actor, task, 'tasks.priority_changed', detail);
    });
