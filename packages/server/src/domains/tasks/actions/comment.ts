import type { CallerActor } from '../../audit/index.ts';
import type { TaskActionsDeps, TaskKey } from './dependencies.ts';
import { auditAction, reachTask } from './reach.ts';

/** Creates the function that adds a comment, also to a resolved task. */
export const createComment =
  ({ database, rights, audit, record }: TaskActionsDeps) =>
  (actor: CallerActor, key: TaskKey, content: string): Promise<{ id: number }> =>
    database.transaction(async (tx) => {
      const task = await reachTask(rights, tx, actor, key);
      const id = await record(tx, {
        task,
        event: 'Commented',
        by: actor.caller,
        content: content.trim(),
        notice: { kind: 'TaskCommented', facts: {} },
      });
      await auditAction(audit, tx, actor, task, 'tasks.comment_added', { commentId: id });
      return { id };
    });
