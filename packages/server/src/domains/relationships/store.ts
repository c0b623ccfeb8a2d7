import type { Cardinality, RelationshipOrigin } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import type { Ends, ProposedRelationship, StoredRelationship } from './types.ts';

const columns = `r.id, r.data_source_id as "dataSourceId",
  jsonb_build_object('schema', r.source_schema, 'table', r.source_table, 'columns', r.source_columns) as source,
  jsonb_build_object('schema', r.target_schema, 'table', r.target_table, 'columns', r.target_columns) as target,
  r.label, r.origin, r.cardinality, r.confidence, u.user_name as "verifiedByUserName", r.verified_at as "verifiedAt",
  r.created_time as "createdTime", r.updated_at as "updatedAt", r.version`;
const from = 'from svc.relationships r left join svc.users u on u.id = r.verified_by_user_id';
const isVerified = `(r.origin = 'ForeignKey' or r.verified_at is not null)`;

export const relationshipSortable: Sortable = {
  sourceTable: '(lower(r.source_schema), lower(r.source_table), r.source_columns)',
  targetTable: '(lower(r.target_schema), lower(r.target_table), r.target_columns)',
  label: 'lower(r.label) collate "C"',
  confidence: 'r.confidence',
  createdTime: 'r.created_time',
};

export type RelationshipFilter = {
  readonly search: string | null;
  readonly origin: RelationshipOrigin | null;
  readonly isVerified: boolean | null;
  readonly table: string | null;
};

