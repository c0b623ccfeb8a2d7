import type { Tx } from '../../platform/db/index.ts';
import {
  findTaskRules,
  hasLaterRun,
  insertTask,
  type LockedTask,
  lockOpenTask,
  resolve,
  setLatestCount,
} from './act-store.ts';
import type { OrderLook, TaskClock } from './clock.ts';
import { decideTask } from './decide.ts';
import type { RecordTask } from './record.ts';

/** Brings the task of a subscription up to date with what a run found, in the transaction that ends the run. */
export type FollowRows = (
  tx: Tx,
  found: {
    readonly runId: number;
    readonly subscriptionId: number;
    readonly dueAt: Date;
    readonly resultCount: number;
  },
) => Promise<void>;

type Cause = { readonly runId: number; readonly subscriptionId: number };

export function createFollowRows(deps: {
  readonly record: RecordTask;
  readonly clock: Pick<TaskClock, 'wake'>;
  readonly orderLook: OrderLook;
}): FollowRows {
  const { record } = deps;

  const open = async (tx: Tx, { runId, subscriptionId }: Cause, count: number): Promise<boolean> => {
    const made = await insertTask(tx, subscriptionId, count);
    if (!made) return false;
    if (made.dueAt) await deps.orderLook(tx, made.id, made.dueAt);
    await record(tx, {
      ...{ task: made, event: 'Opened', by: null, runId, detail: { count } },
      notice: { kind: 'TaskOpened', facts: { count }, isForResponsible: true },
    });
    return true;
  };

  const update = async (tx: Tx, runId: number, task: LockedTask, count: number): Promise<void> => {
    const before = task.latestCount;
    await setLatestCount(tx, task.id, count);
    const isSnoozed = task.snoozedCount !== null;
    if (task.snoozedCount !== null && count > task.snoozedCount) await deps.clock.wake(tx, task, count);
    else if (count !== before)
      await record(tx, {
        ...{ task, event: 'CountChanged', by: null, runId, detail: { before, count } },
        ...(!isSnoozed && { notice: { kind: 'TaskCountChanged', facts: { before, count } } }),
      });
  };

  const resolveByItself = async (tx: Tx, runId: number, task: LockedTask, count: number): Promise<void> => {
    await setLatestCount(tx, task.id, count);
    await resolve(tx, task.id, 'Automatic', { userId: null, notes: null });
    await record(tx, {
      ...{ task, event: 'Resolved', by: null, runId, detail: { isAutomatic: true } },
      notice: { kind: 'TaskResolved', facts: { isAutomatic: true } },
    });
  };

  return async (tx, { runId, subscriptionId, dueAt, resultCount }) => {
    const rules = await findTaskRules(tx, subscriptionId);
    if (!rules) return;
    const task = await lockOpenTask(tx, subscriptionId);
    // Asked behind the lock: a later run that ended while this one waited has said what holds.
    if (await hasLaterRun(tx, subscriptionId, dueAt)) return;
    switch (decideTask({ ...rules, resultCount, isOpen: task !== undefined })) {
      case 'Open': {
        if (await open(tx, { runId, subscriptionId }, resultCount)) return;
        // Another run opened it at the same moment.
        const opened = await lockOpenTask(tx, subscriptionId);
        if (opened) await update(tx, runId, opened, resultCount);
        return;
      }
      case 'Update':
        if (task) await update(tx, runId, task, resultCount);
        return;
      case 'Resolve':
        if (task) await resolveByItself(tx, runId, task, resultCount);
        return;
      case 'Nothing':
    }
  };
}
