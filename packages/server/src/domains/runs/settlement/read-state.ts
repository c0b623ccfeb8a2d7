import type { Clock } from '../../../platform/clock.ts';
import type { Database, Executor } from '../../../platform/db/index.ts';
import { lockAlert } from '../../alerts/index.ts';
import { assessCount } from '../../anomalies/index.ts';
import type { SavedQueryPlan } from '../../queries/index.ts';
import { notificationUrl } from '../../run-messages/index.ts';
import type { QueryResult, QueryTimeout } from '../execute-query.ts';
import { isRepetition, previousResultCount } from '../store/earlier-runs.ts';
import { heldRuns } from '../store/held-runs.ts';
import type { RunToExecute } from '../store/load-run.ts';
import type { LockedState, RunState } from './settlement.ts';

export type ReadStateDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly baseUrl: () => Promise<string | undefined>;
};

/** Reads the state that no concurrent job changes: the runs of a subscription are sequential. */
export async function readState(
  { database, clock, baseUrl }: ReadStateDeps,
  run: RunToExecute,
  plan: SavedQueryPlan,
  result: QueryResult | QueryTimeout,
): Promise<RunState> {
  const { subscriptionId, dueAt } = run;
  const count = result.kind === 'Completed' ? result.resultCount : null;
  return {
    plan,
    previousResultCount: await previousResultCount(database, subscriptionId, run),
    assessment: await assessCount(database, run, { dueAt, count }),
    isAfterTimeout:
      count === null &&
      (await isRepetition(database, subscriptionId, run, { status: 'Timeout', reason: 'TimedOut' })),
    now: clock.now(),
    notificationUrl: notificationUrl(await baseUrl(), run.id),
  };
}

/** Reads and locks the state that users and the ends of other runs change. */
export async function lockState(
  tx: Executor,
  { id, subscriptionId, alert }: RunToExecute,
  result: QueryResult | QueryTimeout,
  now: Date,
): Promise<LockedState> {
  const subject = { kind: 'Subscription', id: subscriptionId } as const;
  return {
    alert: alert !== null && result.kind === 'Completed' ? await lockAlert(tx, subject, now) : null,
    heldRuns: await heldRuns(tx, subscriptionId, id),
  };
}
