import type { EvaluationStatus } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

/** Evaluation of a task's data contract, with the fields that a task shows. */
export type TaskEvaluationRow = {
  readonly id: number;
  readonly at: Date;
  readonly durationMs: number | null;
  /** Number of rules that did not pass; null when no rule was judged. */
  readonly brokenCount: number | null;
  readonly status: EvaluationStatus;
};

/** Contract, and the projects in which the caller may read it (null: all). */
export type SeenContract = { readonly contractId: number; readonly projectIds: readonly number[] | null };

export const evaluationSortable: Sortable = { executedAt: 'e.created_time', id: 'e.id' };

const from = `from svc.contract_evaluations e join svc.data_contracts c on c.id = e.contract_id
  where e.contract_id = $1 and ($2::int[] is null or c.project_id = any($2::int[]))`;
const shown = `e.id, e.created_time as at, extract(epoch from e.finished_at - e.started_at)::float8 * 1000 as "durationMs",
  e.status, case when e.status in ('Passed', 'Warned', 'Failed') then (select count(*) from svc.contract_rule_results r
    where r.evaluation_id = e.id and r.outcome <> 'Passed') end as "brokenCount"`;

/** Returns one page of the evaluations of a contract. */
export async function listEvaluations(
  executor: Executor,
  { contractId, projectIds }: SeenContract,
  page: PageRequest,
): Promise<{ rows: TaskEvaluationRow[]; totalCount: number }> {
  const values = [contractId, projectIds];
  const counted = await executor.query<{ count: number }>(`select count(*) as count ${from}`, values);
  const { rows } = await executor.query<TaskEvaluationRow>(
    `select ${shown} ${from} order by ${orderBy(page)} limit $3 offset $4`,
    [...values, page.limit, page.offset],
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Returns the last evaluations that judged a contract, oldest first. */
export async function lastJudged(
  executor: Executor,
  { contractId, projectIds }: SeenContract,
  limit: number,
): Promise<TaskEvaluationRow[]> {
  const { rows } = await executor.query<TaskEvaluationRow>(
    `select ${shown} ${from} and e.status in ('Passed', 'Warned', 'Failed')
     order by e.created_time desc, e.id desc limit $3`,
    [contractId, projectIds, limit],
  );
  return rows.toReversed();
}
