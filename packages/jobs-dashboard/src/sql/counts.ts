import { type JobState, jobStates } from '@svc/jobs';
import type { Db } from '../db.ts';

/** Number of rows: counted, or above `countMax` estimated from the table's statistics. */
export type Count = { readonly count: number; readonly isEstimate: boolean };

/** Maximum count. */
export const countMax = 20_000;
/** Maximum size of a table that is counted completely: about 50,000 jobs. */
const smallTableBytes = 33_554_432;

/**
 * Estimates the number of jobs in a state from the statistics of the last analyze: rows times share of the state. The
 * planner's own estimate would count dead rows of a frequently changed table.
 */
async function estimate(db: Db, state: JobState): Promise<number> {
  const [row] = await db.rows<{ estimate: number | null }>(
    `select round(greatest(c.reltuples, 0) * coalesce((
       select f.share from pg_stats s,
         unnest(s.most_common_vals::text::text[], s.most_common_freqs) as f (value, share)
       where s.schemaname = $1 and s.tablename = 'job' and s.attname = 'state' and f.value = $2
     ), 0))::float8 as estimate
     from pg_class c where c.oid = $3::regclass`,
    [db.channel, state, `${db.schema}.job`],
  );
  return row?.estimate ?? 0;
}

const upTo = (rows: readonly string[]): string =>
  `(select count(*) from (${rows.map((row) => `(${row} limit ${countMax + 1})`).join(' union all ')}) c)`;

/** Returns queries for the rows of a state that match the partial indexes. */
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

/** Returns the number of jobs in each state. */
export async function countStates(db: Db): Promise<Readonly<Record<JobState, Count>>> {
  const [size] = await db.rows<{ bytes: number }>(`select pg_relation_size($1::regclass) as bytes`, [
    `${db.schema}.job`,
  ]);
  if ((size?.bytes ?? 0) <= smallTableBytes) return countExactly(db);
  // Completed jobs are numerous, and no index contains those retained without limit, so they are estimated first.
  const completed = await estimate(db, 'Completed');
  const counted = jobStates.filter((state) => state !== 'Completed' || completed <= countMax);
  const columns = counted.map((state) => `${upTo(rowsOf(db.schema, state))} as "${state}"`);
  const [row] = await db.walk<Partial<Record<JobState, number>>>(`select ${columns.join(', ')}`);
  const counts: [JobState, Count][] = [];
  for (const state of jobStates) {
    const count = row?.[state] ?? completed;
    const isEstimate = count > countMax;
    const estimated = isEstimate ? await estimate(db, state) : 0;
    counts.push([state, { count: isEstimate ? Math.max(countMax, estimated) : count, isEstimate }]);
  }
  return Object.fromEntries(counts) as Record<JobState, Count>;
}

async function countExactly(db: Db): Promise<Readonly<Record<JobState, Count>>> {
  const rows = await db.rows<{ state: JobState; count: number }>(
    `select state::text as state, count(*) as count from ${db.schema}.job group by state`,
  );
  const countsByState = new Map(rows.map(({ state, count }) => [state, count]));
  const counts = jobStates.map((state) => [
    state,
    { count: countsByState.get(state) ?? 0, isEstimate: false },
  ]);
  return Object.fromEntries(counts) as Record<JobState, Count>;
}

/** Job name with the number of its failed jobs. */
export type FailedName = {
  readonly name: string;
  readonly count: number;
  readonly lastFailedAt: Date | null;
};

/** Returns the names of failed jobs, highest count first, at most 100, among the newest 20,000 failures. */
export const countFailedNames = (db: Db): Promise<FailedName[]> =>
  db.rows<FailedName>(
    `select name, count(*) as count, max(finished_at) as "lastFailedAt" from (
       select name, finished_at from ${db.schema}.job where state = 'Failed' order by id desc limit ${countMax}
     ) f group by name order by count(*) desc, name collate "C" limit 100`,
  );

/** Returns the number of members of a batch or message per state, among the first 20,000 members. */
export async function countMembers(db: Db, batchId: string): Promise<Partial<Record<JobState, number>>> {
  const rows = await db.rows<{ state: JobState; count: number }>(
    `select state::text as state, count(*) as count from (
       select state from ${db.schema}.job where batch_id = $1 limit ${countMax}
     ) m group by state`,
    [batchId],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
