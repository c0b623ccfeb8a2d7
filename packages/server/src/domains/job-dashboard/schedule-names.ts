import type { Executor } from '../../platform/db/index.ts';

const kinds = ['subscription', 'contract', 'migration'] as const;

const idsOf = (kind: (typeof kinds)[number], keys: readonly string[]): readonly number[] =>
  keys.flatMap((key) => (key.startsWith(`${kind}:`) ? [Number(key.slice(kind.length + 1))] : []));

/**
 * Returns display names of recurring schedules by key: the query of a subscription, a data contract, a migration job.
 * Maintenance schedules have only their key.
 */
export async function nameSchedules(
  executor: Executor,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await executor.query<{ key: string; name: string }>(
    `select 'subscription:' || s.id as key, q.name
       from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = any($1::int[])
     union all select 'contract:' || id, name from svc.data_contracts where id = any($2::int[])
     union all select 'migration:' || id, name from svc.migration_jobs where id = any($3::int[])`,
    kinds.map((kind) => idsOf(kind, keys)),
  );
  return new Map(rows.map(({ key, name }) => [key, name]));
}
