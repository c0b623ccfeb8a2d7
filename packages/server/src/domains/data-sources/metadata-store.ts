import type { Metadata } from '@svc/connectors';
import type { Executor } from '../../platform/db/index.ts';
import { toStorable } from '../../platform/text/index.ts';

export type MetadataRow = { readonly snapshot: Metadata; readonly refreshed_at: Date };

/** Returns the last snapshot. Its shape needs no check: only `saveMetadata` writes it. */
export async function findMetadata(
  executor: Executor,
  dataSourceId: number,
  { forUpdate = false }: { readonly forUpdate?: boolean } = {},
): Promise<MetadataRow | undefined> {
  const { rows } = await executor.query<MetadataRow>(
    `select snapshot, refreshed_at from svc.data_source_metadata where data_source_id = $1 ${forUpdate ? 'for update' : ''}`,
    [dataSourceId],
  );
  return rows[0];
}

/** Returns ids of live data sources of a project without a snapshot. */
export async function unreadSources(executor: Executor, projectId: number): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select d.id from svc.project_data_sources l join svc.data_sources d on d.id = l.data_source_id
      where l.project_id = $1 and d.archived_at is null
        and not exists (select from svc.data_source_metadata m where m.data_source_id = d.id)
      order by d.id`,
    [projectId],
  );
  return rows.map(({ id }) => id);
}

/** Replaces the snapshot. Does nothing when the source is archived or was changed after `version` was read. */
export async function saveMetadata(
  executor: Executor,
  dataSourceId: number,
  version: number,
  snapshot: Metadata,
): Promise<Date | undefined> {
  const { rows } = await executor.query<{ refreshed_at: Date }>(
    `insert into svc.data_source_metadata (data_source_id, snapshot, refreshed_at)
     select id, $3::jsonb, now() from svc.data_sources
      where id = $1 and version = $2 and archived_at is null for share
     on conflict (data_source_id) do update set snapshot = excluded.snapshot, refreshed_at = excluded.refreshed_at
     returning refreshed_at`,
    [dataSourceId, version, JSON.stringify(snapshot, storableText)],
  );
  return rows[0]?.refreshed_at;
}

/** Removes characters that `jsonb` refuses from names and comments of other engines. */
const storableText = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? toStorable(value) : value;

/**
 * Claims a forced refresh: one per source and `intervalSeconds`, across all replicas.
 *
 * @returns 0 when claimed, else the seconds until the next refresh is allowed.
 */
export async function claimRefresh(
  executor: Executor,
  dataSourceId: number,
  intervalSeconds: number,
): Promise<number> {
  const { rowCount } = await executor.query(
    `update svc.data_sources set metadata_refresh_asked_at = now()
      where id = $1 and (metadata_refresh_asked_at is null
        or metadata_refresh_asked_at <= now() - make_interval(secs => $2::int))`,
    [dataSourceId, intervalSeconds],
  );
  if (rowCount === 1) return 0;
  const { rows } = await executor.query<{ left: number }>(
    `select $2::int - extract(epoch from now() - metadata_refresh_asked_at) as left
       from svc.data_sources where id = $1`,
    [dataSourceId, intervalSeconds],
  );
  return Math.max(rows[0]?.left ?? 0, 1);
}

/** Deletes the snapshot of a source whose connection or table selection has changed. */
export async function deleteMetadata(executor: Executor, dataSourceId: number): Promise<void> {
  await executor.query('delete from svc.data_source_metadata where data_source_id = $1', [dataSourceId]);
}
