import type { AlertNews, AlertRule, AlertState } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import { newsOf, quiet, step } from './machine.ts';
import { lockAlert, readAlert, type StoredAlert, saveAlert } from './store.ts';

/** How an alert stands after a run, and what is to be told of it. */
export type AlertFinding = {
  readonly state: AlertState;
  readonly since: Date;
  readonly streak: number;
  /** Null: the recipients know it. */
  readonly news: AlertNews | null;
};

type RunOfAlert = {
  readonly id: number;
  readonly subscriptionId: number;
  readonly rule: AlertRule;
  readonly hasRows: boolean;
};

/**
 * Moves the alert of a subscription by what a run found, once for each run however often it is taken up again.
 *
 * @param tx  The transaction in which the run's outcome is kept: neither stands without the other.
 */
export async function advanceAlert(tx: Executor, run: RunOfAlert, now: Date): Promise<AlertFinding> {
  const before = await lockAlert(tx, run.subscriptionId, now);
  const after = before.runId === run.id ? before : { ...stepOf(before, run, now), runId: run.id };
  await saveAlert(tx, run.subscriptionId, after);
  return findingOf(after, run.rule, now);
}

/** The same for a run that is not made: nothing is kept. */
export async function foreseeAlert(
  executor: Executor,
  run: Omit<RunOfAlert, 'id'>,
  now: Date,
): Promise<AlertFinding> {
  const before = (await readAlert(executor, run.subscriptionId)) ?? { ...quiet(now), runId: null };
  return findingOf(stepOf(before, run, now), run.rule, now);
}

const stepOf = (before: StoredAlert, { hasRows, rule }: Omit<RunOfAlert, 'id'>, now: Date) =>
  step(before, hasRows, rule, now);

const findingOf = (
  alert: Pick<StoredAlert, 'state' | 'since' | 'streak' | 'toldState' | 'toldAt'>,
  rule: AlertRule,
  now: Date,
): AlertFinding => ({
  ...{ state: alert.state, since: alert.since, streak: alert.streak },
  news: newsOf(alert, rule, now),
});
