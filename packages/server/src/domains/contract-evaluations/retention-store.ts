import type { Executor } from '../../platform/db/index.ts';

/** Deletes at most `limit` old evaluations with their results. Returns the number of deleted evaluations. */
export async function dropOldEvaluations(
  executor: Executor,
  keepDays: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await executor.query(
    `delete from svc.contract_evaluations where id in (
       select id from svc.contract_evaluations
       where created_time < now() - $1 * interval '1 day' and finished_at is not null
       order by created_time limit $2)`,
    [keepDays, limit],
  );
  return rowCount ?? 0;
}

/** Deletes the failing rows of at most `limit` rule results. Returns the number of results. Their counts are retained. */
export async function dropOldSamples(executor: Executor, keepDays: number, limit: number): Promise<number> {
  const { rowCount } = await executor.query(
    `update svc.contract_rule_results set sample_sealed = null,
       sample_reason = 'They were deleted after their retention time.' where id in (
       select r.id from svc.contract_rule_results r join svc.contract_evaluations e on e.id = r.evaluation_id
       where r.sample_sealed is not null and e.created_time < now() - $1 * interval '1 day' limit $2)`,
    [keepDays, limit],
  );
  return rowCount ?? 0;
}
