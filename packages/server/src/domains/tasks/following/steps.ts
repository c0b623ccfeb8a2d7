import type { Tx } from '../../../platform/db/index.ts';
import { insertTask, type LockedTask, lockOpenTask, resolve, setLatestCount } from '../action-store.ts';
import type { OrderLook, TaskClock } from '../clock.ts';
import type { RecordTask } from '../record.ts';
import type { TaskDecision } from './decide.ts';
import { countedIn, type Found } from './subject.ts';

export type StepsDeps = {
  readonly record: RecordTask;
  readonly clock: Pick<TaskClock, 'wake'>;
  readonly orderLook: OrderLook;
};

const causeOf = ({ runId }: Found) => (runId === null ? {} : { runId });

/** Creates the steps that apply a decision about a task, in the transaction that ends the run or the evaluation. */
export function createTaskSteps({ record, clock, orderLook }: StepsDeps) {
  const open = async (tx: Tx, result: Found): Promise<boolean> => {
    const created = await insertTask(tx, result.subject, result.count);
    if (!created) return false;
    if (created.dueAt) await orderLook(tx, created.id, created.dueAt);
    const facts = countedIn(result);
    await record(tx, {
      task: created,
      event: 'Opened',
      by: null,
      detail: facts,
      ...causeOf(result),
      notice: { kind: 'TaskOpened', facts, isForResponsible: true },
    });
    return true;
  };

  const update = async (tx: Tx, task: LockedTask, result: Found): Promise<void> => {
    const { count } = result;
    const before = task.latestCount;
    await setLatestCount(tx, task.id, count);
    const isSnoozed = task.snoozedCount !== null;
    const facts = { before, ...countedIn(result) };
    if (task.snoozedCount !== null && count > task.snoozedCount)
      await clock.wake(tx, task, countedIn(result));
    else if (count !== before)
      await record(tx, {
        task,
        event: 'CountChanged',
        by: null,
        detail: facts,
        ...causeOf(result),
        ...(!isSnoozed && { notice: { kind: 'TaskCountChanged', facts } }),
      });
  };

  const resolveByItself = async (tx: Tx, task: LockedTask, result: Found): Promise<void> => {
    await setLatestCount(tx, task.id, result.count);
    await resolve(tx, task.id, 'Automatic', { userId: null, notes: null });
    const facts = { isAutomatic: true, ...(result.subject.kind === 'Contract' && { of: 'Rules' }) };
    await record(tx, {
      task,
      event: 'Resolved',
      by: null,
      detail: facts,
      ...causeOf(result),
      notice: { kind: 'TaskResolved', facts },
    });
  };

  return async (
    tx: Tx,
    decision: TaskDecision,
    task: LockedTask | undefined,
    result: Found,
  ): Promise<void> => {
    switch (decision) {
      case 'Open': {
        if (await open(tx, result)) return;
        // Another transaction opened a task at the same moment.
        const opened = await lockOpenTask(tx, result.subject);
        if (opened) await update(tx, opened, result);
        return;
      }
      case 'Update':
        if (task) await update(tx, task, result);
        return;
      case 'Resolve':
        if (task) await resolveByItself(tx, task, result);
        return;
      case 'Nothing':
    }
  };
}
