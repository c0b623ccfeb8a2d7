import type { GoldenExample } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import { questionKey } from './question.ts';

export type GoldenContent = {
  readonly dataSourceId: number;
  readonly question: string;
  readonly questionKey: string;
  readonly expected: GoldenExample['expected'];
  readonly sql: string | null;
  readonly notes: string | null;
  readonly isActive: boolean;
};

export type GoldenRow = Omit<GoldenContent, 'questionKey'> & {
  readonly id: number;
  readonly projectId: number;
  readonly projectName: string;
  readonly dataSourceName: string | null;
  /** The data source exists and is linked to the project. */
  readonly isLinked: boolean;
  readonly brokenReason: string | null;
  readonly checkedAt: Date | null;
  readonly createdTime: Date;
  readonly updatedAt: Date;
  readonly version: number;
};

export const goldenSortable: Sortable = {
  question: 'lower(g.question) collate "C"',
  createdTime: 'g.created_time',
  checkedAt: 'g.checked_at',
};

const columns = `g.id, g.project_id as "projectId", p.name as "projectName", g.data_source_id as "dataSourceId",
  d.name as "dataSourceName", d.id is not null and l.data_source_id is not null as "isLinked", g.question, g.expected,
  g.sql, g.notes, g.is_active as "isActive", g.broken_reason as "brokenReason", g.checked_at as "checkedAt",
  g.created_time as "createdTime", g.updated_at as "updatedAt", g.version`;

const from = `svc.golden_examples g join svc.projects p on p.id = g.project_id and p.archived_at is null
  left join svc.data_sources d on d.id = g.data_source_id and d.archived_at is null
  left join svc.project_data_sources l on l.project_id = g.project_id and l.data_source_id = g.data_source_id`;

export type GoldenFilter = {
  readonly projectId: number | null;
  readonly dataSourceId: number | null;
  readonly search: string | null;
  readonly includeInactive: boolean;
  readonly brokenOnly: boolean;
};

