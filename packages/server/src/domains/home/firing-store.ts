import type { Acknowledgement, FiringKind } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import { alertJson } from '../alerts/index.ts';
import { inProjectsOf, ofSubscription, type Seen } from './store.ts';

export type FiringRow = {
  readonly kind: FiringKind;
  readonly name: string;
  readonly projectId: number;
  readonly projectName: string;
  readonly subscriptionId: number | null;
  readonly contractId: number | null;
  readonly since: Date;
  readonly runId: number | null;
  readonly rowCount: number | null;
  readonly hasRows: boolean;
  readonly reason: string | null;
  readonly reasonDetail: unknown;
  readonly alert: { readonly acknowledgement: Acknowledgement | null } | null;
  readonly snoozedUntil: Date | null;
  readonly timeZone: string;
};

export const firingSortable: Sortable = { since: 'since', name: 'name', kind: 'kind' };

const isFiring = sql`a.state in ('Firing', 'Recovering')`;
const snoozeOf = (of: 's' | 'c') => {
  const until = sql.raw(`${of}.snoozed_until`);
  return sql`case when ${until} > now() then ${until} end as "snoozedUntil"`;
};
const alert = sql`${sql.raw(alertJson)} as alert`;

/** Returns subscriptions whose alert is firing, with the newest run that has rows. */
const firingAlerts = (seen: Seen): RawBuilder<unknown> => sql`
  select 'Alert' as kind, q.name, q.project_id as "projectId", p.name as "projectName", s.id as "subscriptionId",
    null::int as "contractId", a.since, r.id as "runId", r.result_count as "rowCount",
    coalesce(r.has_rows, false) as "hasRows", null::text as reason, null::jsonb as "reasonDetail", ${alert},
    ${snoozeOf('s')}, s.time_zone as "timeZone"
  from svc.alert_states a
  join svc.subscriptions s on s.id = a.subscription_id and s.alert is not null and s.archived_at is null ${ofSubscription}
  left join lateral (
    select r.id, r.result_count, r.stored_results is not null as has_rows from svc.runs r
    where r.subscription_id = s.id and r.result_count > 0 and ${seen.runs}
    order by r.due_at desc, r.id desc limit 1) r on true
  where ${isFiring} and ${inProjectsOf('q', seen)}`;

/** Returns contracts whose last evaluation failed, and contracts whose alert is firing. */
const failingContracts = (seen: Seen): RawBuilder<unknown> => sql`
  select 'Contract', c.name, c.project_id, p.name, null, c.id,
    coalesce(a.since, f.finished_at, l.finished_at), null, null, false, null, null,
    case when a.contract_id is not null then ${sql.raw(alertJson)} end, ${snoozeOf('c')}, coalesce(c.time_zone, 'UTC')
  from svc.data_contracts c
  join svc.projects p on p.id = c.project_id
  left join svc.alert_states a on a.contract_id = c.id and c.alert is not null and ${isFiring}
  left join lateral (
    select e.status, e.finished_at from svc.contract_evaluations e
    where e.contract_id = c.id and e.status in ('Passed', 'Warned', 'Failed')
    order by e.created_time desc, e.id desc limit 1) l on true
  left join lateral (
    select e.finished_at from svc.contract_evaluations e
    where l.status = 'Failed' and e.contract_id = c.id and e.change = 'Failed'
    order by e.created_time desc, e.id desc limit 1) f on true
  where c.archived_at is null and c.is_enabled and (l.status = 'Failed' or a.contract_id is not null)
    and ${inProjectsOf('c', seen)}`;

/** Returns subscriptions whose last run failed. */
const failedRuns = (seen: Seen): RawBuilder<unknown> => sql`
  select 'FailedRun', q.name, q.project_id, p.name, s.id, null, r.finished_at, r.id, r.result_count,
    r.stored_results is not null, r.reason, r.reason_detail, null, ${snoozeOf('s')}, s.time_zone
  from svc.subscriptions s ${ofSubscription}
  join lateral (
    select r.* from svc.runs r where r.subscription_id = s.id and r.status <> 'Created'
    order by r.due_at desc, r.id desc limit 1) r on r.status in ('Failed', 'Timeout')
  where s.archived_at is null and s.paused_at is null and r.recovered_at is null
    and ${seen.runs} and ${inProjectsOf('q', seen)}`;

/** Returns one page of the current problems, and their total count. */
export async function readFiring(
  executor: Executor,
  seen: Seen,
  page: PageRequest,
): Promise<{ rows: FiringRow[]; total: number }> {
  const order = sql.raw(`${orderBy(page)}, kind, "subscriptionId", "contractId"`);
  const { rows } = await sql<FiringRow & { total: number }>`
    with item as materialized (
      ${firingAlerts(seen)} union all ${failingContracts(seen)} union all ${failedRuns(seen)})
    select page.*, total.count as total
    from (select count(*) as count from item) total
    left join lateral (
      select * from item order by ${order} limit ${page.limit}::int offset ${page.offset}::bigint) page on true
    order by ${order}`.execute(executor.kysely);
  return { rows: rows.filter(({ kind }) => kind !== null), total: rows[0]?.total ?? 0 };
}
