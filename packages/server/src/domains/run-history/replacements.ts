import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';

/** A subscription of a chain of replacements. The time is text, because a `Date` has no microseconds. */
export type ReplacedLink = {
  readonly subscriptionId: number;
  /** Creation of the replacement; null: the subscription at the end of the chain. */
  readonly replacedAt: string | null;
};

/**
 * Returns the recursive query `chain` with a subscription and each subscription that it replaced, directly or through
 * others. `replaced_at` is the creation of the replacement, and null for the first one.
 *
 * @param id  SQL expression of the subscription's id
 */
export const replacedChain = (id: string): string => `chain as (
  select o.id, o.replaces_id, o.created_time, null::timestamptz as replaced_at
  from svc.subscriptions o where o.id = ${id}
  union all
  select o.id, o.replaces_id, o.created_time, c.created_time
  from chain c join svc.subscriptions o on o.id = c.replaces_id)`;

/** Returns the chain of a subscription, the newest first. */
export async function findReplacedChain(executor: Executor, subscriptionId: number): Promise<ReplacedLink[]> {
  const { rows } = await executor.query<ReplacedLink>(
    `with recursive ${replacedChain('$1')}
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
