import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import type { PageRequest } from '../../platform/http/index.ts';
import type { HistoryFilter } from './store.ts';

/** Runs of one day in UTC. */
export type DayCount = { readonly day: string; readonly runs: number };

const dayOf = sql`(due_at at time zone 'UTC')::date`;

/**
 * How many runs the caller sees of each day, newest day first: days without one are left out. Ended runs are kept
 * counted, by day and by what decides who sees them; those that are under way, and those that no job has added yet,
 * are counted as they are. So the sum is exact at every moment, and no run waits for another one to be counted.
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

/** All runs that the caller sees, and those of them that failed. */
export type RunTotals = { readonly total: number; readonly failed: number };

/** The counts of the list and of the list of what failed, in one statement. */
export async function countRuns(executor: Executor, visible: RawBuilder<boolean>): Promise<RunTotals> {
  const sum = (filter: HistoryFilter) =>
    sql`(select coalesce(sum(r.runs), 0)::float8 from (${countedBy(filter)}) r where ${visible})`;
  const { rows } = await sql<RunTotals>`
    select ${sum({})} as total, ${sum({ status: 'Failed' })} as failed`.execute(executor.kysely);
  return rows[0] ?? { total: 0, failed: 0 };
}

/** What limits counts to some subscriptions or to one contract; undefined: nothing does. */
function subjectsOf({ subscriptionIds, contractId }: HistoryFilter): RawBuilder<unknown> | undefined {
  const limits = [
    ...(subscriptionIds ? [sql`subscription_id = any(${subscriptionIds}::int[])`] : []),
    ...(contractId === undefined ? [] : [sql`contract_id = ${contractId}::int`]),
  ];
  return limits.length === 0 ? undefined : sql.join(limits, sql` and `);
}

function countedBy({ status, ...filter }: HistoryFilter): RawBuilder<unknown> {
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

/** The part of a list, newest first, in which a page lies: its days, and how many rows of them come before the page. */
export type Part = { readonly firstDay: string; readonly lastDay: string; readonly offset: number };

/** Undefined where the page begins behind the last row. */
export function partOf(
  days: readonly DayCount[],
  page: Pick<PageRequest, 'offset' | 'limit'>,
): Part | undefined {
  let before = 0;
  let found: { lastDay: string; offset: number } | undefined;
  for (const { day, runs } of days) {
    if (!found && before + runs > page.offset) found = { lastDay: day, offset: page.offset - before };
    before += runs;
    if (found && before >= page.offset + page.limit) return { ...found, firstDay: day };
  }
  const oldest = days.at(-1)?.day;
  return found && oldest !== undefined ? { ...found, firstDay: oldest } : undefined;
}
