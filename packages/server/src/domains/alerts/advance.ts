import type { AlertNews, AlertRule, AlertState } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import { type AlertMemory, newsOf, quiet, step } from './machine.ts';
import { type AlertSubject, lockAlert, readAlert, saveAlert } from './store.ts';

/** How an alert stands after a run, and what is to be told of it. */
export type AlertFinding = {
  readonly state: AlertState;
  readonly since: Date;
  readonly streak: number;
  /** Null: the recipients know it. */
  readonly news: AlertNews | null;
};

type Moved = {
  readonly subject: AlertSubject;
  /** The run or the evaluation that moves it. */
  readonly by: number;
  readonly rule: AlertRule;
  /** It found rows, or that the contract does not hold. */
  readonly isBad: boolean;
};

/**
 * Moves the alert of a subscription by what a run found, or of a contract by an evaluation: once for each, however
 * often it is taken up again.
 *
 * @param tx  The transaction in which the outcome is kept: neither stands without the other.
 */
export async function advanceAlert(tx: Executor, moved: Moved, now: Date): Promise<AlertFinding> {
  const { subject, by, rule } = moved;
  const before = await lockAlert(tx, subject, now);
  const after = before.movedBy === by ? before : { ...stepOf(before, moved, now), movedBy: by };
  await saveAlert(tx, subject, after);
  return findingOf(after, rule, now);
}

/** The same for a run that is not made: nothing is kept. */
export async function foreseeAlert(
  executor: Executor,
  moved: Omit<Moved, 'by'>,
  now: Date,
): Promise<AlertFinding> {
  const before = (await readAlert(executor, moved.subject)) ?? quiet(now);
  return findingOf(stepOf(before, moved, now), moved.rule, now);
}

const stepOf = (before: AlertMemory, { isBad, rule }: Omit<Moved, 'by'>, now: Date) =>
  step(before, isBad, rule, now);

const findingOf = (alert: AlertMemory, rule: AlertRule, now: Date): AlertFinding => ({
  ...{ state: alert.state, since: alert.since, streak: alert.streak },
  news: newsOf(alert, rule, now),
});
