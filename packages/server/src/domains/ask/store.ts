import type { Answer, AnswerStage, AnswerState, FeedbackVerdict } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';

/** Members of an answer that are stored as JSON. */
export type AnswerDetail = Partial<
  Pick<
    Answer,
    | 'assumptions'
    | 'advisories'
    | 'clarification'
    | 'missing'
    | 'failure'
    | 'votes'
    | 'similar'
    | 'columns'
    | 'truncatedBy'
  >
>;

export type AnswerRow = {
  readonly id: number;
  readonly conversationId: number;
  readonly ownerKey: string;
  readonly projectId: number;
  readonly dataSourceId: number | null;
  readonly dataSourceName: string | null;
  readonly question: string;
  readonly isRun: boolean;
  readonly state: AnswerState;
  readonly stage: AnswerStage | null;
  readonly basis: Answer['basis'];
  readonly confidence: Answer['confidence'];
  readonly sql: string | null;
  readonly detail: AnswerDetail;
  readonly rowsSealed: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly isEstimated: boolean;
  readonly cost: number | null;
  readonly durationMs: number | null;
  readonly jobId: string | null;
  readonly askedAt: Date;
  readonly finishedAt: Date | null;
  readonly feedback: FeedbackVerdict | null;
};

const answerColumns = `a.id, a.conversation_id as "conversationId", c.owner_key as "ownerKey", c.project_id as "projectId",
  a.data_source_id as "dataSourceId", d.name as "dataSourceName", a.question, a.is_run as "isRun", a.state, a.stage,
  a.basis, a.confidence, a.sql, a.detail, a.input_tokens as "inputTokens", a.output_tokens as "outputTokens",
  a.is_estimated as "isEstimated", (a.cost_micros / 1e6)::float8 as cost, a.duration_ms as "durationMs", a.job_id as "jobId", a.asked_at as "askedAt",
  a.finished_at as "finishedAt", f.verdict as feedback`;
const answerFrom = `svc.answers a join svc.conversations c on c.id = a.conversation_id
  join svc.projects p on p.id = c.project_id and p.archived_at is null
  left join svc.data_sources d on d.id = a.data_source_id and d.archived_at is null
  left join svc.answer_feedback f on f.answer_id = a.id`;

/** Maximum number of questions that are read per conversation. */
const answersMax = 200;

/** Lists the last questions of a conversation, oldest first. */
export async function answersOf(executor: Executor, conversationId: number): Promise<AnswerRow[]> {
  const { rows } = await executor.query<AnswerRow>(
    `select * from (select ${answerColumns}, null as "rowsSealed" from ${answerFrom}
       where a.conversation_id = $1 order by a.id desc limit ${answersMax}) newest order by id`,
    [conversationId],
  );
  return rows;
}

export async function findAnswer(
  executor: Executor,
  id: number,
  { forUpdate = false } = {},
): Promise<AnswerRow | undefined> {
  const { rows } = await executor.query<AnswerRow>(
    `select ${answerColumns}, case when a.rows_until > now() then a.rows_sealed end as "rowsSealed"
      from ${answerFrom} where a.id = $1 ${forUpdate ? 'for no key update of a' : ''}`,
    [id],
  );
  return rows[0];
}

/**
 * Condition on an unfinished answer `a` that no process is working on. Its job has ended, or it has no job and its lease
 * has expired.
 */
const isAbandoned = `a.finished_at is null and case when a.job_id is null then a.lease_until < now()
  else not exists (select from svc_jobs.job j where j.id = a.job_id and j.state not in ('Completed', 'Failed', 'Cancelled')) end`;

/** Ends the abandoned answers of an owner, or of all owners (null). */
async function endAbandoned(executor: Executor, ownerKey: string | null): Promise<void> {
  await executor.query(
    `update svc.answers a set state = 'Failed', stage = null, finished_at = now(),
       detail = jsonb_build_object('failure', jsonb_build_object('code', 'Interrupted', 'message', $2::text))
      where ${isAbandoned} and ($1::text is null or a.conversation_id in (
        select id from svc.conversations where owner_key = $1))`,
    [ownerKey, 'The work on it was cut short. Ask again.'],
  );
}

/**
 * Returns the number of open answers of an owner. Ends abandoned ones first, so that a crash does not count against the
 * caller. Takes a lock until the end of the transaction, so that questions of one owner are counted one after the other.
 */
