import type { Jobs } from '@svc/jobs';
import type { Tx } from '../../platform/db/index.ts';
import { runTick } from './declared-jobs.ts';

/** Schedules of subscriptions in the job engine. */
export type RunSchedule = {
  /** Starts the ticks of a subscription in the caller's transaction. Without a schedule, stops them. */
  readonly set: (
    tx: Tx,
    subscriptionId: number,
    schedule: { readonly cronExpression: string; readonly timeZone: string } | undefined,
  ) => Promise<void>;
};

const keyOf = (subscriptionId: number): string => `subscription:${subscriptionId}`;

export const createRunSchedule = (jobs: Jobs): RunSchedule => ({
  set: async (tx, subscriptionId, schedule) => {
    if (!schedule) return void (await jobs.schedules.remove(tx, keyOf(subscriptionId)));
    await jobs.schedules.put(tx, {
      key: keyOf(subscriptionId),
      cron: schedule.cronExpression,
      timeZone: schedule.timeZone,
      job: runTick,
      payload: { subscriptionId },
    });
  },
});
