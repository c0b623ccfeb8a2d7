import type { CallerActor } from '../../audit/index.ts';
import { resolve } from '../action-store.ts';
import type { TaskActionsDeps, TaskKey } from './dependencies.ts';
import { auditAction, reachOpenTask } from './reach.ts';

/** Creates the function that resolves a task by hand. */
export const createResolve =
  ({ database, rights, audit, record }: TaskActionsDeps) =>
  (actor: CallerActor, key: TaskKey, notes: string | null): Promise<void> =>
    database.transaction(async (tx) => {
      const task = await reachOpenTask(rights, tx, actor, key);
      const content = notes?.trim() ? notes.trim() : null;
      await resolve(tx, task.id, 'Manual', { userId: actor.caller.userId, notes: content });
      await record(tx, {
        task,
        event: 'Resolved',
        by: actor.caller,
        content,
        notice: { kind: 'TaskResolved', facts: {} },
      });
      await auditAction(audit, tx, actor, task, 'tasks.task_resolved');
    });
