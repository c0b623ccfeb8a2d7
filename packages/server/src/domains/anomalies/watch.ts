import type { AnomalyWatch } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import { detect, newestPoints, pointsMax } from './detect/detect.ts';
import type { Assessment } from './detect/point.ts';
import { holidaysOf } from './holidays.ts';
import { pointsBefore } from './store.ts';

/** The members of a subscription that the assessment of counts needs. */
export type WatchedSubscription = {
  readonly subscriptionId: number;
  /** Watch settings. Null: counts are not watched. */
  readonly anomaly: AnomalyWatch | null;
  readonly timeZone: string;
};

/**
 * Assesses the count of a run, from the runs before it.
 *
 * @param run  A run with a null count has no result and is not assessed.
 * @returns null if counts are not watched, or if there are too few earlier runs.
 */
export async function assessCount(
  executor: Executor,
  { subscriptionId, anomaly: watch, timeZone }: WatchedSubscription,
  { dueAt, count }: { readonly dueAt: Date; readonly count: number | null },
): Promise<Assessment | null> {
  if (watch === null || count === null) return null;
  const { lookbackDays } = watch;
  const history = await pointsBefore(executor, subscriptionId, {
    before: dueAt,
    lookbackDays,
    pointsMax,
    newestPoints,
  });
  const holidays = await holidaysOf(watch, history[0]?.dueAt ?? dueAt, dueAt);
  return detect({ dueAt, count }, { watch, timeZone, history, holidays }) ?? null;
}
