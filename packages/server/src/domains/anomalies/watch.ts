import type { AnomalyWatch } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import { detect, newestPoints, pointsMax } from './detect/detect.ts';
import type { Assessment } from './detect/point.ts';
import { holidaysOf } from './holidays.ts';
import { pointsBefore } from './store.ts';

/** A subscription as far as the watch over its counts goes. */
export type WatchedSubscription = {
  readonly subscriptionId: number;
  /** How its counts are watched; null: they are not. */
  readonly anomaly: AnomalyWatch | null;
  readonly timeZone: string;
};

/**
 * Says whether the count of a run is out of the ordinary, by the runs before it.
 *
 * @param run  Its count is null where it found none: there is nothing to say then.
 * @returns null where counts are not watched, or too few were seen.
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
    ...{ lookbackDays, pointsMax, newestPoints },
  });
  const holidays = await holidaysOf(watch, history[0]?.dueAt ?? dueAt, dueAt);
  return detect({ dueAt, count }, { watch, timeZone, history, holidays }) ?? null;
}
