import type { PatternKind, PatternReplay, PatternState } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import { type Reach, readableProjects } from '../projects/index.ts';
import type { Pattern, PatternContent } from './mining/pattern.ts';

export type PatternRow = {
  readonly id: number;
  readonly projectId: number;
  readonly projectName: string;
  readonly dataSourceId: number;
  readonly dataSourceName: string;
  readonly kind: PatternKind;
  readonly table: string;
  readonly column: string | null;
  readonly content: PatternContent;
  readonly signalCount: number;
  readonly callerCount: number;
  readonly state: PatternState;
  readonly decidedByUserName: string | null;
  readonly decidedAt: Date | null;
  readonly replay: PatternReplay | null;
  /** Caller's right in the project: 1 reads, 2 writes, 3 manages. */
  readonly rightLevel: number;
  readonly createdTime: Date;
  readonly refreshedAt: Date;
};

export const patternSortable: Sortable = {
  signalCount: 'k.signal_count',
  callerCount: 'k.caller_count',
  createdTime: 'k.created_time',
  table: 'lower(k.table_name) collate "C"',
};

export type PatternFilter = {
  readonly projectId: number | null;
  readonly dataSourceId: number | null;
  readonly state: PatternState | null;
  readonly kind: PatternKind | null;
  readonly table: string | null;
  readonly id: number | null;
};

const columns = `k.id, k.project_id as "projectId", p.name as "projectName", k.data_source_id as "dataSourceId",
  d.name as "dataSourceName", k.kind, k.table_name as "table", k.column_name as "column", k.content,
  k.signal_count as "signalCount", k.caller_count as "callerCount", k.state, u.user_name as "decidedByUserName",
  k.decided_at as "decidedAt", k.replay, reach.right_level as "rightLevel", k.created_time as "createdTime",
  k.refreshed_at as "refreshedAt"`;

/** Selects patterns of readable projects and of data sources that are linked to them. */
function readablePatterns(reach: Reach, filter: PatternFilter) {
  const { projectId, dataSourceId, state, kind, table, id } = filter;
  const own = [projectId, dataSourceId, state, kind, table, id];
  const readable = readableProjects(reach, own.length + 1);
  const from = `svc.learned_patterns k join (${readable.text}) reach on reach.project_id = k.project_id
    join svc.projects p on p.id = k.project_id
    join svc.data_sources d on d.id = k.data_source_id and d.archived_at is null
    join svc.project_data_sources l on l.project_id = k.project_id and l.data_source_id = k.data_source_id
    left join svc.users u on u.id = k.decided_by_user_id
    where ($1::int is null or k.project_id = $1) and ($2::int is null or k.data_source_id = $2)
      and ($3::text is null or k.state = $3) and ($4::text is null or k.kind = $4)
      and ($5::text is null or position(lower($5) in lower(k.table_name)) > 0) and ($6::int is null or k.id = $6)`;
  return { from, values: [...own, ...readable.values] };
}

export async function listPatterns(
  executor: Executor,
  reach: Reach,
  filter: PatternFilter,
  page: PageRequest,
): Promise<{ rows: PatternRow[]; totalCount: number }> {
  const { from, values } = readablePatterns(reach, filter);
  const { rows } = await executor.query<PatternRow>(
    `select ${columns} from ${from} order by ${orderBy(page)} limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from ${from}`,
    values,
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

const anyPattern: PatternFilter = {
  projectId: null,
  dataSourceId: null,
  state: null,
  kind: null,
  table: null,
  id: null,
};

export async function findPattern(
  executor: Executor,
  reach: Reach,
  id: number,
  { forUpdate = false } = {},
): Promise<PatternRow | undefined> {
  const { from, values } = readablePatterns(reach, { ...anyPattern, id });
  const lock = forUpdate ? 'for no key update of k' : '';
  const { rows } = await executor.query<PatternRow>(`select ${columns} from ${from} ${lock}`, values);
  return rows[0];
}

export async function decidePattern(
  tx: Tx,
  id: number,
  decision: {
    readonly state: 'Approved' | 'Rejected';
    readonly userId: number | null;
    readonly replay: PatternReplay | null;
  },
): Promise<void> {
  await tx.query(
    `update svc.learned_patterns set state = $2, decided_by_user_id = $3, decided_at = now(),
       replay = coalesce($4::jsonb, replay) where id = $1`,
    [id, decision.state, decision.userId, decision.replay && JSON.stringify(decision.replay)],
  );
}

/**
 * Stores patterns. An existing pattern gets the new counts and retains its decision; a superseded pattern is proposed
 * again. Counts never decrease, because signals expire.
 */
export async function savePatterns(
  tx: Tx,
  projectId: number,
  dataSourceId: number,
  patterns: readonly Pattern[],
): Promise<void> {
  await tx.query(
    `insert into svc.learned_patterns as k (project_id, data_source_id, kind, identity, table_name, column_name, content,
       signal_count, caller_count)
     select $1, $2, f.kind, f.identity, f."table", f."column", f.content, f."signalCount", f."callerCount"
     from jsonb_to_recordset($3::jsonb) as f(kind text, identity text, "table" text, "column" text, content jsonb,
       "signalCount" int, "callerCount" int)
     on conflict (project_id, data_source_id, kind, identity) do update set content = excluded.content,
       signal_count = greatest(k.signal_count, excluded.signal_count),
       caller_count = greatest(k.caller_count, excluded.caller_count), refreshed_at = now(),
       state = case when k.state = 'Superseded' then 'Proposed' else k.state end`,
    [projectId, dataSourceId, JSON.stringify(patterns)],
  );
}

export type StandingPattern = {
  readonly id: number;
  readonly kind: PatternKind;
  readonly table: string;
  readonly content: PatternContent;
};

/** Returns proposed and approved patterns. */
export async function standingPatterns(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
): Promise<StandingPattern[]> {
  const { rows } = await executor.query<StandingPattern>(
    `select id, kind, table_name as "table", content from svc.learned_patterns
      where project_id = $1 and data_source_id = $2 and state in ('Proposed', 'Approved') order by id`,
    [projectId, dataSourceId],
  );
  return rows;
}

export async function supersede(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query(`update svc.learned_patterns set state = 'Superseded' where id = any($1)`, [ids]);
  await tx.query(
    `update svc.documentation_patches set state = 'Superseded' where pattern_id = any($1) and state = 'Proposed'`,
    [ids],
  );
}

/**
 * Returns approved patterns, most used first. Excludes documentation gaps, because they do not help to write a
 * statement.
 */
export async function approvedContents(
  executor: Executor,
  projectId: number,
  dataSourceId: number | null,
): Promise<{ readonly table: string; readonly content: PatternContent }[]> {
  const { rows } = await executor.query<{ table: string; content: PatternContent }>(
    `select k.table_name as "table", k.content from svc.learned_patterns k
      join svc.project_data_sources l on l.project_id = k.project_id and l.data_source_id = k.data_source_id
      where k.project_id = $1 and ($2::int is null or k.data_source_id = $2) and k.state = 'Approved'
        and k.kind <> 'DocumentationGap'
      order by k.signal_count desc, k.id limit 100`,
    [projectId, dataSourceId],
  );
  return rows;
}
