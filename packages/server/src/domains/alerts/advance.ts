import type { AlertNews, AlertRule, AlertState } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import { type AlertMemory, newsOf, quiet, step } from './machine.ts';
import { type AlertSubject, lockAlert, readAlert, saveAlert } from './store.ts';

/** State of an alert after a run, and its pending notification. */
export type AlertFinding = {
  readonly state: AlertState;
  readonly since: Date;
  readonly streak: number;
  /** Null: the recipients need no notification. */
  readonly news: AlertNews | null;
};

type Moved = {
  readonly subject: AlertSubject;
  /** Id of the run or the evaluation. */
  readonly by: number;
  readonly rule: AlertRule;
  /** True if the run returned rows, or if the contract is violated. */
  readonly isBad: boolean;
};

/**
 * Advances the alert of a subscription by a run, or of a contract by an evaluation. Idempotent per run and evaluation, so
 * a retry changes nothing.
 *
 * @param tx  Transaction that stores the outcome: the alert and the outcome commit together.
 */
export async function advanceAlert(tx: Executor, moved: Moved, now: Date): Promise<AlertFinding> {
  const { subject, by, rule } = moved;
  const before = await lockAlert(tx, subject, now);
  const after = before.movedBy === by ? before : { ...stepOf(before, moved, now), movedBy: by };
  await saveAlert(tx, subject, after);
  return findingOf(after, rule, now);
}

/** Computes the alert after a hypothetical run. Stores nothing. */
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
  state: alert.state,
  since: alert.since,
  streak: alert.streak,
  news: newsOf(alert, rule, now),
});