export async function listRelationships(
  executor: Executor,
  dataSourceId: number,
  filter: RelationshipFilter,
  page: PageRequest,
): Promise<{ rows: StoredRelationship[]; total: number }> {
  const where = `where r.data_source_id = $1 and r.archived_at is null
    and ($2::text is null or position(lower($2) in lower(concat_ws(' ', r.source_table, r.target_table, r.label,
      array_to_string(r.source_columns, ' '), array_to_string(r.target_columns, ' ')))) > 0)
    and ($3::text is null or r.origin = $3) and ($4::bool is null or ${isVerified} = $4)
    and ($5::text is null or r.source_table = $5 or r.target_table = $5)`;
  const values = [dataSourceId, filter.search, filter.origin, filter.isVerified, filter.table];
  const { rows } = await executor.query<StoredRelationship>(
    `select ${columns} ${from} ${where} order by ${orderBy(page)} limit $6 offset $7`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ total: number }>(
    `select count(*) as total from svc.relationships r ${where}`,
    values,
  );
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/**
 * Returns the ends of all relationships of a source, including archived ones. Neither existing nor deleted
 * relationships are proposed.
 */
export async function storedEnds(
  executor: Executor,
  dataSourceId: number,
): Promise<(Ends & { isVerified: boolean; isArchived: boolean })[]> {
  const { rows } = await executor.query<Ends & { isVerified: boolean; isArchived: boolean }>(
    `select jsonb_build_object('schema', r.source_schema, 'table', r.source_table, 'columns', r.source_columns) as source,
       jsonb_build_object('schema', r.target_schema, 'table', r.target_table, 'columns', r.target_columns) as target,
       ${isVerified} as "isVerified", r.archived_at is not null as "isArchived"
     from svc.relationships r where r.data_source_id = $1`,
    [dataSourceId],
  );
  return rows;
}

/** Returns the ends of a source's declared keys and of the relationships that users verified. */
export async function confirmedKeys(executor: Executor, dataSourceId: number): Promise<Ends[]> {
  const ends = await storedEnds(executor, dataSourceId);
  return ends
    .filter(({ isVerified, isArchived }) => isVerified && !isArchived)
    .map(({ source, target }) => ({ source, target }));
}

/** Finds a relationship that is not archived. `forUpdate` locks it until the transaction ends. */
export async function findRelationship(
  executor: Executor,
  dataSourceId: number,
  id: number,
  { forUpdate = false }: { readonly forUpdate?: boolean } = {},
): Promise<StoredRelationship | undefined> {
  const { rows } = await executor.query<StoredRelationship>(
    `select ${columns} ${from} where r.data_source_id = $1 and r.id = $2 and r.archived_at is null
     ${forUpdate ? 'for update of r' : ''}`,
    [dataSourceId, id],
  );
  return rows[0];
}

export type NewRelationship = ProposedRelationship & {
  readonly origin: RelationshipOrigin;
  readonly createdByUserId: number | null;
  /** True when the creator may verify relationships, and so verifies this one. */
  readonly isVerified: boolean;
};

/** @returns the ids of the added relationships. Existing ones, including archived ones, are skipped. */
export async function insertRelationships(
  tx: Tx,
  dataSourceId: number,
  relationships: readonly NewRelationship[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const { source, target, ...one } of relationships) {
    const { rows } = await tx.query<{ id: number }>(
      `insert into svc.relationships (data_source_id, source_schema, source_table, source_columns, target_schema,
         target_table, target_columns, label, origin, cardinality, confidence, created_by_user_id, verified_by_user_id,
         verified_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, case when $13 then $12::int end,
         case when $13 then now() end)
       on conflict on constraint relationships_ends do nothing returning id`,
      [
        dataSourceId,
        source.schema,
        source.table,
        source.columns,
        target.schema,
        target.table,
        target.columns,
        one.label,
        one.origin,
        one.cardinality,
        one.confidence,
        one.createdByUserId,
        one.isVerified,
      ],
    );
    if (rows[0]) ids.push(rows[0].id);
  }
  return ids;
}

/**
 * Updates the declared keys to match a snapshot. A key that a user deleted remains deleted. A key that is no longer
 * declared is archived. If it is declared again, it is restored with its label.
 */
export async function syncDeclared(
  tx: Tx,
  dataSourceId: number,
  declared: readonly ProposedRelationship[],
): Promise<void> {
  const declaredRows = `jsonb_to_recordset($2::jsonb) as d (source jsonb, target jsonb, label text, cardinality text)`;
  const names = (side: 'source' | 'target') =>
    `d.${side}->>'schema', d.${side}->>'table', array(select jsonb_array_elements_text(d.${side}->'columns'))`;
  const isOf = (side: 'source' | 'target') =>
    `r.${side}_schema = d.${side}->>'schema' and r.${side}_table = d.${side}->>'table'
     and r.${side}_columns = array(select jsonb_array_elements_text(d.${side}->'columns'))`;
  const values = [dataSourceId, JSON.stringify(declared)];
  await tx.query(
    `insert into svc.relationships as r (data_source_id, source_schema, source_table, source_columns, target_schema,
       target_table, target_columns, label, origin, cardinality, confidence)
     select distinct on (d.source, d.target) $1::int, ${names('source')}, ${names('target')}, d.label, 'ForeignKey',
       d.cardinality, 1 from ${declaredRows}
     on conflict on constraint relationships_ends do update set origin = 'ForeignKey', confidence = 1,
       archived_at = null, archived_because = null, updated_at = now(), version = r.version + 1
     where r.archived_because is distinct from 'Deleted' and (r.origin <> 'ForeignKey' or r.archived_at is not null)`,
    values,
  );
  await tx.query(
    `update svc.relationships r set archived_at = now(), archived_because = 'Vanished', version = r.version + 1
     where r.data_source_id = $1 and r.origin = 'ForeignKey' and r.archived_at is null
       and not exists (select from ${declaredRows} where ${isOf('source')} and ${isOf('target')})`,
    values,
  );
}

export async function updateRelationship(
  tx: Tx,
  id: number,
  change: {
    readonly label: string | undefined;
    readonly cardinality: Cardinality;
    /** True when no caller with the right to verify has confirmed the changed cardinality. */
    readonly removesMark: boolean;
  },
): Promise<void> {
  await tx.query(
    `update svc.relationships set label = coalesce($2, label), cardinality = $3,
       verified_at = case when $4 then null else verified_at end,
       verified_by_user_id = case when $4 then null else verified_by_user_id end, updated_at = now(), version = version + 1 where id = $1`,
    [id, change.label ?? null, change.cardinality, change.removesMark],
  );
}

export async function setVerified(tx: Tx, id: number, by: { userId: number | null } | null): Promise<void> {
  await tx.query(
    `update svc.relationships set verified_by_user_id = $2, verified_at = case when $3 then now() end,
       updated_at = now(), version = version + 1 where id = $1`,
    [id, by?.userId ?? null, by !== null],
  );
}

export async function archiveRelationship(tx: Tx, id: number): Promise<void> {
  await tx.query(
    `update svc.relationships set archived_at = now(), archived_because = 'Deleted', updated_at = now(),
       version = version + 1 where id = $1`,
    [id],
  );
}
