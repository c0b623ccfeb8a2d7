import type { QueryCheckVerdict, SchemaChangeKind } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';
import { toStorable } from '../../platform/text/index.ts';
import type { Difference } from './differences.ts';

/** Maximum number of stored changes per data source. The newest are retained. */
const keptMax = 10_000;

export type SchemaChangeRow = Difference & { readonly id: number; readonly foundAt: Date };

/** Stores the changes of a refresh, in its transaction. Deletes the oldest changes beyond the maximum. */
export async function insertChanges(
  tx: Tx,
  dataSourceId: number,
  differences: readonly Difference[],
): Promise<void> {
  await tx.query(
    `insert into svc.schema_changes (data_source_id, kind, schema_name, table_name, column_name, type_before, type_after)
     select $1, d.kind, d.schema, d."table", d."column", d."typeBefore", d."typeAfter"
     from jsonb_to_recordset($2::jsonb)
       as d (kind text, schema text, "table" text, "column" text, "typeBefore" text, "typeAfter" text)`,
    [
      dataSourceId,
      JSON.stringify(differences.slice(0, keptMax), (_name, value: unknown) =>
        typeof value === 'string' ? toStorable(value) : value,
      ),
    ],
  );
  await tx.query(
    `delete from svc.schema_changes where data_source_id = $1 and id <= (
       select id from svc.schema_changes where data_source_id = $1 order by id desc offset $2 limit 1)`,
    [dataSourceId, keptMax],
  );
}

export const changeSortable = { foundAt: 'c.id' } as const;

export type ChangeFilter = {
  readonly kind: SchemaChangeKind | null;
  readonly table: string | null;
};

/** Returns one page of the changes of a schema. */
export async function listChanges(
  executor: Executor,
  dataSourceId: number,
  { kind, table }: ChangeFilter,
  page: PageRequest,
): Promise<{ rows: SchemaChangeRow[]; totalCount: number }> {
  const matching = `c.data_source_id = $1 and ($2::text is null or c.kind = $2) and ($3::text is null or c.table_name = $3)`;
  const values = [dataSourceId, kind, table];
  const { rows: counted } = await executor.query<{ count: number }>(
    `select count(*) as count from svc.schema_changes c where ${matching}`,
    values,
  );
  const { rows } = await executor.query<SchemaChangeRow>(
    `select c.id, c.found_at as "foundAt", c.kind, c.schema_name as schema, c.table_name as "table",
       c.column_name as "column", c.type_before as "typeBefore", c.type_after as "typeAfter"
     from svc.schema_changes c where ${matching} order by ${orderBy(page)} limit $4 offset $5`,
    [...values, page.limit, page.offset],
  );
  return { rows, totalCount: counted[0]?.count ?? 0 };
}

const onSource = `exists (select from svc.query_steps st where st.query_id = q.id and st.data_source_id = $1)
  and q.archived_at is null and p.archived_at is null`;

/** Returns the live queries that read a data source. */
export async function queriesOn(executor: Executor, dataSourceId: number): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select q.id from svc.queries q join svc.projects p on p.id = q.project_id where ${onSource} order by q.id`,
    [dataSourceId],
  );
  return rows.map(({ id }) => id);
}

/** Returns true if the last check of a query that reads the source failed. */
export async function hasBroken(executor: Executor, dataSourceId: number): Promise<boolean> {
  const { rows } = await executor.query(
    `select from svc.queries q join svc.projects p on p.id = q.project_id
       join svc.query_checks k on k.query_id = q.id and k.verdict = 'Failed' where ${onSource} limit 1`,
    [dataSourceId],
  );
  return rows.length > 0;
}

export type CheckOutcome = { readonly verdict: QueryCheckVerdict; readonly message: string | null };

/**
 * Stores the outcome of a check.
 *
 * @returns the time of the check, and whether the previous check of the same version failed.
 */
export async function saveCheck(
  tx: Tx,
  queryId: number,
  versionId: number | null,
  { verdict, message }: CheckOutcome,
): Promise<{ readonly checkedAt: Date; readonly hadFailed: boolean }> {
  // Concurrent checks of a query are serialized on its row, because a first check has no row yet.
  await tx.query('select from svc.queries where id = $1 for update', [queryId]);
  const { rows: before } = await tx.query<{ verdict: QueryCheckVerdict; versionId: number | null }>(
    'select verdict, version_id as "versionId" from svc.query_checks where query_id = $1',
    [queryId],
  );
  const { rows } = await tx.query<{ checkedAt: Date }>(
    `insert into svc.query_checks as k (query_id, version_id, verdict, message) values ($1, $2, $3, $4)
     on conflict (query_id) do update set version_id = excluded.version_id, verdict = excluded.verdict,
       message = excluded.message, checked_at = now()
     returning k.checked_at as "checkedAt"`,
    [queryId, versionId, verdict, message],
  );
  const [checked] = rows;
  if (!checked) throw new Error('The check of a query was not kept.');
  const [last] = before;
  return {
    checkedAt: checked.checkedAt,
    hadFailed: last?.verdict === 'Failed' && last.versionId === versionId,
  };
}

/** Returns the owners of the live subscriptions to a query. */
export async function subscriptionOwners(executor: Executor, queryId: number): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select distinct owner_user_id as id from svc.subscriptions
     where query_id = $1 and archived_at is null and owner_user_id is not null`,
    [queryId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns live sources of live projects whose metadata exceeds its maximum age. A source with a recent refresh request
 * is excluded, so that an unreadable source is not queried constantly. A new source is excluded, because its creator
 * refreshes it.
 */
export async function dueSources(executor: Executor, limit: number): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select d.id from svc.data_sources d left join svc.data_source_metadata m on m.data_source_id = d.id,
       lateral (select case when d.metadata_options ? 'refreshEveryHours'
         then (d.metadata_options->>'refreshEveryHours')::int else 24 end as hours) every
     where d.archived_at is null and coalesce((d.metadata_options->>'isEnabled')::boolean, true)
       and exists (select from svc.project_data_sources l join svc.projects p on p.id = l.project_id
         where l.data_source_id = d.id and p.archived_at is null)
       and coalesce(m.refreshed_at <= now() - make_interval(hours => every.hours),
         d.created_time <= now() - interval '10 minutes')
       and every.hours is not null
       and (d.metadata_refresh_asked_at is null or d.metadata_refresh_asked_at <= now() - interval '1 hour')
     order by m.refreshed_at nulls first, d.id limit $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Returns failed checks of the active versions of queries that read a source, in the given projects; null: in all. */
export async function brokenQueries(
  executor: Executor,
  dataSourceId: number,
  projectIds: readonly number[] | null,
  limit: number,
): Promise<{ count: number; items: { id: number; name: string; message: string }[] }> {
  const { rows } = await executor.query<{ id: number; name: string; message: string; count: number }>(
    `select q.id, q.name, k.message, count(*) over () as count
     from svc.queries q join svc.projects p on p.id = q.project_id
       join svc.query_checks k on k.query_id = q.id and k.verdict = 'Failed'
         and k.version_id is not distinct from q.active_version_id
     where ${onSource} and ($2::int[] is null or q.project_id = any($2)) order by lower(q.name), q.id limit $3`,
    [dataSourceId, projectIds, limit],
  );
  return {
    count: rows[0]?.count ?? 0,
    items: rows.map(({ id, name, message }) => ({ id, name, message })),
  };
}
