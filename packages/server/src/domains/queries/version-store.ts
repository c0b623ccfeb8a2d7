import type { QueryVersionSource } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import type { KeyedStep } from './step-keys.ts';
import type { QueryFields } from './store.ts';

/** What a version holds of a query: two that are equal here are one definition. */
export type VersionDefinition = QueryFields & { readonly steps: readonly KeyedStep[] };

/** Who made a version, and why. */
export type VersionChange = {
  readonly userId: number | null;
  readonly reason: string | null;
  readonly source: QueryVersionSource;
  /** The version that was restored. */
  readonly restoredFromId?: number;
};

const valuesOf = (definition: VersionDefinition) => [
  definition.name,
  definition.description,
  definition.finalQuery,
  JSON.stringify(definition.parameters),
  JSON.stringify(definition.steps),
];

/** Whether the active version of the query says exactly this. */
export async function isActiveDefinition(
  tx: Tx,
  queryId: number,
  definition: VersionDefinition,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from svc.queries q join svc.query_versions v on v.id = q.active_version_id
      where q.id = $1 and v.definition_hash = svc.query_definition_hash($2, $3, $4, $5::jsonb, $6::jsonb)`,
    [queryId, ...valuesOf(definition)],
  );
  return rowCount === 1;
}

/**
 * Makes the definition the query's active version, with the next number. The caller holds the lock of the query's row,
 * so that numbers have no gap and no two versions are active.
 */
export async function addActiveVersion(
  tx: Tx,
  queryId: number,
  definition: VersionDefinition,
  change: VersionChange,
): Promise<void> {
  await tx.query(
    "update svc.query_versions set status = 'Archived' where query_id = $1 and status = 'Active'",
    [queryId],
  );
  await tx.query(
    `with added as (
       insert into svc.query_versions (query_id, version_number, status, name, description, final_query, parameters, steps,
         change_source, change_reason, created_by_user_id, restored_from_id)
       select $1, coalesce(max(v.version_number), 0) + 1, 'Active', $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8, $9, $10
       from svc.query_versions v where v.query_id = $1
       returning id)
     update svc.queries set active_version_id = added.id from added where svc.queries.id = $1`,
    [
      queryId,
      ...valuesOf(definition),
      change.source,
      change.reason,
      change.userId,
      change.restoredFromId ?? null,
    ],
  );
}

/** Keeps what happened to a query and made no version of it. */
export async function addQueryChange(
  tx: Tx,
  queryId: number,
  kind: 'Locked' | 'Unlocked' | 'Moved',
  userId: number | null,
): Promise<void> {
  await tx.query('insert into svc.query_changes (query_id, kind, by_user_id) values ($1, $2, $3)', [
    queryId,
    kind,
    userId,
  ]);
}
