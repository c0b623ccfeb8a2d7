import type { GlossaryTarget } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

export type TermContent = {
  readonly dataSourceId: number | null;
  readonly term: string;
  readonly synonyms: readonly string[];
  readonly definition: string;
  readonly target: GlossaryTarget | null;
  /** SQL expression with one value over the rows of the target's table. */
  readonly metricExpression: string | null;
  readonly isActive: boolean;
};

export type TermRow = TermContent & {
  readonly id: number;
  readonly projectId: number;
  readonly projectName: string;
  readonly dataSourceName: string | null;
  readonly isBroken: boolean;
  /** The data source exists and is linked to the project; true for a term without a data source. */
  readonly isLinked: boolean;
  /** Error of the engine at the last check. */
  readonly brokenReason: string | null;
  readonly checkedAt: Date | null;
  readonly createdTime: Date;
  readonly updatedAt: Date;
  readonly version: number;
};

export const termSortable: Sortable = { term: 'lower(g.term) collate "C"', createdTime: 'g.created_time' };

/** Checks the current snapshot on each read, so a refresh without the target breaks the term immediately. */
const hasTarget = `exists (select from svc.data_source_metadata m, jsonb_array_elements(m.snapshot->'tables') t
  where m.data_source_id = g.data_source_id and t->>'schema' = g.target_schema and t->>'name' = g.target_table
    and (g.target_column is null or exists (
      select from jsonb_array_elements(t->'columns') c where c->>'name' = g.target_column)))`;

const columns = `g.id, g.project_id as "projectId", p.name as "projectName", g.data_source_id as "dataSourceId",
  d.name as "dataSourceName", g.term, g.synonyms, g.definition, case when g.target_table is not null then
    jsonb_build_object('schema', g.target_schema, 'table', g.target_table, 'column', g.target_column) end as target,
  g.metric_expression as "metricExpression", g.is_active as "isActive", g.broken_reason is not null
    or (g.data_source_id is not null and (d.id is null or l.data_source_id is null
      or (g.target_table is not null and not ${hasTarget}))) as "isBroken",
  g.data_source_id is null or (d.id is not null and l.data_source_id is not null) as "isLinked",
  g.broken_reason as "brokenReason", g.checked_at as "checkedAt",
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

/** Returns all terms of a project, ordered by term. */
export async function termsOf(executor: Executor, projectId: number): Promise<TermRow[]> {
  const { rows } = await executor.query<TermRow>(
    `select ${columns} from ${from} where g.project_id = $1 order by lower(g.term) collate "C"`,
    [projectId],
  );
  return rows;
}

/** Returns the engine of a live data source linked to the project; undefined when no such link exists. */
export async function linkedEngine(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
): Promise<string | undefined> {
  const { rows } = await executor.query<{ engine: string }>(
    `select d.engine from svc.project_data_sources l join svc.data_sources d on d.id = l.data_source_id
     where l.project_id = $1 and l.data_source_id = $2 and d.archived_at is null`,
    [projectId, dataSourceId],
  );
  return rows[0]?.engine;
}

/** Upper bound for terms considered per question. */
const activeMax = 2_000;

type ToldTerm = Pick<TermContent, 'term' | 'synonyms' | 'definition' | 'target' | 'metricExpression'>;

/**
 * Returns active, unbroken terms of a data source and of the whole project.
 *
 * @param dataSourceId  Null means the terms of every data source.
 */
export async function activeTerms(
  executor: Executor,
  projectId: number,
  dataSourceId: number | null,
): Promise<ToldTerm[]> {
  const { rows } = await executor.query<ToldTerm>(
    `select t.term, t.synonyms, t.definition, t.target, t."metricExpression" from (select ${columns} from ${from}
       where g.project_id = $1 and g.is_active
         and ($2::int is null or g.data_source_id is null or g.data_source_id = $2)) t
      where not t."isBroken" order by lower(t.term) limit ${activeMax}`,
    [projectId, dataSourceId],
  );
  return rows;
}

const valuesOf = (content: TermContent, checkedAt: Date | null) => [
  content.dataSourceId,
  content.term,
  content.synonyms,
  content.definition,
  content.target?.schema ?? null,
  content.target?.table ?? null,
  content.target?.column ?? null,
  content.metricExpression,
  content.isActive,
  checkedAt,
];

export async function insertTerm(
  tx: Tx,
  about: { readonly projectId: number; readonly userId: number | null; readonly checkedAt: Date | null },
  content: TermContent,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.glossary_terms (project_id, created_by_user_id, data_source_id, term, synonyms, definition,
       target_schema, target_table, target_column, metric_expression, is_active, checked_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
    [about.projectId, about.userId, ...valuesOf(content, about.checkedAt)],
  );
  return rows[0]?.id;
}

/** @param checkedAt  Time of a passed check. Null means no check; the earlier check result remains. */
export async function replaceTerm(
  tx: Tx,
  id: number,
  content: TermContent,
  checkedAt: Date | null,
): Promise<void> {
  await tx.query(
    `update svc.glossary_terms set data_source_id = $2, term = $3, synonyms = $4, definition = $5, target_schema = $6,
       target_table = $7, target_column = $8, metric_expression = $9, is_active = $10,
       checked_at = case when $7::text is not null then coalesce($11, checked_at) end,
       broken_reason = case when $7::text is not null and $11::timestamptz is null then broken_reason end,
       updated_at = now(), version = version + 1 where id = $1`,
    [id, ...valuesOf(content, checkedAt)],
  );
}

/** A term with the members that an engine check needs. */
export type CheckableTerm = Pick<TermRow, 'id' | 'version' | 'target' | 'metricExpression'> & {
  readonly dataSourceId: number;
  readonly engine: string;
};

/**
 * Returns active terms with a target on a linked source, of a project or of a data source. The longest unchecked come
 * first.
 */
export async function checkableTerms(
  executor: Executor,
  of: { readonly projectId: number | null; readonly dataSourceId: number | null },
  limit: number,
): Promise<CheckableTerm[]> {
  const { rows } = await executor.query<CheckableTerm>(
    `select t.id, t.version, t.target, t."metricExpression", t."dataSourceId", t.engine
      from (select ${columns}, d.engine from ${from}
        where ($1::int is null or g.project_id = $1) and ($2::int is null or g.data_source_id = $2)
          and g.is_active and g.target_table is not null) t
      where t."isLinked" order by t."checkedAt" nulls first, t.id limit $3`,
    [of.projectId, of.dataSourceId, limit],
  );
  return rows;
}

/** Returns true when an active term refers to a table of the data source. */
export async function hasTargets(executor: Executor, dataSourceId: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    `select from svc.glossary_terms where data_source_id = $1 and target_table is not null and is_active limit 1`,
    [dataSourceId],
  );
  return (rowCount ?? 0) > 0;
}

/** Stores the result of a check, unless the term has changed since: the result then applies to an earlier version. */
export async function markChecked(
  executor: Executor,
  { id, version }: Pick<CheckableTerm, 'id' | 'version'>,
  checkedAt: Date,
  brokenReason: string | null,
): Promise<void> {
  await executor.query(
    'update svc.glossary_terms set checked_at = $3, broken_reason = $4 where id = $1 and version = $2',
    [id, version, checkedAt, brokenReason],
  );
}

export async function deleteTerm(tx: Tx, id: number): Promise<void> {
  await tx.query('delete from svc.glossary_terms where id = $1', [id]);
}
