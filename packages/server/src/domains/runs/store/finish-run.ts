import type { AlertNews, RunStatus } from '@svc/contract';
import type { RunKey } from '../../../gateways/send/index.ts';
import type { Executor } from '../../../platform/db/index.ts';
import type { RunReason } from '../../run-history/index.ts';

/** Fields of an ended run that its consequences depend on. */
export type EndedRun = {
  subscriptionId: number | null;
  contractId: number | null;
  ownerUserId: number | null;
  startedByUserId: number | null;
  /** Row count of its query; null without a result. */
  resultCount: number | null;
  /** Change of the alert in its message; null: none. */
  alertNews: AlertNews | null;
  /** True when it has staged rows, which its subscription may store. */
  hasStagedRows: boolean;
  /** Number of rows without a recipient. Null when every recipient gets all rows, or when no message was due. */
  unroutedCount: number | null;
};

/**
 * Ends a run and counts it in a separate row, which a job adds to the daily counts. Runs therefore do not wait for a
 * shared counter. Returns undefined when the run has ended already; it does not change then.
 */
export async function finishRun(
  executor: Executor,
  run: RunKey,
  status: Exclude<RunStatus, 'Created'>,
  reason: RunReason | null,
): Promise<EndedRun | undefined> {
  const { reason: reasonCode, ...facts } = reason ?? { reason: null };
  const { rows } = await executor.query<EndedRun>({
    name: 'runs-finish',
    text: `with ended as (
        update svc.runs r set status = $3, reason = $4, reason_detail = $5, finished_at = now()
        where r.id = $1 and r.due_at = $2 and r.status = 'Created'
        returning r.*),
      counted as (
        insert into svc.run_counts_open (day, subscription_id, contract_id, query_id, project_id, data_source_ids, status, is_anomaly, ended_at)
        select (due_at at time zone 'UTC')::date, subscription_id, contract_id, query_id, project_id,
          data_source_ids, status, anomaly_direction is not null, finished_at from ended)
      select e.subscription_id as "subscriptionId", e.contract_id as "contractId", s.owner_user_id as "ownerUserId",
        e.started_by_user_id as "startedByUserId", e.result_count as "resultCount", e.alert_news as "alertNews",
        exists (select from svc.row_memory_staged m where m.subscription_id = e.subscription_id and m.run_id = e.id)
          as "hasStagedRows",
        case when e.message_sealed is not null or $4 = 'NothingRouted' then e.unrouted_count end as "unroutedCount"
      from ended e left join svc.subscriptions s on s.id = e.subscription_id`,
    values: [run.id, run.dueAt, status, reasonCode, reasonCode === null ? null : JSON.stringify(facts)],
  });
  return rows[0];
}