export async function countOpen(tx: Tx, ownerKey: string): Promise<number> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`ask ${ownerKey}`]);
  await endAbandoned(tx, ownerKey);
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count from svc.answers a join svc.conversations c on c.id = a.conversation_id
      where a.finished_at is null and c.owner_key = $1`,
    [ownerKey],
  );
  return rows[0]?.count ?? 0;
}

/** Renews the lease of an answer that this process is working on. Returns false if it has ended. */
export async function renewLease(executor: Executor, id: number, leaseMs: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    `update svc.answers set lease_until = now() + $2 * interval '1 millisecond'
      where id = $1 and finished_at is null`,
    [id, leaseMs],
  );
  return (rowCount ?? 0) > 0;
}

export async function insertAnswer(
  tx: Tx,
  answer: {
    readonly conversationId: number;
    readonly dataSourceId: number;
    readonly question: string;
    readonly isRun: boolean;
    /** Duration of the first lease. A process that answers by a job needs none: the job has one. */
    readonly leaseMs: number;
  },
): Promise<number> {
  const { conversationId, dataSourceId, question, isRun, leaseMs } = answer;
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.answers (conversation_id, data_source_id, question, is_run, lease_until)
      values ($1, $2, $3, $4, now() + $5 * interval '1 millisecond') returning id`,
    [conversationId, dataSourceId, question, isRun, leaseMs],
  );
  const [row] = rows;
  if (!row) throw new Error('One answer was inserted without an id.');
  return row.id;
}

export async function setAnswerJob(tx: Tx, id: number, jobId: string): Promise<void> {
  await tx.query('update svc.answers set job_id = $2 where id = $1', [id, jobId]);
}

/** Stores the current stage. Returns false if the answer has ended, for example by its user. */
export async function setStage(executor: Executor, id: number, stage: AnswerStage): Promise<boolean> {
  const { rowCount } = await executor.query(
    `update svc.answers set state = 'Working', stage = $2 where id = $1 and finished_at is null`,
    [id, stage],
  );
  return (rowCount ?? 0) > 0;
}

export type AnswerEnd = {
  readonly state: Exclude<AnswerState, 'Waiting' | 'Working'>;
  readonly basis?: Answer['basis'];
  readonly goldenExampleId?: number | null;
  readonly confidence?: Answer['confidence'];
  readonly sql?: string | null;
  readonly detail?: AnswerDetail;
  readonly tokens?: Answer['tokens'];
  readonly cost?: number | null;
  readonly durationMs?: number | null;
  readonly promptVersion?: number;
  /** Encrypted rows and their retention in days. */
  readonly rows?: { readonly sealed: string; readonly days: number } | null;
};

/** Ends an answer once. Returns false if it had already ended. */
export async function endAnswer(executor: Executor, id: number, end: AnswerEnd): Promise<boolean> {
  const { rowCount } = await executor.query(
    `update svc.answers set state = $2, stage = null, basis = $3, golden_example_id = $4, confidence = $5, sql = $6,
       detail = $7, input_tokens = $8, output_tokens = $9, is_estimated = $10, duration_ms = $11, prompt_version = $12,
       rows_sealed = $13, rows_until = case when $13::text is not null then now() + $14 * interval '1 day' end,
       cost_micros = $15, finished_at = now()
      where id = $1 and finished_at is null`,
    [
      id,
      end.state,
      end.basis ?? null,
      end.goldenExampleId ?? null,
      end.confidence ?? null,
      end.sql ?? null,
      JSON.stringify(end.detail ?? {}),
      end.tokens?.input ?? 0,
      end.tokens?.output ?? 0,
      end.tokens?.isEstimated ?? false,
      end.durationMs ?? null,
      end.promptVersion ?? null,
      end.rows?.sealed ?? null,
      end.rows?.days ?? null,
      end.cost === undefined || end.cost === null ? null : Math.round(end.cost * 1_000_000),
    ],
  );
  return (rowCount ?? 0) > 0;
}

/** Adds the usage of a model to an answer that has ended. */
export async function addUsage(
  executor: Executor,
  id: number,
  { tokens, cost }: Pick<Answer, 'tokens' | 'cost'>,
): Promise<void> {
  await executor.query(
    `update svc.answers set input_tokens = input_tokens + $2, output_tokens = output_tokens + $3,
       is_estimated = is_estimated or $4, cost_micros = coalesce(cost_micros + coalesce($5, 0), $5)
      where id = $1`,
    [
      id,
      tokens.input,
      tokens.output,
      tokens.isEstimated,
      cost === null ? null : Math.round(cost * 1_000_000),
    ],
  );
}

/** Stores the rows of an answer until their expiry. */
export async function saveRows(
  executor: Executor,
  id: number,
  rows: { readonly sealed: string; readonly days: number; readonly detail: AnswerDetail },
): Promise<void> {
  await executor.query(
    `update svc.answers set rows_sealed = $2, rows_until = now() + $3 * interval '1 day', detail = detail || $4
      where id = $1`,
    [id, rows.sealed, rows.days, JSON.stringify(rows.detail)],
  );
}

/** Retention of AI clients' questions in days. Feedback is retained. */
const clientDays = 90;

/** Deletes expired rows and old questions of AI clients, and ends abandoned answers. */
export async function sweepAnswers(executor: Executor): Promise<void> {
  await executor.query(
    `delete from svc.conversations
      where owner_key like 'client:%' and created_time < now() - $1 * interval '1 day'`,
    [clientDays],
  );
  await executor.query(
    `update svc.answers set rows_sealed = null, rows_until = null where rows_until is not null and rows_until < now()`,
  );
  await endAbandoned(executor, null);
}
