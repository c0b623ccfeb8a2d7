import type { TowerHealth, TowerKind, TowerReason } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import { healthOf, rankOfHealth, reasonsOf } from './health.ts';
import type { Judging, Seen } from './span.ts';
import { seenDays, watchedSubjects } from './subjects.ts';

export type FiguresRow = { readonly judged: number; readonly good: number; readonly failed: number };
export type DayRow = FiguresRow & { readonly day: string };
export type EntryRow = FiguresRow & {
  readonly kind: TowerKind;
  readonly id: number;
  readonly name: string;
  readonly projectId: number;
  readonly projectName: string;
  readonly health: TowerHealth;
  readonly reasons: TowerReason[];
  readonly lastGoodAt: Date | null;
  readonly lastFailedAt: Date | null;
  readonly watchDueAt: Date | null;
  readonly openTaskId: number | null;
};
export type StatisticsRow = FiguresRow &
  Record<Lowercase<TowerHealth> | 'total' | 'openTasks' | 'overdueTasks', number>;

export type TowerFilter = {
  readonly kind?: TowerKind | undefined;
  readonly id?: number | undefined;
  readonly projectId?: number | undefined;
  readonly dataSourceId?: number | undefined;
  readonly search?: string | undefined;
  readonly health?: TowerHealth | undefined;
  readonly hasOpenTasks?: boolean | undefined;
};

/** Sort keys of the grid. The worst health comes first. */
export const sortable: Sortable = {
  health: rankOfHealth,
  name: 'h.name collate "C"',
  projectName: 'h.project_name collate "C"',
  successRate: '(h.good::float8 / nullif(h.judged, 0))',
  lastGoodAt: 'h.last_good_at',
  lastFailedAt: 'h.last_failed_at',
  watchDueAt: 'h.watch_due_at',
  id: `(h.id, h.kind)`,
};

const conditions = (filter: TowerFilter): RawBuilder<unknown> => {
  const { kind, id, projectId, dataSourceId, search, health, hasOpenTasks } = filter;
  const wanted = [
    kind !== undefined && sql`h.kind = ${kind}`,
    id !== undefined && sql`h.id = ${id}::int`,
    projectId !== undefined && sql`h.project_id = ${projectId}::int`,
    dataSourceId !== undefined &&
      sql`(h.data_source_id = ${dataSourceId}::int or exists (
        select from svc.query_steps st where st.query_id = h.query_id and st.data_source_id = ${dataSourceId}::int))`,
    search !== undefined && sql`position(lower(${search}) in lower(h.name)) > 0`,
    health !== undefined && sql`h.health = ${health}`,
    hasOpenTasks !== undefined && sql`(h.task_id is not null) = ${hasOpenTasks}::boolean`,
  ].filter((condition) => condition !== false);
  return wanted.length === 0 ? sql`true` : sql.join(wanted, sql` and `);
};

/**
 * Selects the watched subjects that match, with their health, as `h`. Each `offset 0` makes the planner compute the
 * reasons once per row: otherwise it would repeat their expression at each use.
 */
const matchingSubjects = (seen: Seen, judging: Judging, filter: TowerFilter) => sql`
  select h.* from (
    select j.*, ${healthOf} as health from (
      select w.*, ${reasonsOf} as reasons from (${watchedSubjects(seen, judging)}) w offset 0) j offset 0) h
  where ${conditions(filter)}`;

/** Lists one page of the grid with its total number of rows. */
export async function listEntries(
  executor: Executor,
  { seen, judging, filter }: { seen: Seen; judging: Judging; filter: TowerFilter },
  page: PageRequest,
): Promise<{ rows: EntryRow[]; totalCount: number }> {
  const order = sql.raw(orderBy(page));
  const { rows } = await sql<EntryRow & { totalCount: number }>`
    with h as materialized (${matchingSubjects(seen, judging, filter)})
    select h.kind, h.id, h.name, h.project_id as "projectId", h.project_name as "projectName", h.health, h.reasons,
      h.judged, h.good, h.failed, h.last_good_at as "lastGoodAt", h.last_failed_at as "lastFailedAt",
      h.watch_due_at as "watchDueAt", h.task_id as "openTaskId", (select count(*) from h) as "totalCount"
    from h order by ${order} limit ${page.limit}::int offset ${page.offset}::bigint`.execute(executor.kysely);
  const [first] = rows;
  if (first || page.offset === 0) return { rows, totalCount: first?.totalCount ?? 0 };
  // Beyond the last page no row has the total number.
  const ahead = await listEntries(executor, { seen, judging, filter }, { ...page, limit: 1, offset: 0 });
  return { rows, totalCount: ahead.totalCount };
}

