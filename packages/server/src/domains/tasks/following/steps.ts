import type { Tx } from '../../../platform/db/index.ts';
import { insertTask, type LockedTask, lockOpenTask, resolve, setLatestCount } from '../act-store.ts';
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
  const open = async (tx: Tx, found: Found): Promise<boolean> => {
    const made = await insertTask(tx, found.subject, found.count);
    if (!made) return false;
    if (made.dueAt) await orderLook(tx, made.id, made.dueAt);
    const facts = countedIn(found);
    await record(tx, {
      ...{ task: made, event: 'Opened', by: null, detail: facts, ...causeOf(found) },
      notice: { kind: 'TaskOpened', facts, isForResponsible: true },
    });
    return true;
  };

  const update = async (tx: Tx, task: LockedTask, found: Found): Promise<void> => {
    const { count } = found;
    const before = task.latestCount;
    await setLatestCount(tx, task.id, count);
    const isSnoozed = task.snoozedCount !== null;
    const facts = { before, ...countedIn(found) };
    if (task.snoozedCount !== null && count > task.snoozedCount) await clock.wake(tx, task, countedIn(found));
    else if (count !== before)
      await record(tx, {
        ...{ task, event: 'CountChanged', by: null, detail: facts, ...causeOf(found) },
        ...(!isSnoozed && { notice: { kind: 'TaskCountChanged', facts } }),
      });
  };

  const resolveByItself = async (tx: Tx, task: LockedTask, found: Found): Promise<void> => {
    await setLatestCount(tx, task.id, found.count);
    await resolve(tx, task.id, 'Automatic', { userId: null, notes: null });
    const facts = { isAutomatic: true, ...(found.subject.kind === 'Contract' && { of: 'Rules' }) };
    await record(tx, {
      ...{ task, event: 'Resolved', by: null, detail: facts, ...causeOf(found) },
      notice: { kind: 'TaskResolved', facts },
    });
  };

  return async (
    tx: Tx,
    decision: TaskDecision,
    task: LockedTask | undefined,
    found: Found,
  ): Promise<void> => {
    switch (decision) {
      case 'Open': {
        if (await open(tx, found)) return;
        // Another transaction opened a task at the same moment.
        const opened = await lockOpenTask(tx, found.subject);
        if (opened) await update(tx, opened, found);
        return;
      }
      case 'Update':
        if (task) await update(tx, task, found);
        return;
      case 'Resolve':
        if (task) await resolveByItself(tx, task, found);
        return;
      case 'Nothing':
    }
  };
}
