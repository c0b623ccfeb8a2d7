import type { BodyOf, changeTasks, TaskBulkAct, TaskBulkResult } from '@svc/contract';
import { badRequest, HttpProblem } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import type { TaskActions } from './actions/actions.ts';

export type BulkChange = BodyOf<typeof changeTasks>;

/** Member that an action needs in addition to the tasks. Other actions need none. */
const neededBy: Readonly<Partial<Record<TaskBulkAct, 'assigneeUserId' | 'snoozeUntil' | 'priority'>>> = {
  Assign: 'assigneeUserId',
  Snooze: 'snoozeUntil',
  Prioritise: 'priority',
};

/** Applies one change to several tasks, each in its own transaction. A refused one does not affect the others. */
export async function changeMany(
  actions: TaskActions,
  actor: CallerActor,
  change: BulkChange,
): Promise<TaskBulkResult> {
  const needed = neededBy[change.act];
  if (needed && change[needed] === undefined)
    throw badRequest('bulk-value-missing', `The act ${change.act} needs ${needed}.`, [
      { path: `/${needed}`, message: 'is missing' },
    ]);
  const results: TaskBulkResult['results'] = [];
  for (const id of new Set(change.taskIds)) results.push(await changeOne(actions, actor, { ...change, id }));
  return { results };
}

async function changeOne(
  actions: TaskActions,
  actor: CallerActor,
  change: BulkChange & { readonly id: number },
): Promise<TaskBulkResult['results'][number]> {
  const { id } = change;
  try {
    await doOne(actions, actor, change);
    return { id, isDone: true, code: null, detail: null };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return { id, isDone: false, code: error.code ?? null, detail: error.message };
  }
}

function doOne(
  actions: TaskActions,
  actor: CallerActor,
  change: BulkChange & { readonly id: number },
): Promise<void> {
  const key = { id: change.id };
  switch (change.act) {
    case 'Resolve':
      return actions.resolve(actor, key, change.resolutionNotes ?? null);
    case 'Reopen':
      return actions.reopen(actor, key);
    case 'Assign':
      return actions.assign(actor, key, change.assigneeUserId ?? null);
    case 'Snooze':
      return change.snoozeUntil ? actions.snooze(actor, key, change.snoozeUntil) : actions.wake(actor, key);
    case 'Prioritise':
      return actions.prioritise(actor, key, change.priority ?? 'Normal');
  }
}
