import { type JobState, jobStates } from '@svc/jobs';
import type { Db } from '../db.ts';

/** A number of rows: counted, or where there are too many to count at once, as the planner estimates it. */
export type Count = { readonly count: number; readonly isEstimate: boolean };

/** Counting stops here. */
export const countMax = 20_000;
/** A table of so many bytes is counted in whole: about 50,000 jobs. */
const smallTableBytes = 33_554_432;

/** What the planner thinks of a condition: from the statistics that PostgreSQL keeps, at no cost. */
async function estimate(db: Db, condition: string): Promise<number> {
  const [row] = await db.rows<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) select from ${db.schema}.job where ${condition}`,
  );
  return row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

const upTo = (rows: readonly string[]): string =>
  `(select count(*) from (${rows.map((row) => `(${row} limit ${countMax + 1})`).join(' union all ')}) c)`;

/** Rows of a state as the index of that state holds them. */
function rowsOf(schema: string, state: JobState): readonly string[] {
  const rows = (condition: string) => `select from ${schema}.job where ${condition}`;
  switch (state) {
    case 'Enqueued':
      return [
        rows(`state = 'Enqueued' and concurrency_key is null`),
        rows(`state = 'Enqueued' and concurrency_key is not null`),
      ];
    case 'Scheduled':
    case 'AwaitingRetry':
      return [rows(`state in ('Scheduled', 'AwaitingRetry') and state = '${state}'`)];
    case 'Completed':
      return [rows(`expire_at is not null and state = 'Completed'`)];
    default:
      return [rows(`state = '${state}'`)];
  }
}

/** How many jobs are in each state. */
export async function countStates(db: Db): Promise<Readonly<Record<JobState, Count>>> {
  const [size] = await db.rows<{ bytes: number }>(`select pg_relation_size($1::regclass) as bytes`, [
    `${db.schema}.job`,
  ]);
  if ((size?.bytes ?? 0) <= smallTableBytes) return countExactly(db);
  // Completed jobs are many, and those that are kept for ever are in no index: the estimate comes first.
  const completed = await estimate(db, `state = 'Completed'`);
  const counted = jobStates.filter((state) => state !== 'Completed' || completed <= countMax);
  const columns = counted.map((state) => `${upTo(rowsOf(db.schema, state))} as "${state}"`);
  const [found] = await db.walk<Partial<Record<JobState, number>>>(`select ${columns.join(', ')}`);
  const counts: [JobState, Count][] = [];
  for (const state of jobStates) {
    const count = found?.[state] ?? completed;
    const isEstimate = count > countMax;
    const estimated = isEstimate ? await estimate(db, `state = '${state}'`) : 0;
    counts.push([state, { count: isEstimate ? Math.max(countMax, estimated) : count, isEstimate }]);
  }
  return Object.fromEntries(counts) as Record<JobState, Count>;
}

async function countExactly(db: Db): Promise<Readonly<Record<JobState, Count>>> {
  const rows = await db.rows<{ state: JobState; count: number }>(
    `select state::text as state, count(*) as count from ${db.schema}.job group by state`,
  );
  const found = new Map(rows.map(({ state, count }) => [state, count]));
  const counts = jobStates.map((state) => [state, { count: found.get(state) ?? 0, isEstimate: false }]);
  return Object.fromEntries(counts) as Record<JobState, Count>;
}

/** A name with the number of its failed jobs. */
export type FailedName = {
  readonly name: string;
  readonly count: number;
  readonly lastFailedAt: Date | null;
};

/** Names of the failed jobs, most first, at most 100; of the newest 20,000 failures. */
export const countFailedNames = (db: Db): Promise<FailedName[]> =>
  db.rows<FailedName>(
    `select name, count(*) as count, max(finished_at) as "lastFailedAt" from (
       select name, finished_at from ${db.schema}.job where state = 'Failed' order by id desc limit ${countMax}
     ) f group by name order by count(*) desc, name collate "C" limit 100`,
  );

/** How many members of a batch or message are in each state; of the first 20,000 members. */
export async function countMembers(db: Db, batchId: string): Promise<Partial<Record<JobState, number>>> {
  const rows = await db.rows<{ state: JobState; count: number }>(
    `select state::text as state, count(*) as count from (
       select state from ${db.schema}.job where batch_id = $1 limit ${countMax}
     ) m group by state`,
    [batchId],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
