import {
  type DeliveryState,
  type RecentDeliveries,
  type RecentRuns,
  type RunStatus,
  recentMax,
} from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';

type RunRow = {
  readonly subscriptionId: number;
  readonly notificationId: number;
  readonly dueAt: Date;
  readonly status: RunStatus;
  readonly resultCount: number | null;
};
type DeliveryRow = {
  readonly recipientId: number;
  readonly notificationId: number;
  readonly queryName: string;
  readonly startedAt: Date;
  readonly state: DeliveryState;
};

/** Parses comma-separated ids and removes duplicates. */
export const idsOf = (text: string): number[] => [...new Set(text.split(',').map(Number))];

/**
 * Returns the last runs of subscriptions, if the caller may see them. @param visible  A condition on `svc.runs` as `r`.
 */
export async function readRecentRuns(
  executor: Executor,
  visible: RawBuilder<boolean>,
  subscriptionIds: readonly number[],
): Promise<RecentRuns> {
  const { rows } = await sql<RunRow>`
    select s.id as "subscriptionId", l.id as "notificationId", l.due_at as "dueAt", l.status,
      l.result_count as "resultCount"
    from unnest(${subscriptionIds}::int[]) as s (id)
    cross join lateral (select r.id, r.due_at, r.status, r.result_count from svc.runs r
      where r.subscription_id = s.id and ${visible} order by r.due_at desc, r.id desc limit ${recentMax}) l
    order by s.id, l.due_at, l.id`.execute(executor.kysely);
  const grouped = Map.groupBy(rows, (row) => row.subscriptionId);
  return {
    items: [...grouped].map(([subscriptionId, runs]) => ({
      subscriptionId,
      runs: runs.map(({ notificationId, dueAt, status, resultCount }) => ({
        notificationId,
        dueAt: dueAt.toISOString(),
        status,
        resultCount,
      })),
    })),
  };
}

/**
 * Returns the last delivery attempts to recipients, in runs that the caller may see.
 *
 * @param visible  A condition on `svc.runs` as `r`.
 */
export async function readRecentDeliveries(
  executor: Executor,
  visible: RawBuilder<boolean>,
  recipientIds: readonly number[],
): Promise<RecentDeliveries> {
  const { rows } = await sql<DeliveryRow>`
    select c.id as "recipientId", l.run_id as "notificationId", l.name as "queryName", l.started_at as "startedAt",
      l.state
    from unnest(${recipientIds}::int[]) as c (id)
    cross join lateral (
      select d.id, d.run_id, d.started_at, d.state, coalesce(q.name, r.title) as name
      from svc.deliveries d join svc.runs r on r.id = d.run_id and r.due_at = d.run_due_at
      left join svc.queries q on q.id = r.query_id
      where d.recipient_id = c.id and d.state <> 'Queued' and ${visible}
      order by d.started_at desc, d.id desc limit ${recentMax}) l
    order by c.id, l.started_at, l.id`.execute(executor.kysely);
  const grouped = Map.groupBy(rows, (row) => row.recipientId);
  return {
    items: [...grouped].map(([recipientId, deliveries]) => ({
      recipientId,
      deliveries: deliveries.map(({ notificationId, queryName, startedAt, state }) => ({
        notificationId,
        queryName,
        startedAt: startedAt.toISOString(),
        state,
      })),
    })),
  };
}
