import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';

/** A subscription of a chain of replacements. The time is text, because a `Date` has no microseconds. */
export type ReplacedLink = {
  readonly subscriptionId: number;
  /** Creation of the replacement; null: the subscription at the end of the chain. */
  readonly replacedAt: string | null;
};

/** Returns a subscription and each subscription that it replaced, directly or through others. The newest is first. */
export async function findReplacedChain(executor: Executor, subscriptionId: number): Promise<ReplacedLink[]> {
  const { rows } = await executor.query<ReplacedLink>(
    `with recursive chain as (
        select s.id, s.replaces_id, s.created_time, null::timestamptz as replaced_at
        from svc.subscriptions s where s.id = $1
        union all
        select s.id, s.replaces_id, s.created_time, c.created_time
        from chain c join svc.subscriptions s on s.id = c.replaces_id)
      select id as "subscriptionId", replaced_at::text as "replacedAt" from chain order by id desc`,
    [subscriptionId],
  );
  return rows;
}

/**
 * Returns a condition on `svc.runs` as `r`: runs of the subscriptions of a chain that were due before the replacement of
 * their subscription. A replaced subscription can be reactivated, and its later runs belong to it alone.
 */
export function runsOfChain(chain: readonly ReplacedLink[]): RawBuilder<boolean> {
  const ids = chain.map(({ subscriptionId }) => subscriptionId);
  const replacedAt = chain.map((link) => link.replacedAt);
  return sql<boolean>`(r.subscription_id = any(${ids}::int[]) and not exists (
    select from unnest(${ids}::int[], ${replacedAt}::timestamptz[]) as link (subscription_id, replaced_at)
    where link.subscription_id = r.subscription_id and r.due_at >= link.replaced_at))`;
}
