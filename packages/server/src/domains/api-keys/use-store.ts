import type { Queryable } from '../../platform/db/index.ts';

/** Uses of one key by one route. */
export type CountedUse = {
  readonly keyId: number;
  readonly operation: string;
  readonly count: number;
  readonly at: Date;
};

/** Days for which uses are retained. */
export const keptDays = 30;

/** Adds uses to the counts of their days, in a fixed order to prevent deadlocks. */
export async function addUses(executor: Queryable, uses: readonly CountedUse[]): Promise<void> {
  await executor.query({
    name: 'api-keys-add-uses',
    text: `insert into svc.api_key_uses (api_key_id, day, operation, use_count, last_used_at)
           select k.id, (v.used_at at time zone 'UTC')::date, v.operation, v.use_count, v.used_at
             from unnest($1::int[], $2::text[], $3::bigint[], $4::timestamptz[]) as v(id, operation, use_count, used_at)
             join svc.api_keys k on k.id = v.id
            order by 1, 2, 3
           on conflict (api_key_id, day, operation) do update
             set use_count = api_key_uses.use_count + excluded.use_count,
                 last_used_at = greatest(api_key_uses.last_used_at, excluded.last_used_at)`,
    values: [
      uses.map(({ keyId }) => keyId),
      uses.map(({ operation }) => operation),
      uses.map(({ count }) => count),
      uses.map(({ at }) => at),
    ],
  });
}

export type UsedOperation = {
  readonly operation: string;
  readonly useCount: number;
  readonly lastUsedAt: Date;
};
export type UsedDay = { readonly day: string; readonly useCount: number };

const recent = `api_key_id = $1 and day > (coalesce($2::timestamptz, now()) at time zone 'UTC')::date - ${keptDays}`;

/** Returns the uses of a key in the last 30 days, by route and by day. */
export async function findUses(
  executor: Queryable,
  keyId: number,
  at: Date | null,
): Promise<{ operations: UsedOperation[]; days: UsedDay[] }> {
  const operations = await executor.query<UsedOperation>(
    `select operation, sum(use_count)::bigint as "useCount", max(last_used_at) as "lastUsedAt"
       from svc.api_key_uses where ${recent}
      group by operation order by 2 desc, operation collate "C"`,
    [keyId, at],
  );
  const days = await executor.query<UsedDay>(
    `select day::text, sum(use_count)::bigint as "useCount" from svc.api_key_uses where ${recent}
      group by day order by day`,
    [keyId, at],
  );
  return { operations: operations.rows, days: days.rows };
}

/** Deletes uses after their retention time. */
export async function deleteOldUses(executor: Queryable, at: Date | null): Promise<void> {
  await executor.query(
    `delete from svc.api_key_uses where day <= (coalesce($1::timestamptz, now()) at time zone 'UTC')::date - ${keptDays}`,
    [at],
  );
}
