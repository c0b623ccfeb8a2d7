import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import type { PageRequest } from '../../platform/http/index.ts';
import { runsOfChain } from './replacements.ts';
import type { HistoryFilter } from './store.ts';

/** Number of runs on one day in UTC. */
export type DayCount = { readonly day: string; readonly runs: number };

const dayOf = sql`(due_at at time zone 'UTC')::date`;

/**
 * Counts the runs that the caller may see, by day, newest first. Days without runs are omitted. Ended runs are stored
 * as counts by day and by visibility. Runs in progress, and runs that no job has added yet, are counted one by one. The
 * sum is therefore always exact, and no run waits for the counter of another.
 */
export async function countByDay(
  executor: Executor,
  visible: RawBuilder<boolean>,
  filter: HistoryFilter,
): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select to_char(r.day, 'YYYY-MM-DD') as day, sum(r.runs) as runs from (${countedBy(filter)}) r
    where ${visible} group by r.day order by r.day desc`.execute(executor.kysely);
  return rows.map(({ day, runs }) => ({ day, runs: Number(runs) }));
}

/** Number of runs that the caller may see, and of failed runs among them. */
export type RunTotals = { readonly total: number; readonly failed: number };

/** Counts all runs and the failed runs that the caller may see, in one statement. */
export async function countRuns(executor: Executor, visible: RawBuilder<boolean>): Promise<RunTotals> {
  const sum = (filter: HistoryFilter) =>
    sql`(select coalesce(sum(r.runs), 0)::float8 from (${countedBy(filter)}) r where ${visible})`;
  const { rows } = await sql<RunTotals>`
    select ${sum({})} as total, ${sum({ status: 'Failed' })} as failed`.execute(executor.kysely);
  return rows[0] ?? { total: 0, failed: 0 };
}

/** Returns the condition for some subscriptions or one contract; undefined without such a filter. */
function subjectsOf({ subscriptionIds, contractId }: HistoryFilter): RawBuilder<unknown> | undefined {
  const limits = [
    ...(subscriptionIds ? [sql`subscription_id = any(${subscriptionIds}::int[])`] : []),
    ...(contractId === undefined ? [] : [sql`contract_id = ${contractId}::int`]),
  ];
  return limits.length === 0 ? undefined : sql.join(limits, sql` and `);
}

/**
 * Returns conditions on `svc.runs` as `r` that stored counts cannot answer: for the due time, the deliveries, and runs
 * before a replacement.
 */
export function dueAndDelivered({ from, to, recipientId, chain }: HistoryFilter): RawBuilder<boolean>[] {
  return [
    ...(chain === undefined || chain.length < 2 ? [] : [runsOfChain(chain)]),
    ...(from === undefined ? [] : [sql<boolean>`r.due_at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql<boolean>`r.due_at < ${to}::timestamptz`]),
    ...(recipientId === undefined
      ? []
      : [
          sql<boolean>`(r.id, r.due_at) in (
            select d.run_id, d.run_due_at from svc.deliveries d where d.recipient_id = ${recipientId})`,
        ]),
  ];
}

/** Counts run by run. Stored counts are by day and subscription, so they cannot answer narrower filters. */
function countedOneByOne(
  filter: HistoryFilter,
  runConditions: readonly RawBuilder<boolean>[],
): RawBuilder<unknown> {
  const subjects = subjectsOf(filter);
  const conditions = [
    ...runConditions,
    ...(filter.status ? [sql<boolean>`r.status = ${filter.status}`] : []),
    ...(subjects ? [subjects] : []),
  ];
  return sql`select ${dayOf} as day, project_id, data_source_ids, 1 as runs from svc.runs r
    where ${sql.join(conditions, sql` and `)}`;
}

function countedBy(filter: HistoryFilter): RawBuilder<unknown> {
  const runConditions = dueAndDelivered(filter);
  if (runConditions.length > 0) return countedOneByOne(filter, runConditions);
  const { status } = filter;
  const subjects = subjectsOf(filter);
  const underWay = sql`select ${dayOf} as day, project_id, data_source_ids, 1 as runs from svc.runs where status = 'Created'`;
  const open = sql`select day, project_id, data_source_ids, 1 as runs from svc.run_counts_open where true`;
  if (subjects && status)
    return sql`select ${dayOf} as day, project_id, data_source_ids, 1 as runs from svc.runs
      where ${subjects} and status = ${status}`;
  if (subjects) {
    const isOne = sql`and ${subjects}`;
    return sql`select day, project_id, data_source_ids, runs from svc.run_days where true ${isOne}
      union all ${open} ${isOne} union all ${underWay} ${isOne}`;
  }
  if (status === 'Created') return underWay;
  const isOf = status ? sql`and status = ${status}` : sql``;
  const ended = sql`select day, project_id, data_source_ids, runs from svc.run_totals where true ${isOf}
    union all ${open} ${isOf}`;
  return status ? ended : sql`${ended} union all ${underWay}`;
}

/** Days that contain a page of a list, newest first. `offset` is the number of their rows before the page. */
export type Part = { readonly firstDay: string; readonly lastDay: string; readonly offset: number };

/** Returns the days of a page; undefined when the page begins after the last row. */
export function partOf(
  days: readonly DayCount[],
  page: Pick<PageRequest, 'offset' | 'limit'>,
): Part | undefined {
  let before = 0;
  let start: { lastDay: string; offset: number } | undefined;
  for (const { day, runs } of days) {
    if (!start && before + runs > page.offset) start = { lastDay: day, offset: page.offset - before };
    before += runs;
    if (start && before >= page.offset + page.limit) return { ...start, firstDay: day };
  }
  const oldest = days.at(-1)?.day;
  return start && oldest !== undefined ? { ...start, firstDay: oldest } : undefined;
}
