import type { Tx } from '../../../platform/db/index.ts';
import { conflict, notFound } from '../../../platform/http/index.ts';
import type { Audit, CallerActor } from '../../audit/index.ts';
import { assertVersion, type ProjectRights } from '../../projects/index.ts';
import { type LockedTask, lockTask } from '../action-store.ts';
import type { TaskKey } from './dependencies.ts';

/** Locks and returns the task when the caller may change it, otherwise throws the refusal. */
export async function reachTask(
  rights: ProjectRights,
  tx: Tx,
  { caller }: CallerActor,
  { id, version }: TaskKey,
): Promise<LockedTask> {
  const task = await lockTask(tx, id);
  if (!task) throw notFound();
  await rights.require(tx, caller, task.projectId, 'Write');
  assertVersion(task.version, version);
  return task;
}

/** Locks and returns a task that the caller may change and that is not resolved. */
export async function reachOpenTask(
  rights: ProjectRights,
  tx: Tx,
  actor: CallerActor,
  key: TaskKey,
): Promise<LockedTask> {
  const task = await reachTask(rights, tx, actor, key);
  if (task.state === 'Resolved')
    throw conflict('task-resolved', 'This task was resolved already. Reopen it first.');
  return task;
}

/** Records an action in the audit. */
export const auditAction = (
  audit: Audit,
  tx: Tx,
  actor: CallerActor,
  task: LockedTask,
  event: `tasks.${string}`,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  audit.record(tx, {
    by: actor,
    event,
    subject: { kind: 'task', id: task.id },
    projectId: task.projectId,
    detail,
  });
