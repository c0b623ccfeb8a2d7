import type { EvalResult, EvalState, EvalVerdict } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

export type RunRow = {
  readonly id: number;
  readonly projectId: number | null;
  readonly projectName: string | null;
  readonly goldenIds: readonly number[];
  readonly state: EvalState;
  readonly failure: string | null;
  readonly repeats: number;
  readonly maxTokens: number | null;
  readonly model: string | null;
  /** Null for an evaluation that a user started. */
  readonly minAccuracy: number | null;
  readonly jobId: string | null;
  readonly startedByName: string | null;
  readonly startedByUserId: number | null;
  readonly createdTime: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly doneCount: number;
  readonly tokens: number;
  readonly repairs: number;
  /** Verdicts of questions with an answer and of questions without an answer. */
  readonly counts: readonly {
    readonly expected: EvalResult['expected'];
    readonly verdict: EvalVerdict;
    readonly count: number;
  }[];
};

export const runSortable: Sortable = { createdTime: 'r.created_time' };
export const resultSortable: Sortable = { question: 'lower(e.question) collate "C"', verdict: 'e.verdict' };

const columns = `r.id, r.project_id as "projectId", p.name as "projectName", r.golden_ids as "goldenIds", r.state,
  r.failure, r.repeats, r.max_tokens::float8 as "maxTokens", r.model,
  r.min_accuracy as "minAccuracy", r.job_id as "jobId",
  u.display_name as "startedByName", r.started_by_user_id as "startedByUserId", r.created_time as "createdTime",
  r.started_at as "startedAt", r.finished_at as "finishedAt", done.count as "doneCount", done.tokens, done.repairs,
  done.counts`;
const runsWithProject = `svc.eval_runs r left join svc.projects p on p.id = r.project_id`;
/** True for a run of all projects, and for a run of a live project. */
const isLive = '(r.project_id is null or p.archived_at is null)';
const from = `${runsWithProject}
  left join svc.users u on u.id = r.started_by_user_id
  cross join lateral (
    select coalesce(sum(c.count), 0)::int as count, coalesce(sum(c.tokens), 0)::float8 as tokens,
      coalesce(sum(c.repairs), 0)::int as repairs,
      coalesce(jsonb_agg(jsonb_build_object('expected', c.expected, 'verdict', c.verdict, 'count', c.count)), '[]') as counts
    from (select e.expected, e.verdict, count(*)::int as count, sum(e.input_tokens + e.output_tokens) as tokens,
        sum(e.repairs) as repairs
      from svc.eval_results e where e.run_id = r.id group by e.expected, e.verdict) c) done`;

