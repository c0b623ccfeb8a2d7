import type { DefinitionPart, QueryChangeKind, QueryVersionSource, QueryVersionStatus } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import type { KeyedStep } from './step-keys.ts';
import type { QueryFields } from './store.ts';

/** Content of a version. Versions with equal content are one definition. */
export type VersionDefinition = QueryFields & { readonly steps: readonly KeyedStep[] };

/** Author, reason and origin of a version. */
export type VersionChange = {
  readonly userId: number | null;
  readonly reason: string | null;
  readonly source: QueryVersionSource;
  /** Id of the restored version. */
  readonly restoredFromId?: number;
};

const valuesOf = (definition: VersionDefinition) => [
  definition.name,
  definition.description,
  definition.finalQuery,
  JSON.stringify(definition.parameters),
  JSON.stringify(definition.steps),
];

/** Returns true if the version in this state has exactly this definition. */
async function isDefinitionOf(
  tx: Tx,
  queryId: number,
  status: 'Active' | 'PendingApproval',
  definition: VersionDefinition,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from svc.query_versions v where v.query_id = $1 and v.status = $7
       and v.definition_hash = svc.query_definition_hash($2, $3, $4, $5::jsonb, $6::jsonb)`,
    [queryId, ...valuesOf(definition), status],
  );
  return rowCount === 1;
}

export async function isVersionOf(tx: Tx, queryId: number, versionId: number): Promise<boolean> {
  const { rowCount } = await tx.query('select from svc.query_versions where id = $2 and query_id = $1', [
    queryId,
    versionId,
  ]);
  return rowCount === 1;
}

export const isActiveDefinition = (tx: Tx, queryId: number, definition: VersionDefinition) =>
  isDefinitionOf(tx, queryId, 'Active', definition);

export const isPendingDefinition = (tx: Tx, queryId: number, definition: VersionDefinition) =>
  isDefinitionOf(tx, queryId, 'PendingApproval', definition);

/** Inserts a version with the next number. The caller must lock the row of the query, so that numbers have no gap. */
async function insertVersion(
  tx: Tx,
  queryId: number,
  status: 'Active' | 'PendingApproval',
  definition: VersionDefinition,
  change: VersionChange,
): Promise<{ id: number; hash: string }> {
  const { rows } = await tx.query<{ id: number; hash: string }>(
    `insert into svc.query_versions (query_id, version_number, name, description, final_query, parameters, steps,
       change_source, change_reason, created_by_user_id, restored_from_id, status)
     select $1, coalesce(max(v.version_number), 0) + 1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8, $9, $10, $11
     from svc.query_versions v where v.query_id = $1
     returning id, definition_hash as hash`,
    [
      queryId,
      ...valuesOf(definition),
      change.source,
      change.reason,
      change.userId,
      change.restoredFromId ?? null,
      status,
    ],
  );
  const [added] = rows;
  if (!added) throw new Error('The version was not stored.');
  return added;
}

/**
 * Makes the definition the query's active version, with the next number. The caller must lock the row of the query, so
 * that numbers have no gap and only one version is active.
 */
export async function addActiveVersion(
  tx: Tx,
  queryId: number,
  definition: VersionDefinition,
  change: VersionChange,
): Promise<void> {
  await archiveActive(tx, queryId);
  const { id } = await insertVersion(tx, queryId, 'Active', definition, change);
  await tx.query('update svc.queries set active_version_id = $2 where id = $1', [queryId, id]);
}

const archiveActive = (tx: Tx, queryId: number) =>
  tx.query("update svc.query_versions set status = 'Archived' where query_id = $1 and status = 'Active'", [
    queryId,
  ]);

/** Stores the definition as the version that waits for approval, and ends an earlier waiting version. */
export async function addPendingVersion(
  tx: Tx,
  queryId: number,
  definition: VersionDefinition,
  change: VersionChange,
): Promise<{ id: number; hash: string; changedParts: DefinitionPart[] }> {
  await endPendingVersion(tx, queryId, 'Withdrawn');
  const added = await insertVersion(tx, queryId, 'PendingApproval', definition, change);
  const { rows } = await tx.query<{ parts: DefinitionPart[] }>(
    `select array_remove(array[
       case when v.name <> a.name then 'Name' end,
       case when v.description is distinct from a.description then 'Description' end,
       case when v.steps_hash <> a.steps_hash then 'Step' end,
       case when v.final_query_hash is distinct from a.final_query_hash then 'FinalQuery' end,
       case when v.parameters_hash <> a.parameters_hash then 'Parameter' end], null) as parts
     from svc.query_versions v join svc.query_versions a on a.query_id = v.query_id and a.status = 'Active'
     where v.id = $1`,
    [added.id],
  );
  return { ...added, changedParts: rows[0]?.parts ?? [] };
}

/** Ends the waiting version, if the query has one. */
export async function endPendingVersion(
  tx: Tx,
  queryId: number,
  status: 'Withdrawn' | 'Rejected',
): Promise<void> {
  await tx.query(
    "update svc.query_versions set status = $2 where query_id = $1 and status = 'PendingApproval'",
    [queryId, status],
  );
}

/** Makes the waiting version the active one. The caller must lock the row of the query first. */
export async function activatePending(tx: Tx, queryId: number, versionId: number): Promise<void> {
  await archiveActive(tx, queryId);
  await tx.query("update svc.query_versions set status = 'Active' where id = $1 and query_id = $2", [
    versionId,
    queryId,
  ]);
  await tx.query('update svc.queries set active_version_id = $2 where id = $1', [queryId, versionId]);
}

/** Version with its content and author. */
export type StoredVersion = VersionDefinition & {
  readonly id: number;
  readonly versionNumber: number;
  readonly status: QueryVersionStatus;
  readonly hash: string;
  readonly source: QueryVersionSource;
  readonly reason: string | null;
  readonly createdByUserId: number | null;
};

export async function findStoredVersion(executor: Executor, id: number): Promise<StoredVersion | undefined> {
  const { rows } = await executor.query<StoredVersion>(
    `select id, version_number as "versionNumber", status, definition_hash as hash, change_source as source,
       change_reason as reason, created_by_user_id as "createdByUserId", name, description,
       final_query as "finalQuery", parameters, steps
     from svc.query_versions where id = $1`,
    [id],
  );
  return rows[0];
}

/** Stores an event of a query that created no version. @param versionId the version that the event concerns. */
export async function addQueryChange(
  tx: Tx,
  queryId: number,
  kind: Exclude<QueryChangeKind, 'Version'>,
  userId: number | null,
  versionId: number | null = null,
): Promise<void> {
  await tx.query(
    'insert into svc.query_changes (query_id, kind, by_user_id, version_id) values ($1, $2, $3, $4)',
    [queryId, kind, userId, versionId],
  );
}
