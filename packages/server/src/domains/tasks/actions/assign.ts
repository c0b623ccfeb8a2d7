import type { Tx } from '../../../platform/db/index.ts';
import { badRequest } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { findUsers } from '../../users/index.ts';
import { setAssignee } from '../action-store.ts';
import type { TaskActionsDeps, TaskKey } from './dependencies.ts';
import { auditAction, reachOpenTask } from './reach.ts';

/** Creates the function that assigns a task to a user; null removes the assignee. */
export const createAssign = (deps: TaskActionsDeps) => {
  /** Returns the new assignee. Refuses a user who cannot read the project. */
  const findAssignee = async (tx: Tx, projectId: number, userId: number) => {
    const [readerId] = await deps.notices.readersAmong(tx, projectId, [userId]);
    const [user] = await findUsers(tx, readerId === undefined ? [] : [readerId]);
    if (user) return user;
    throw badRequest('unknown-assignee', 'The assignee must be an enabled user who can read the project.', [
      { path: '/assigneeUserId', message: 'is no user who can read the project' },
    ]);
  };

  return (actor: CallerActor, key: TaskKey, userId: number | null): Promise<void> =>
    deps.database.transaction(async (tx) => {
      const task = await reachOpenTask(deps.rights, tx, actor, key);
      const assignee = userId === null ? null : await findAssignee(tx, task.projectId, userId);
      if (task.assigneeUserId === userId) return;
      await setAssignee(tx, task.id, userId);
      const assigneeName = assignee && (assignee.displayName ?? assignee.userName);
      await deps.record(tx, {
        task,
        event: assignee ? 'Assigned' : 'Unassigned',
        by: actor.caller,
        detail: { assigneeName },
        notice: { kind: 'TaskAssigned', facts: { assigneeName }, also: [task.assigneeUserId] },
      });
      const detail = { from: task.assigneeUserId, to: userId };
      await auditAction(deps.audit, tx, actor, task, 'tasks.task_assigned', detail);
    });
};