/** Returns one page of the evaluations that are of all projects or of a live project. */
export async function listRuns(
  executor: Executor,
  projectId: number | null,
  page: PageRequest,
): Promise<{ rows: RunRow[]; totalCount: number }> {
  const where = `${isLive} and ($1::int is null or r.project_id = $1)`;
  const { rows } = await executor.query<RunRow>(
    `select ${columns} from ${from} where ${where} order by ${orderBy(page)} limit $2 offset $3`,
    [projectId, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from ${runsWithProject} where ${where}`,
    [projectId],
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Finds a run, including one of an archived project. */
export async function findRun(executor: Executor, id: number): Promise<RunRow | undefined> {
  const { rows } = await executor.query<RunRow>(`select ${columns} from ${from} where r.id = $1`, [id]);
  return rows[0];
}

/** Finds a run that the list can show. */
export async function findListedRun(executor: Executor, id: number): Promise<RunRow | undefined> {
  const { rows } = await executor.query<RunRow>(
    `select ${columns} from ${from} where r.id = $1 and ${isLive}`,
    [id],
  );
  return rows[0];
}

export type NewRun = {
  readonly projectId: number | null;
  readonly goldenIds: readonly number[];
  readonly repeats: number;
  readonly maxTokens: number | null;
  readonly minAccuracy: number | null;
  readonly userId: number | null;
  /** Slot of the schedule; absent for a start without a schedule. */
  readonly slotAt?: Date;
};

export async function insertRun(tx: Tx, run: NewRun): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.eval_runs (project_id, golden_ids, repeats, max_tokens, min_accuracy, started_by_user_id,
       slot_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [
      run.projectId,
      run.goldenIds,
      run.repeats,
      run.maxTokens,
      run.minAccuracy,
      run.userId,
      run.slotAt ?? null,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('One evaluation was inserted without an id.');
  return row.id;
}

export async function setRunJob(tx: Tx, id: number, jobId: string): Promise<void> {
  await tx.query('update svc.eval_runs set job_id = $2 where id = $1', [id, jobId]);
}

/** Marks an evaluation as running. Returns false when it has ended. */
export async function markRunning(executor: Executor, id: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    `update svc.eval_runs set state = 'Running', started_at = coalesce(started_at, now())
      where id = $1 and finished_at is null`,
    [id],
  );
  return (rowCount ?? 0) > 0;
}

/** Ends an evaluation. Returns false when it has already ended. */
export async function endRun(
  executor: Executor,
  id: number,
  state: Exclude<EvalState, 'Waiting' | 'Running'>,
  failure: string | null = null,
): Promise<boolean> {
  const { rowCount } = await executor.query(
    `update svc.eval_runs set state = $2, failure = $3, finished_at = now() where id = $1 and finished_at is null`,
    [id, state, failure],
  );
  return (rowCount ?? 0) > 0;
}

/** Returns the keys of evaluated questions and their repetitions. */
export async function evaluatedCasesOf(executor: Executor, runId: number): Promise<ReadonlySet<string>> {
  const { rows } = await executor.query<{ key: string }>(
    `select golden_id || '/' || repeat_no as key from svc.eval_results where run_id = $1`,
    [runId],
  );
  return new Set(rows.map(({ key }) => key));
}

export type NewResult = {
  readonly goldenId: number;
  readonly repeatNo: number;
  readonly question: string;
  readonly expected: EvalResult['expected'];
  readonly goldSql: string | null;
  readonly sql: string | null;
  readonly verdict: EvalVerdict;
  readonly detail: string | null;
  readonly repairs: number;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly durationMs: number;
};

/** Stores the result of a question and the model that answered. */
export async function insertResult(
  executor: Executor,
  runId: number,
  model: string | null,
  result: NewResult,
): Promise<void> {
  await executor.query('update svc.eval_runs set model = coalesce($2, model) where id = $1', [runId, model]);
  await executor.query(
    `insert into svc.eval_results (run_id, golden_id, repeat_no, question, expected, gold_sql, sql, verdict, detail,
       repairs, input_tokens, output_tokens, duration_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (run_id, golden_id, repeat_no) do nothing`,
    [
      runId,
      result.goldenId,
      result.repeatNo,
      result.question,
      result.expected,
      result.goldSql,
      result.sql,
      result.verdict,
      result.detail,
      result.repairs,
      result.tokens.input,
      result.tokens.output,
      result.durationMs,
    ],
  );
}

/** True for a result whose question belongs to no archived project. A deleted question belongs to no project. */
const isOfLiveProject = `not exists (select from svc.golden_examples g join svc.projects p on p.id = g.project_id
  where g.id = e.golden_id and p.archived_at is not null)`;

/** Returns one page of the results of a run, without questions of archived projects. */
export async function listResults(
  executor: Executor,
  runId: number,
  verdict: EvalVerdict | null,
  page: PageRequest,
): Promise<{ rows: EvalResult[]; totalCount: number }> {
  const where = `e.run_id = $1 and ($2::text is null or e.verdict = $2) and ${isOfLiveProject}`;
  const { rows } = await executor.query<EvalResult>(
    `select e.id, e.golden_id as "goldenExampleId", e.repeat_no as repeat, e.question, e.expected,
       e.gold_sql as "goldSql", e.sql, e.verdict, e.detail, e.repairs, e.input_tokens + e.output_tokens as tokens,
       e.duration_ms as "durationMs"
      from svc.eval_results e where ${where} order by ${orderBy(page)} limit $3 offset $4`,
    [runId, verdict, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from svc.eval_results e where ${where}`,
    [runId, verdict],
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Returns for each question of a run whether all its repetitions passed, without questions of archived projects. */
export async function passedOf(executor: Executor, runId: number): Promise<ReadonlyMap<number, boolean>> {
  const { rows } = await executor.query<{ id: number; passed: boolean }>(
    `select e.golden_id as id, bool_and(e.verdict = 'Passed') as passed from svc.eval_results e
      where e.run_id = $1 and e.verdict <> 'Harness' and ${isOfLiveProject} group by e.golden_id`,
    [runId],
  );
  return new Map(rows.map(({ id, passed }) => [id, passed]));
}
