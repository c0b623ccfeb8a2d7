import { sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import { type Judging, type Seen, startOf } from './span.ts';
import { isContractStalled, lastStartOfContract } from './stalled.ts';

/** Returns the latest due time at which a start would already be late. */
const late = (graceSeconds: number) => sql`now() - ${graceSeconds}::float8 * interval '1 second'`;

/**
 * Selects the data contracts of the projects that the caller can read, with the columns of every watched subject. The last
 * evaluation determines the state of a contract, regardless of its age. An evaluation with the outcome `Error` is a
 * separate reason and counts neither as good nor as failed. A contract is stalled while an evaluation has waited longer
 * than the grace period, and while a due slot has no evaluation after it.
 */
export const watchedContracts = (seen: Seen, { days, graceSeconds, slots, retainedDays }: Judging) => sql`
  select 'Contract' as kind, c.id, null::int as query_id, c.data_source_id, c.name, c.project_id, p.name as project_name,
    least(w.since, case when ${isContractStalled(retainedDays.evaluations)} then slot.due_at else slot.next_due_at end)
      as watch_due_at,
    coalesce(w.since <= ${late(graceSeconds)}, false) or ${isContractStalled(retainedDays.evaluations)} as is_stalled,
    exists (select from svc.missed_runs m where m.contract_id = c.id
      and m.missed_count > 0 and m.last_due_at >= ${startOf(days)}) as has_missed, false as has_open_anomaly, l.status as last_outcome,
    t.id as task_id, coalesce(t.due_at <= now(), false) as is_task_overdue,
    coalesce(f.judged, 0) as judged, coalesce(f.good, 0) as good, coalesce(f.failed, 0) as failed,
    f.last_good_at, f.last_failed_at
  from svc.data_contracts c
  join svc.projects p on p.id = c.project_id and p.archived_at is null
  left join svc.tasks t on t.contract_id = c.id and t.state = 'Open'
    and (t.snoozed_until is null or t.snoozed_until <= now())
  left join lateral (
    select e.status from svc.contract_evaluations e
    where e.contract_id = c.id and e.finished_at is not null order by e.created_time desc, e.id desc limit 1) l on true
  left join (
    select contract_id, min(created_time) as since from svc.contract_evaluations where status = 'Queued'
    group by contract_id) w on w.contract_id = c.id
  left join (
    select contract_id, count(*)::int as judged, count(*) filter (where status <> 'Failed')::int as good,
      count(*) filter (where status = 'Failed')::int as failed,
      max(finished_at) filter (where status <> 'Failed') as last_good_at,
      max(finished_at) filter (where status = 'Failed') as last_failed_at
    from svc.contract_evaluations
    where status in ('Passed', 'Warned', 'Failed') and created_time >= ${startOf(days)}
    group by contract_id) f on f.contract_id = c.id
  ${lastStartOfContract(slots)}
  where c.archived_at is null and c.is_enabled
    and (${seen.projectIds}::int[] is null or c.project_id = any(${seen.projectIds}::int[]))`;

/** Number of evaluations of a contract on a day, by result. */
export type ContractDay = {
  readonly day: string;
  readonly judged: number;
  readonly good: number;
  readonly failed: number;
};

/** Lists the days with evaluations of a contract, oldest first. */
export async function readContractDays(
  executor: Executor,
  contractId: number,
  days: number,
): Promise<ContractDay[]> {
  const { rows } = await sql<ContractDay>`
    select to_char((created_time at time zone 'UTC')::date, 'YYYY-MM-DD') as day, count(*)::int as judged,
      count(*) filter (where status <> 'Failed')::int as good, count(*) filter (where status = 'Failed')::int as failed
    from svc.contract_evaluations
    where contract_id = ${contractId}::int and status in ('Passed', 'Warned', 'Failed')
      and created_time >= ${startOf(days)}
    group by 1 order by 1`.execute(executor.kysely);
  return rows;
}
