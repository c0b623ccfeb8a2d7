import type {
  ContractEvaluation,
  EvaluationFailure,
  EvaluationReason,
  EvaluationStatus,
  RuleOutcome,
  RuleSeverity,
  RuleType,
} from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

/** A stored evaluation. */
export type EvaluationRow = Omit<ContractEvaluation, 'createdTime' | 'startedAt' | 'finishedAt'> & {
  readonly createdTime: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

const columns = `e.id, e.contract_id as "contractId", e.created_time as "createdTime", e.trigger, e.status, e.reason,
  e.failed_because as "failedBecause", e.score, e.fail_score as "failScore",
  e.total_rows as "totalRows", coalesce(u.display_name, u.user_name) as "startedByUserName",
  e.started_at as "startedAt", e.finished_at as "finishedAt"`;
const from = 'from svc.contract_evaluations e left join svc.users u on u.id = e.started_by_user_id';

export const evaluationSortable: Sortable = { createdTime: 'e.created_time', score: 'e.score' };

export async function listEvaluations(
  executor: Executor,
  contractId: number,
  status: EvaluationStatus | null,
  page: PageRequest,
): Promise<{ rows: EvaluationRow[]; totalCount: number }> {
  const where = `${from} where e.contract_id = $1 and ($2::text is null or e.status = $2)`;
  const { rows } = await executor.query<EvaluationRow>(
    `select ${columns} ${where} order by ${orderBy(page)} limit $3 offset $4`,
    [contractId, status, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(`select count(*) as count ${where}`, [
    contractId,
    status,
  ]);
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export async function findEvaluation(
  executor: Executor,
  contractId: number,
  id: number,
): Promise<EvaluationRow | undefined> {
  const { rows } = await executor.query<EvaluationRow>(
    `select ${columns} ${from} where e.contract_id = $1 and e.id = $2`,
    [contractId, id],
  );
  return rows[0];
}

export type NewEvaluation = {
  readonly contractId: number;
  readonly trigger: 'Schedule' | 'Manual';
  readonly startedByUserId: number | null;
  readonly traceId: string | null;
  /** Null: now. */
  readonly dueAt: Date | null;
};

/** Inserts an evaluation. Undefined: the contract has an open one, or one for this tick. */
export async function insertEvaluation(tx: Tx, made: NewEvaluation): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.contract_evaluations (contract_id, trigger, started_by_user_id, trace_id, created_time)
      values ($1, $2, $3, $4, coalesce($5::timestamptz, now())) on conflict do nothing returning id`,
    [made.contractId, made.trigger, made.startedByUserId, made.traceId, made.dueAt],
  );
  return rows[0]?.id;
}

/** The evaluation of a slot. */
export type SlotEvaluation = {
  readonly id: number;
  readonly status: EvaluationStatus;
  /** True if its job has not ended. */
  readonly isWorkedOn: boolean;
};

/** Finds the evaluation that a schedule made for a slot, and locks it until the transaction ends. */
export async function findEvaluationOfSlot(
  tx: Tx,
  contractId: number,
  slotAt: Date,
): Promise<SlotEvaluation | undefined> {
  const { rows } = await tx.query<SlotEvaluation>(
    `select e.id, e.status, exists (select from svc_jobs.job j
         where j.id = e.job_id and j.state not in ('Completed', 'Failed', 'Cancelled')) as "isWorkedOn"
       from svc.contract_evaluations e
       where e.contract_id = $1 and e.created_time = $2 and e.trigger = 'Schedule' for no key update`,
    [contractId, slotAt],
  );
  return rows[0];
}

export async function setJobId(tx: Tx, id: number, jobId: string): Promise<void> {
  await tx.query('update svc.contract_evaluations set job_id = $2 where id = $1', [id, jobId]);
}

/** A claimed evaluation, with the number of the claim. */
export type Taken = {
  readonly id: number;
  readonly contractId: number;
  readonly take: number;
  readonly trigger: 'Schedule' | 'Manual';
};

/** Claims an evaluation. Writes under an earlier claim fail from now on. Undefined: the evaluation has ended. */
export async function takeEvaluation(executor: Executor, id: number): Promise<Taken | undefined> {
  const { rows } = await executor.query<Taken>(
    `update svc.contract_evaluations set take = take + 1, status = 'Running', started_at = coalesce(started_at, now())
      where id = $1 and status in ('Queued', 'Running') returning id, contract_id as "contractId", take, trigger`,
    [id],
  );
  return rows[0];
}

/** SQL of the last judging evaluation's status of the same contract, before `e`. */
const before = `(select b.status from svc.contract_evaluations b where b.contract_id = e.contract_id and b.id < e.id
  and b.status in ('Passed', 'Warned', 'Failed') order by b.id desc limit 1)`;

export type EvaluationEnd = {
  readonly status: RuleOutcome;
  readonly reason: EvaluationReason | null;
  readonly failedBecause: EvaluationFailure | null;
  readonly score: number | null;
  /** Score below which the contract fails; null if the rules did not run. */
  readonly failScore: number | null;
  readonly totalRows: number | null;
  readonly contractVersion: number | null;
};

/**
 * Ends an evaluation and records whether the contract started to fail or recovered, compared with the last judging
 * evaluation. Returns false if another process has claimed it, or if it has ended.
 */
export async function endEvaluation(tx: Tx, { id, take }: Taken, end: EvaluationEnd): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.contract_evaluations e set status = $3, reason = $4, score = $5, total_rows = $6, contract_version = $7,
        failed_because = $8, fail_score = $9,
        finished_at = now(), change = case
          when $3 = 'Failed' and ${before} is distinct from 'Failed' then 'Failed'
          when $3 in ('Passed', 'Warned') and ${before} = 'Failed' then 'Recovered' end
      where id = $1 and take = $2 and status = 'Running'`,
    [
      id,
      take,
      end.status,
      end.reason,
      end.score,
      end.totalRows,
      end.contractVersion,
      end.failedBecause,
      end.failScore,
    ],
  );
  return rowCount === 1;
}

/** Returns true if the previous evaluation was also an Error: the responsible users have been notified. */
export async function isRepeatedError(executor: Executor, { id, contractId }: Taken): Promise<boolean> {
  const { rows } = await executor.query<{ status: string }>(
    `select status from svc.contract_evaluations where contract_id = $1 and id < $2 and finished_at is not null
      order by id desc limit 1`,
    [contractId, id],
  );
  return rows[0]?.status === 'Error';
}

/** Lists open evaluations whose job has ended. */
export async function abandonedEvaluations(executor: Executor): Promise<{ id: number }[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select e.id from svc.contract_evaluations e where e.status in ('Queued', 'Running')
       and e.created_time < now() - interval '2 minutes'
       and not exists (select from svc_jobs.job j
         where j.id = e.job_id and j.state not in ('Completed', 'Failed', 'Cancelled'))
     limit 1000`,
  );
  return rows;
}

export type ResultRow = {
  readonly id: number;
  readonly ruleId: number;
  readonly name: string;
  readonly type: RuleType;
  readonly severity: RuleSeverity;
  readonly outcome: RuleOutcome;
  readonly score: number | null;
  readonly failing: number | null;
  readonly total: number | null;
  readonly message: string | null;
  readonly sampleSealed: string | null;
  readonly sampleReason: string | null;
};

/** Inserts the result of a rule. Its sample is encrypted with the returned id. */
export async function insertResult(
  tx: Tx,
  evaluationId: number,
  position: number,
  result: Omit<ResultRow, 'id' | 'sampleSealed'>,
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.contract_rule_results (evaluation_id, position, rule_id, name, type, severity, outcome, score, failing,
       total, message, sample_reason) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
    [
      evaluationId,
      position,
      result.ruleId,
      result.name,
      result.type,
      result.severity,
      result.outcome,
      result.score,
      result.failing,
      result.total,
      result.message,
      result.sampleReason,
    ],
  );
  const [made] = rows;
  if (!made) throw new Error('A result that was inserted has no id.');
  return made.id;
}

export async function setSample(tx: Tx, id: number, sealed: string): Promise<void> {
  await tx.query('update svc.contract_rule_results set sample_sealed = $2 where id = $1', [id, sealed]);
}

export async function listResults(executor: Executor, evaluationId: number): Promise<ResultRow[]> {
  const { rows } = await executor.query<ResultRow>(
    `select id, rule_id as "ruleId", name, type, severity, outcome, score, failing, total, message,
       sample_sealed as "sampleSealed", sample_reason as "sampleReason"
     from svc.contract_rule_results where evaluation_id = $1 order by position`,
    [evaluationId],
  );
  return rows;
}
