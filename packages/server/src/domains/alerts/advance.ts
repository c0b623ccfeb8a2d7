import type { AlertNews, AlertRule } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import { notificationOf, quietAlert, step } from './machine.ts';
import { type AlertSubject, lockAlert, readAlert, type StoredAlert, saveAlert } from './store.ts';

/** Alert after a run or an evaluation. */
export type NextAlert = StoredAlert & {
  /** Pending notification; null: the recipients need none. */
  readonly notification: AlertNews | null;
};

/** State of an alert after a run, and its pending notification. */
export type AlertOutcome = Pick<NextAlert, 'state' | 'since' | 'streak' | 'notification'>;

type Cause = {
  /** Id of the run or the evaluation. */
  readonly by: number;
  /** True if the run returned rows, or if the contract is violated. */
  readonly isBad: boolean;
};

/**
 * Computes the alert after a run or an evaluation. Idempotent per run and evaluation, so that a retry does not advance
 * the alert again.
 */
export function nextAlert(rule: AlertRule, before: StoredAlert, { by, isBad }: Cause, now: Date): NextAlert {
  const after = before.movedBy === by ? before : { ...step(before, isBad, rule, now), movedBy: by };
  return { ...after, notification: notificationOf(after, rule, now) };
}

/**
 * Advances the alert of a contract by an evaluation, and stores it.
 *
 * @param tx  Transaction that stores the outcome: the alert and the outcome commit together.
 */
export async function advanceAlert(
  tx: Executor,
  { subject, rule, ...cause }: Cause & { readonly subject: AlertSubject; readonly rule: AlertRule },
  now: Date,
): Promise<NextAlert> {
  const alert = nextAlert(rule, await lockAlert(tx, subject, now), cause, now);
  await saveAlert(tx, subject, alert);
  return alert;
}

/** Computes the alert after a hypothetical run. Stores nothing. */
export async function foreseeAlert(
  executor: Executor,
  run: { readonly subject: AlertSubject; readonly rule: AlertRule; readonly isBad: boolean },
  now: Date,
): Promise<AlertOutcome> {
  const before = (await readAlert(executor, run.subject)) ?? quietAlert(now);
  const after = step(before, run.isBad, run.rule, now);
  return { ...after, notification: notificationOf(after, run.rule, now) };
}
