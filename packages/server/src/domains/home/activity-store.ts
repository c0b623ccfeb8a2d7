import type { ActivityKind } from '@svc/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import { inProjectsOf, ofSubscription, type Seen } from './store.ts';

export type ActivityRow = {
  readonly kind: ActivityKind;
  readonly time: Date;
  readonly queryName: string;
  readonly projectId: number;
  readonly subscriptionId: number | null;
  readonly contractId: number | null;
  readonly runId: number | null;
  readonly taskId: number | null;
  readonly reason: string | null;
  readonly reasonDetail: unknown;
  readonly count: number | null;
};
export const activitySortable: Sortable = { time: 'time' };

/** Returns one page of the activity of the last 30 days, and its total count. */
export async function readActivity(
  executor: Executor,
  seen: Seen,
  page: PageRequest,
): Promise<{ rows: ActivityRow[]; total: number }> {
  const since = sql`now() - interval '30 days'`;
  const noReason = sql`null::text as reason, null::jsonb as "reasonDetail"`;
  const none = sql`null::int as "contractId", null::bigint as "runId", null::int as "taskId", ${noReason}`;
  const ofContract = sql`null::int, c.id, null::bigint, null::int, ${noReason}`;
  const entries = sql`
    select case r.status when 'Sent' then 'RunSent' else 'RunFailed' end as kind, r.created_time as time,
      q.name as "queryName", r.project_id as "projectId", r.subscription_id as "subscriptionId", null::int as "contractId",
      r.id as "runId", null::int as "taskId", r.reason, r.reason_detail as "reasonDetail",
      case r.status when 'Sent' then r.result_count end as count
    from svc.runs r join svc.queries q on q.id = r.query_id
    where r.status in ('Sent', 'Failed', 'Timeout') and r.created_time > ${since} and ${seen.runs}
    union all
    select 'AnomalyDetected', r.created_time, q.name, r.project_id, r.subscription_id, null, r.id, null, r.anomaly_explanation,
      null, r.result_count
    from svc.runs r join svc.queries q on q.id = r.query_id
    where r.anomaly_direction is not null and r.created_time > ${since} and ${seen.runs}
    union all
    select 'RunMissed', m.noticed_at, q.name, q.project_id, s.id, ${none}, m.missed_count
    from svc.missed_runs m join svc.subscriptions s on s.id = m.subscription_id ${ofSubscription}
    where m.missed_count > 0 and m.noticed_at > ${since} and ${inProjectsOf('q', seen)}
    union all
    select 'SubscriptionCreated', s.created_time, q.name, q.project_id, s.id, ${none}, null
    from svc.subscriptions s ${ofSubscription}
    where s.created_time > ${since} and ${inProjectsOf('q', seen)}
    union all
    select case e.kind when 'Opened' then 'TaskOpened' else 'TaskResolved' end, e.created_time,
      coalesce(q.name, c.name, t.title), t.project_id, t.subscription_id, t.contract_id, null, t.id, ${noReason},
      (e.detail->>'count')::bigint
    from svc.task_events e join svc.tasks t on t.id = e.task_id
    left join svc.subscriptions s on s.id = t.subscription_id left join svc.queries q on q.id = s.query_id
    left join svc.data_contracts c on c.id = t.contract_id join svc.projects p on p.id = t.project_id
    where e.kind in ('Opened', 'Resolved') and e.created_time > ${since} and ${inProjectsOf('t', seen)}
    union all
    select 'Contract' || e.change, e.finished_at, c.name, c.project_id, ${ofContract}, null
    from svc.contract_evaluations e join svc.data_contracts c on c.id = e.contract_id
    join svc.projects p on p.id = c.project_id
    where e.change is not null and e.finished_at > ${since} and ${inProjectsOf('c', seen)}
    union all
    select 'RunMissed', m.noticed_at, c.name, c.project_id, ${ofContract}, m.missed_count
    from svc.missed_runs m join svc.data_contracts c on c.id = m.contract_id
    join svc.projects p on p.id = c.project_id
    where m.missed_count > 0 and m.noticed_at > ${since} and ${inProjectsOf('c', seen)}`;
  const { rows } = await sql<ActivityRow & { total: number }>`
    with entry as materialized (${entries})
    select page.*, (select count(*) from entry) as total
    from (select * from entry order by ${sql.raw(orderBy(page))}, "subscriptionId", "contractId", "runId", kind
      limit ${page.limit}::int offset ${page.offset}::bigint) page
    order by ${sql.raw(orderBy(page))}, "subscriptionId", "contractId", "runId", kind`.execute(
    executor.kysely,
  );
  const [first] = rows;
  if (first || page.offset === 0) return { rows, total: first?.total ?? 0 };
  // Beyond the last page, no row contains the count.
  const ahead = await readActivity(executor, seen, { ...page, limit: 1, offset: 0 });
  return { rows, total: ahead.total };
}