const inHealth = (health: TowerHealth) => sql`count(*) filter (where h.health = ${sql.lit(health)})::int`;

/** Filter of the statistics. */
type StatisticsFilter = Pick<TowerFilter, 'kind' | 'projectId' | 'dataSourceId' | 'search'>;

/**
 * Selects the tasks of the task list that are open and not snoozed, as `t`. They include tasks of subjects that are not
 * watched any more: an archived subscription, or a contract that is archived or disabled.
 */
const openTasks = (
  { projectIds }: Seen,
  { kind, projectId, dataSourceId, search }: StatisticsFilter,
): RawBuilder<unknown> => {
  const conditions = [
    sql`t.state = 'Open' and (t.snoozed_until is null or t.snoozed_until <= now())`,
    sql`(${projectIds}::int[] is null or t.project_id = any(${projectIds}::int[]))`,
    kind !== undefined && sql`(t.contract_id is not null) = ${kind === 'Contract'}::boolean`,
    projectId !== undefined && sql`t.project_id = ${projectId}::int`,
    dataSourceId !== undefined &&
      sql`(c.data_source_id = ${dataSourceId}::int or exists (
        select from svc.query_steps st where st.query_id = q.id and st.data_source_id = ${dataSourceId}::int))`,
    search !== undefined && sql`position(lower(${search}) in lower(coalesce(q.name, c.name, t.title))) > 0`,
  ].filter((condition) => condition !== false);
  return sql`select t.due_at from svc.tasks t
    left join svc.subscriptions s on s.id = t.subscription_id
    left join svc.queries q on q.id = s.query_id
    left join svc.data_contracts c on c.id = t.contract_id
    where ${sql.join(conditions, sql` and `)}`;
};

/** Counts the watched subjects per health, and the open tasks of the task list. */
export async function readStatistics(
  executor: Executor,
  seen: Seen,
  judging: Judging,
  filter: StatisticsFilter,
): Promise<StatisticsRow> {
  const { rows } = await sql<StatisticsRow>`
    with open_tasks as materialized (${openTasks(seen, filter)})
    select count(*)::int as total, ${inHealth('Stalled')} as stalled, ${inHealth('Critical')} as critical,
      ${inHealth('Warning')} as warning, ${inHealth('New')} as new, ${inHealth('Healthy')} as healthy,
      (select count(*)::int from open_tasks) as "openTasks",
      (select count(*)::int from open_tasks o where o.due_at <= now()) as "overdueTasks",
      coalesce(sum(h.judged), 0)::int as judged, coalesce(sum(h.good), 0)::int as good,
      coalesce(sum(h.failed), 0)::int as failed
    from (${matchingSubjects(seen, judging, filter)}) h`.execute(executor.kysely);
  const [row] = rows;
  if (!row) throw new Error('One row of figures was asked for.');
  return row;
}

/** Lists the days with judged runs of a subscription, oldest first. Includes only runs that the caller may see. */
export async function readDaysOf(
  executor: Executor,
  seen: Seen,
  subscriptionId: number,
  days: number,
): Promise<DayRow[]> {
  const isOne = sql`and subscription_id = ${subscriptionId}::int`;
  const { rows } = await sql<DayRow>`
    select to_char(d.day, 'YYYY-MM-DD') as day, sum(d.judged)::int as judged, sum(d.good)::int as good,
      sum(d.failed)::int as failed
    from (${seenDays(seen, days, isOne)}) d group by d.day having sum(d.judged) > 0 order by d.day`.execute(
    executor.kysely,
  );
  return rows;
}
