import { parseSchedule } from '@svc/jobs';
import { sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import type { PolledGauge } from '../../platform/telemetry/index.ts';
import { good } from '../run-history/index.ts';
import { createDueSlots, type DueSlot } from './due-slots.ts';
import type { RetainedDays } from './span.ts';
import { isSubscriptionStalled, lastStartOfSubscription } from './stalled.ts';

/** Maximum number of subscriptions with a separate series: a collector stores each series for its retention time. */
const subscriptionsMax = 1_000;

/**
 * Returns gauges for an external monitor: the longest wait for a due run, and optionally the last good run of each
 * subscription.
 */
export const subscriptionGauges = (
  executor: Executor,
  options: {
    readonly graceSeconds: number;
    readonly retainedDays: RetainedDays;
    readonly hasSubscriptions: boolean;
  },
  readDueSlots = createDueSlots(options),
): readonly PolledGauge[] => [
  {
    name: 'svc.oldest_overdue_subscription',
    description:
      'How long the subscription that waits longest for a due run has waited; 0 when none is late.',
    unit: 's',
    read: async () => {
      const slots = await readDueSlots(executor);
      return [{ value: await oldestOverdueSeconds(executor, slots, options.retainedDays.runs) }];
    },
  },
  ...(options.hasSubscriptions
    ? [
        {
          name: 'svc.subscription.last_good_run.timestamp',
          description:
            'When the last good run of a subscription ended, in seconds since 1970; 0 before the first.',
          unit: 's',
          read: async () =>
            (await lastGoodRuns(executor)).map(({ id, seconds }) => ({
              value: seconds,
              attributes: { subscription_id: String(id) },
            })),
        },
      ]
    : []),
];

type OverdueSchedule = {
  readonly cronExpression: string;
  readonly timeZone: string;
  /** Last started slot, or the time from which slots are judged. */
  readonly since: Date;
  readonly now: Date;
};

/** Returns the age of the oldest slot without a start, over all stalled subscriptions. 0 if none is stalled. */
async function oldestOverdueSeconds(
  executor: Executor,
  slots: readonly DueSlot[],
  retainedDays: number,
): Promise<number> {
  const { rows } = await sql<OverdueSchedule>`
    select s.cron_expression as "cronExpression", s.time_zone as "timeZone", now() as now,
      greatest(coalesce(s.schedule_changed_at, s.created_time), started.due_at) as since
    from svc.subscriptions s
    ${lastStartOfSubscription(slots)}
    left join lateral (
      select r.due_at from svc.runs r
      where r.subscription_id = s.id and r.origin = 'Schedule' and r.started_at is not null
      order by r.due_at desc limit 1) started on true
    where s.archived_at is null and ${isSubscriptionStalled(retainedDays)}
    order by since`.execute(executor.kysely);
  const [first] = rows;
  if (!first) return 0;
  let oldest = first.now;
  for (const { cronExpression, timeZone, since } of rows) {
    // The rows are sorted: no later row has an older slot.
    if (since >= oldest) break;
    const [due = first.now] = parseSchedule(cronExpression, timeZone).next(1, since);
    if (due < oldest) oldest = due;
  }
  return (first.now.getTime() - oldest.getTime()) / 1_000;
}

/** Returns the last good run of each live subscription, from the counted days and from runs that are not yet added. */
async function lastGoodRuns(
  executor: Executor,
): Promise<readonly { readonly id: number; readonly seconds: number }[]> {
  const { rows } = await executor.query<{ id: number; seconds: number }>({
    name: 'gauges-last-good-runs',
    text: `select s.id, coalesce(extract(epoch from greatest(
          (select max(d.last_good_at) from svc.run_days d where d.subscription_id = s.id),
          (select max(o.ended_at) from svc.run_counts_open o where o.subscription_id = s.id and ${good}))),
        0)::float8 as seconds
      from svc.subscriptions s where s.archived_at is null order by s.id limit $1`,
    values: [subscriptionsMax],
  });
  return rows;
}