export async function listGolden(
  executor: Executor,
  filter: GoldenFilter,
  page: PageRequest,
): Promise<{ rows: GoldenRow[]; totalCount: number }> {
  const where = `($1::int is null or g.project_id = $1) and ($2::int is null or g.data_source_id = $2)
    and ($3::text is null or position(lower($3) in lower(concat_ws(E'\\n', g.question, g.sql, g.notes))) > 0)
    and ($4 or g.is_active)
    and (not $5 or g.broken_reason is not null or d.id is null or l.data_source_id is null)`;
  const { projectId, dataSourceId, search, includeInactive, brokenOnly } = filter;
  const values = [projectId, dataSourceId, search, includeInactive, brokenOnly];
  const { rows } = await executor.query<GoldenRow>(
    `select ${columns} from ${from} where ${where} order by ${orderBy(page)} limit $6 offset $7`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from ${from} where ${where}`,
    values,
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export async function findGolden(
  executor: Executor,
  id: number,
  { forUpdate = false } = {},
): Promise<GoldenRow | undefined> {
  const lock = forUpdate ? 'for no key update of g' : '';
  const { rows } = await executor.query<GoldenRow>(`select ${columns} from ${from} where g.id = $1 ${lock}`, [
    id,
  ]);
  return rows[0];
}

/** Returns true when a live data source is linked to the project. */
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

const valuesOf = (content: GoldenContent, checkedAt: Date | null) => [
  content.dataSourceId,
  content.question,
  content.questionKey,
  content.expected,
  content.sql,
  content.notes,
  content.isActive,
  checkedAt,
];

export async function insertGolden(
  tx: Tx,
  about: { readonly projectId: number; readonly userId: number | null; readonly checkedAt: Date | null },
  content: GoldenContent,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.golden_examples (project_id, created_by_user_id, data_source_id, question, question_key, expected,
       sql, notes, is_active, checked_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [about.projectId, about.userId, ...valuesOf(content, about.checkedAt)],
  );
  return rows[0]?.id;
}

/** Replaces the content of an example. The gates have just accepted it, so its broken mark is removed. */
export async function replaceGolden(
  tx: Tx,
  id: number,
  content: GoldenContent,
  checkedAt: Date | null,
): Promise<void> {
  await tx.query(
    `update svc.golden_examples set data_source_id = $2, question = $3, question_key = $4, expected = $5, sql = $6,
       notes = $7, is_active = $8, checked_at = $9, broken_reason = null, updated_at = now(), version = version + 1
      where id = $1`,
    [id, ...valuesOf(content, checkedAt)],
  );
}

export async function deleteGolden(tx: Tx, id: number): Promise<void> {
  await tx.query('delete from svc.golden_examples where id = $1', [id]);
}

export type Checkable = {
  readonly id: number;
  readonly dataSourceId: number;
  readonly sql: string;
  readonly version: number;
};

/** Returns active examples with a statement on a linked source, longest unchecked first. */
export async function checkableGolden(
  executor: Executor,
  { projectId, dataSourceId }: { readonly projectId: number | null; readonly dataSourceId: number | null },
  limit: number,
): Promise<Checkable[]> {
  const { rows } = await executor.query<Checkable>(
    `select g.id, g.data_source_id as "dataSourceId", g.sql, g.version from ${from}
      where ($1::int is null or g.project_id = $1) and ($2::int is null or g.data_source_id = $2)
        and g.is_active and g.sql is not null and d.id is not null and l.data_source_id is not null
      order by g.checked_at nulls first, g.id limit $3`,
    [projectId, dataSourceId, limit],
  );
  return rows;
}

/** Returns true when a source has active examples with a statement. */
export async function hasCheckable(executor: Executor, dataSourceId: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    'select from svc.golden_examples where data_source_id = $1 and is_active and sql is not null limit 1',
    [dataSourceId],
  );
  return (rowCount ?? 0) > 0;
}

/**
 * Stores the result of a check, unless the example has changed since: the result then applies to an earlier statement.
 */
export async function markChecked(
  executor: Executor,
  { id, version }: Pick<Checkable, 'id' | 'version'>,
  checkedAt: Date,
  brokenReason: string | null,
): Promise<void> {
  await executor.query(
    'update svc.golden_examples set checked_at = $3, broken_reason = $4 where id = $1 and version = $2',
    [id, version, checkedAt, brokenReason],
  );
}

/** Upper bound for examples considered per question. */
const soundMax = 2_000;

/** Returns active examples on a linked data source whose statement passed the last check. */
export async function soundExamples(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
): Promise<{ readonly id: number; readonly question: string; readonly sql: string }[]> {
  const { rows } = await executor.query<{ id: number; question: string; sql: string }>(
    `select g.id, g.question, g.sql from ${from}
      where g.project_id = $1 and g.data_source_id = $2 and g.is_active and g.sql is not null
        and g.broken_reason is null and d.id is not null and l.data_source_id is not null
      order by g.id limit ${soundMax}`,
    [projectId, dataSourceId],
  );
  return rows;
}

/** Returns the active example of a question in any spelling, when its statement passed the last check. */
export async function exampleFor(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
  question: string,
): Promise<{ readonly id: number; readonly sql: string | null; readonly notes: string | null } | undefined> {
  const { rows } = await executor.query<{ id: number; sql: string | null; notes: string | null }>(
    `select g.id, g.sql, g.notes from ${from}
      where g.project_id = $1 and g.data_source_id = $2 and g.question_key = $3 and g.is_active
        and g.broken_reason is null and d.id is not null and l.data_source_id is not null`,
    [projectId, dataSourceId, questionKey(question)],
  );
  return rows[0];
}

export type CheckedExample = {
  readonly id: number;
  readonly projectId: number;
  readonly dataSourceId: number;
  readonly question: string;
  readonly expected: GoldenExample['expected'];
  readonly sql: string | null;
};

/**
 * Returns active, unbroken examples on linked sources, ordered by id. The filter is a project, a list of ids, or
 * neither.
 */
export async function checkedExamples(
  executor: Executor,
  { projectId, ids }: { readonly projectId: number | null; readonly ids: readonly number[] | null },
): Promise<CheckedExample[]> {
  const { rows } = await executor.query<CheckedExample>(
    `select g.id, g.project_id as "projectId", g.data_source_id as "dataSourceId", g.question, g.expected, g.sql
      from ${from}
      where ($1::int is null or g.project_id = $1) and ($2::int[] is null or g.id = any($2)) and g.is_active
        and g.broken_reason is null and d.id is not null and l.data_source_id is not null
      order by g.id limit ${soundMax}`,
    [projectId, ids],
  );
  return rows;
}
