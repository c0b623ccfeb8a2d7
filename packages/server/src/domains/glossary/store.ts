import type { GlossaryTarget } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

export type TermContent = {
  readonly dataSourceId: number | null;
  readonly term: string;
  readonly synonyms: readonly string[];
  readonly definition: string;
  readonly target: GlossaryTarget | null;
  readonly isActive: boolean;
};

export type TermRow = TermContent & {
  readonly id: number;
  readonly projectId: number;
  readonly projectName: string;
  readonly dataSourceName: string | null;
  readonly isBroken: boolean;
  readonly createdTime: Date;
  readonly updatedAt: Date;
  readonly version: number;
};

export const termSortable: Sortable = { term: 'lower(g.term) collate "C"', createdTime: 'g.created_time' };

/** A snapshot is looked at when a term is read, so that no refresh has to find the terms that it broke. */
const hasTarget = `exists (select from svc.data_source_metadata m, jsonb_array_elements(m.snapshot->'tables') t
  where m.data_source_id = g.data_source_id and t->>'schema' = g.target_schema and t->>'name' = g.target_table
    and (g.target_column is null or exists (
      select from jsonb_array_elements(t->'columns') c where c->>'name' = g.target_column)))`;

const columns = `g.id, g.project_id as "projectId", p.name as "projectName", g.data_source_id as "dataSourceId",
  d.name as "dataSourceName", g.term, g.synonyms, g.definition, case when g.target_table is not null then
    jsonb_build_object('schema', g.target_schema, 'table', g.target_table, 'column', g.target_column) end as target,
  g.is_active as "isActive", g.data_source_id is not null and (d.id is null or l.data_source_id is null
    or (g.target_table is not null and not ${hasTarget})) as "isBroken",
  g.created_time as "createdTime", g.updated_at as "updatedAt", g.version`;

const from = `svc.glossary_terms g join svc.projects p on p.id = g.project_id and p.archived_at is null
  left join svc.data_sources d on d.id = g.data_source_id and d.archived_at is null
  left join svc.project_data_sources l on l.project_id = g.project_id and l.data_source_id = g.data_source_id`;

export async function listTerms(
  executor: Executor,
  filter: {
    readonly projectId: number | null;
    readonly dataSourceId: number | null;
    readonly search: string | null;
    readonly includeInactive: boolean;
  },
  page: PageRequest,
): Promise<{ rows: TermRow[]; totalCount: number }> {
  const where = `($1::int is null or g.project_id = $1) and ($2::int is null or g.data_source_id = $2)
    and ($3::text is null or position(lower($3) in lower(concat_ws(E'\\n', g.term, g.definition,
      array_to_string(g.synonyms, E'\\n')))) > 0) and ($4 or g.is_active)`;
  const values = [filter.projectId, filter.dataSourceId, filter.search, filter.includeInactive];
  const { rows } = await executor.query<TermRow>(
    `select ${columns} from ${from} where ${where} order by ${orderBy(page)} limit $5 offset $6`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from ${from} where ${where}`,
    values,
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export async function findTerm(
  executor: Executor,
  id: number,
  { forUpdate = false } = {},
): Promise<TermRow | undefined> {
  const lock = forUpdate ? 'for no key update of g' : '';
  const { rows } = await executor.query<TermRow>(`select ${columns} from ${from} where g.id = $1 ${lock}`, [
    id,
  ]);
  return rows[0];
}

/** Whether a live data source is linked to the project. */
export async function isLinked(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
): Promise<boolean> {
  const { rows } = await executor.query(
    `select from svc.project_data_sources l join svc.data_sources d on d.id = l.data_source_id
     where l.project_id = $1 and l.data_source_id = $2 and d.archived_at is null`,
    [projectId, dataSourceId],
  );
  return rows.length > 0;
}

/** Most terms that are looked at for one question. */
const activeMax = 2_000;

/** Terms that speak of a data source: its own and those of the whole project, without those that are broken. */
export async function activeTerms(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
): Promise<Pick<TermContent, 'term' | 'synonyms' | 'definition' | 'target'>[]> {
  const { rows } = await executor.query<Pick<TermContent, 'term' | 'synonyms' | 'definition' | 'target'>>(
    `select t.term, t.synonyms, t.definition, t.target from (select ${columns} from ${from}
       where g.project_id = $1 and g.is_active and (g.data_source_id is null or g.data_source_id = $2)) t
      where not t."isBroken" order by lower(t.term) limit ${activeMax}`,
    [projectId, dataSourceId],
  );
  return rows;
}

const valuesOf = ({ dataSourceId, term, synonyms, definition, target, isActive }: TermContent) => [
  ...[dataSourceId, term, synonyms, definition],
  ...[target?.schema ?? null, target?.table ?? null, target?.column ?? null, isActive],
];

export async function insertTerm(
  tx: Tx,
  projectId: number,
  userId: number | null,
  content: TermContent,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.glossary_terms (project_id, created_by_user_id, data_source_id, term, synonyms, definition,
       target_schema, target_table, target_column, is_active)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [projectId, userId, ...valuesOf(content)],
  );
  return rows[0]?.id;
}

export async function replaceTerm(tx: Tx, id: number, content: TermContent): Promise<void> {
  await tx.query(
    `update svc.glossary_terms set data_source_id = $2, term = $3, synonyms = $4, definition = $5, target_schema = $6,
       target_table = $7, target_column = $8, is_active = $9, updated_at = now(), version = version + 1 where id = $1`,
    [id, ...valuesOf(content)],
  );
}

export async function deleteTerm(tx: Tx, id: number): Promise<void> {
  await tx.query('delete from svc.glossary_terms where id = $1', [id]);
}
