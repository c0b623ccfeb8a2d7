import type { Metadata } from '@svc/connectors';
import type { Executor } from '../../platform/db/index.ts';
import type { ColumnName, Join } from './statements/read-statement.ts';

/** A stored signal: names of the schema. It contains texts only when the project permits their storage. */
export type SignalRow = {
  readonly projectId: number;
  readonly dataSourceId: number;
  readonly callerHash: string;
  readonly tool: string;
  readonly outcome: string;
  readonly answerId: number | null;
  readonly tables: readonly string[];
  readonly columns: readonly ColumnName[];
  readonly joins: readonly Join[];
  readonly unknownNames: readonly string[];
  readonly shape: string | null;
  readonly createdTime: Date;
};

export async function insertSignals(executor: Executor, signals: readonly SignalRow[]): Promise<void> {
  await executor.query(
    `insert into svc.learning_signals (project_id, data_source_id, caller_hash, tool, outcome, answer_id, tables, columns,
       joins, unknown_names, shape, created_time)
     select s."projectId", s."dataSourceId", s."callerHash", s.tool, s.outcome, s."answerId", s.tables, s.columns, s.joins,
       s."unknownNames", s.shape, s."createdTime"
     from jsonb_to_recordset($1::jsonb) as s("projectId" int, "dataSourceId" int, "callerHash" text, tool text, outcome text,
       "answerId" int, tables text[], columns jsonb, joins jsonb, "unknownNames" text[], shape text,
       "createdTime" timestamptz)`,
    [JSON.stringify(signals)],
  );
}

/** Returns the stored schema of a live data source; undefined without a snapshot. Contains no permission check. */
export async function storedSchema(
  executor: Executor,
  dataSourceId: number,
): Promise<{ readonly engine: string; readonly tables: Metadata['tables'] } | undefined> {
  const { rows } = await executor.query<{ engine: string; snapshot: Metadata }>(
    `select d.engine, m.snapshot from svc.data_sources d join svc.data_source_metadata m on m.data_source_id = d.id
      where d.id = $1 and d.archived_at is null`,
    [dataSourceId],
  );
  const [row] = rows;
  return row && { engine: row.engine, tables: row.snapshot.tables };
}

/** Upper bound for signals per pass; the newest remain. */
const signalsMax = 20_000;

/** Returns the signals of a data source in a project, oldest first. Excludes answers that users marked as wrong. */
export async function signalsOf(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
): Promise<SignalRow[]> {
  const { rows } = await executor.query<SignalRow>(
    `select * from (
       select s.id, s.project_id as "projectId", s.data_source_id as "dataSourceId", s.caller_hash as "callerHash", s.tool,
         s.outcome, s.answer_id as "answerId", s.tables, s.columns, s.joins, s.unknown_names as "unknownNames", s.shape,
         s.created_time as "createdTime"
       from svc.learning_signals s
       where s.project_id = $1 and s.data_source_id = $2
         and not exists (select from svc.answer_feedback f where f.answer_id = s.answer_id and f.verdict = 'Wrong')
       order by s.created_time desc, s.id desc limit ${signalsMax}) newest
     order by "createdTime", id`,
    [projectId, dataSourceId],
  );
  return rows;
}

/** Returns projects and linked data sources with new signals or with existing patterns. */
export async function learnable(
  executor: Executor,
  onlyProjectId: number | null,
): Promise<{ readonly projectId: number; readonly dataSourceId: number }[]> {
  const { rows } = await executor.query<{ projectId: number; dataSourceId: number }>(
    `select l.project_id as "projectId", l.data_source_id as "dataSourceId"
      from svc.project_data_sources l
      join svc.projects p on p.id = l.project_id and p.archived_at is null
      join svc.data_sources d on d.id = l.data_source_id and d.archived_at is null
      where ($1::int is null or p.id = $1)
        and (exists (select from svc.learning_signals s where s.project_id = p.id and s.data_source_id = d.id)
          or exists (select from svc.learned_patterns k where k.project_id = p.id and k.data_source_id = d.id)
          or exists (select from svc.answer_feedback f where f.project_id = p.id and f.data_source_id = d.id))
      order by 1, 2`,
    [onlyProjectId],
  );
  return rows;
}

/** Upper bound for confirmed answers; the newest remain. */
const rightMax = 2_000;

/** Returns statements that users confirmed, or wrote as a correction. */
export async function rightStatements(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
): Promise<{ readonly sql: string; readonly saidBy: string }[]> {
  const { rows } = await executor.query<{ sql: string; saidBy: string }>(
    `select coalesce(f.right_sql, f.sql) as sql, coalesce(f.user_id::text, '') as "saidBy" from svc.answer_feedback f
      where f.project_id = $1 and f.data_source_id = $2
        and (f.right_sql is not null or (f.verdict = 'Right' and f.sql is not null))
      order by f.id desc limit ${rightMax}`,
    [projectId, dataSourceId],
  );
  return rows;
}

/** Retention of signals. Patterns from deleted signals remain. */
const signalDays = 90;
const dropBatch = 10_000;

export async function dropOldSignals(executor: Executor): Promise<void> {
  await executor.query(
    `delete from svc.learning_signals where id in (
       select id from svc.learning_signals where created_time < now() - $1 * interval '1 day'
       order by created_time limit ${dropBatch})`,
    [signalDays],
  );
}
