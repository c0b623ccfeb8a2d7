import type { Executor } from '../../platform/db/index.ts';
import type { PolledGauge } from '../../platform/telemetry/index.ts';
import { good } from '../run-history/index.ts';

/** Series of single subscriptions at most: a collector pays for each of them as long as it keeps its data. */
const subscriptionsMax = 1_000;

/** What a monitor outside watches of subscriptions: whether one is late and, where it is asked for, each one's last good run. */
export const subscriptionGauges = (
  executor: Executor,
  options: { readonly graceSeconds: number; readonly hasSubscriptions: boolean },
): readonly PolledGauge[] => [
  {
    name: 'svc.oldest_overdue_subscription',
    description:
      'How long the subscription that waits longest for a due run has waited; 0 when none is late.',
    unit: 's',
    read: async () => [{ value: await oldestOverdueSeconds(executor, options.graceSeconds) }],
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

/** Due times that passed with no run since: found by the watchdog already, or by nobody yet. */
async function oldestOverdueSeconds(executor: Executor, graceSeconds: number): Promise<number> {
  const { rows } = await executor.query<{ seconds: number }>({
    name: 'gauges-oldest-overdue',
    text: `select coalesce(extract(epoch from now() - min(since)), 0)::float8 as seconds from (
        select s.watch_due_at as since from svc.subscriptions s
        where s.archived_at is null and s.watch_due_at <= now() - $1 * interval '1 second'
          and not exists (select from svc.runs r where r.subscription_id = s.id and r.origin = 'Schedule'
            and r.due_at >= s.watch_due_at and r.started_at is not null)
        union all
        select m.first_due_at from svc.missed_runs m
        join svc.subscriptions s on s.id = m.subscription_id and s.archived_at is null and s.paused_at is null
        where not exists (select from svc.runs r where r.subscription_id = m.subscription_id
            and r.origin = 'Schedule' and r.due_at >= m.last_due_at and r.started_at is not null)) late`,
    values: [graceSeconds],
  });
  return rows[0]?.seconds ?? 0;
}

/** The last good run of each live subscription, of the counted days and of the runs that no job has added yet. */
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
