import type { JobKind, JobState } from '../../states.ts';
import { type Sql, statement } from '../statement.ts';
import { type JobRecord, recordColumns } from './read-jobs.ts';

/** Which jobs to list; members that are given must all hold. */
export type JobFilter = {
  readonly state?: JobState;
  readonly kind?: JobKind;
  readonly name?: string;
  readonly queue?: string;
  /** Members of a batch or message. */
  readonly batchId?: string;
  /** Continuations of a job or batch. */
  readonly parentId?: string;
  readonly spawnedBy?: string;
  readonly traceId?: string;
  readonly scheduleKey?: string;
};

/** A page of a list, newest job first. */
export type JobPage = {
  readonly items: readonly JobRecord[];
  /** How many match, counted up to 10,000. */
  readonly total: number;
  /** Whether there are more than were counted. */
  readonly isTotalCapped: boolean;
};

/** Counting goes on no further than this: nobody pages that far, and large tables stay quick. */
const totalMax = 10_000;

const columns: Readonly<Record<keyof JobFilter, string>> = {
  state: 'j.state = $::job_state',
  kind: 'j.kind = $::job_kind',
  name: 'j.name = $',
  queue: 'j.queue = $',
  batchId: 'j.batch_id = $::uuid',
  parentId: 'j.parent_id = $::uuid',
  spawnedBy: 'j.spawned_by = $::uuid',
  traceId: '(j.trace_id = $::uuid and j.trace_id <> j.id or j.id = $::uuid)',
  scheduleKey: 'j.schedule_key = $',
};

/** The condition of a filter, with its values; the shape of a filter decides the text, never its values. */
function condition(filter: JobFilter, schema: string): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const texts = (Object.keys(columns) as (keyof JobFilter)[]).flatMap((key) => {
    const value = filter[key];
    if (value === undefined) return [];
    values.push(value);
    const text = columns[key].replaceAll('$', `$${values.length}`);
    return [text.replace(/::(job_state|job_kind)/, `::${schema.replaceAll('$', '$$$$')}.$1`)];
  });
  return { text: texts.length > 0 ? `where ${texts.join(' and ')}` : '', values };
}

/** Lists jobs, newest first. */
export async function listJobs(
  sql: Sql,
  filter: JobFilter,
  page: { limit: number; offset: number },
): Promise<JobPage> {
  const { text, values } = condition(filter, sql.schema);
  const from = `from ${sql.schema}.job j ${text}`;
  const items = await sql.db.run<JobRecord>(
    {
      name: undefined,
      text: `select ${recordColumns} ${from} order by j.id desc limit $${values.length + 1} offset $${values.length + 2}`,
    },
    [...values, page.limit, page.offset],
  );
  const [count] = await sql.db.run<{ total: number }>(
    { name: undefined, text: `select count(*)::int as total from (select ${from} limit ${totalMax + 1}) c` },
    values,
  );
  const total = count?.total ?? 0;
  return { items, total: Math.min(total, totalMax), isTotalCapped: total > totalMax };
}

/** How many jobs there are. */
export type JobCounts = {
  /** Rows by state now; `Completed` is not among them, since it is by far the largest. */
  readonly states: Readonly<Record<Exclude<JobState, 'Completed'>, number>>;
  /** Since the beginning, whatever has been removed since. */
  readonly totals: {
    readonly completed: number;
    readonly failed: number;
    readonly cancelled: number;
    readonly retried: number;
  };
};

const counts = statement(
  'counts',
  (schema) => `
select
  (select count(*) from ${schema}.job where state = 'Enqueued' and concurrency_key is null)
    + (select count(*) from ${schema}.job where state = 'Enqueued' and concurrency_key is not null) as enqueued,
  (select count(*) from ${schema}.job where state = 'Processing') as processing,
  (select count(*) from ${schema}.job where state = 'Failed') as failed,
  (select count(*) from ${schema}.job where state = 'Cancelled') as cancelled,
  (select count(*) from ${schema}.job where state = 'AwaitingParent') as awaiting_parent,
  (select count(*) filter (where state = 'Scheduled') from ${schema}.job where state in ('Scheduled', 'AwaitingRetry')) as scheduled,
  (select count(*) filter (where state = 'AwaitingRetry') from ${schema}.job where state in ('Scheduled', 'AwaitingRetry')) as awaiting_retry,
  coalesce(sum(t.completed), 0) as total_completed, coalesce(sum(t.failed), 0) as total_failed,
  coalesce(sum(t.cancelled), 0) as total_cancelled, coalesce(sum(t.retried), 0) as total_retried
from (
  select completed, failed, cancelled, retried from ${schema}.job_statistic
  union all select completed, failed, cancelled, retried from ${schema}.job_counter
) t`,
);

/** Counts by state from the partial indexes, and totals from the kept counters. */
export async function countJobs(sql: Sql): Promise<JobCounts> {
  const [row] = await sql.db.run<Record<string, number>>(counts(sql), []);
  const of = (name: string) => row?.[name] ?? 0;
  return {
    states: {
      Scheduled: of('scheduled'),
      Enqueued: of('enqueued'),
      AwaitingParent: of('awaiting_parent'),
      AwaitingRetry: of('awaiting_retry'),
      Processing: of('processing'),
      Failed: of('failed'),
      Cancelled: of('cancelled'),
    },
    totals: {
      completed: of('total_completed'),
      failed: of('total_failed'),
      cancelled: of('total_cancelled'),
      retried: of('total_retried'),
    },
  };
}

/** How many jobs of a queue are in a state. */
export type QueueDepth = { readonly queue: string; readonly state: JobState; readonly count: number };

const depths = statement(
  'depths',
  (schema) => `
select queue, state::text as state, count(*) as count from ${schema}.job
where state in ('Scheduled', 'Enqueued', 'AwaitingParent', 'AwaitingRetry', 'Processing', 'Failed')
group by queue, state`,
);

/** How many jobs of each queue wait, run or have failed. */
export function readDepths(sql: Sql): Promise<QueueDepth[]> {
  return sql.db.run<QueueDepth>(depths(sql), []);
}

/** What ended in an hour. */
export type HourlyStatistic = {
  readonly hour: Date;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly retried: number;
  readonly durationMs: number;
};

const hourly = statement(
  'hourly',
  (schema) => `
select date_trunc('hour', t.at, 'UTC') as hour, sum(completed) as completed, sum(failed) as failed,
  sum(cancelled) as cancelled, sum(retried) as retried, sum(duration_ms) as "durationMs"
from (
  select hour as at, name, completed, failed, cancelled, retried, duration_ms from ${schema}.job_statistic
  union all select at, name, completed, failed, cancelled, retried, duration_ms from ${schema}.job_counter
) t
where t.at >= date_trunc('hour', coalesce($3::timestamptz, now()), 'UTC') - ($1::integer - 1) * interval '1 hour'
  and ($2::text is null or t.name = $2)
group by 1 order by 1`,
);

/** What ended in each of the last hours, oldest first; hours without any are left out. */
export function readHourly(sql: Sql, hours: number, name: string | null): Promise<HourlyStatistic[]> {
  return sql.db.run<HourlyStatistic>(hourly(sql), [hours, name, sql.now()]);
}

const failedNames = statement(
  'failed_names',
  (schema) => `
select name, count(*) as count, max(finished_at) as "lastFailedAt" from ${schema}.job
where state = 'Failed' group by name order by count(*) desc, name limit 1000`,
);

/** Names of the jobs that have failed, with their number, most first. */
export function readFailedNames(
  sql: Sql,
): Promise<{ readonly name: string; readonly count: number; readonly lastFailedAt: Date }[]> {
  return sql.db.run(failedNames(sql), []);
}

const memberCounts = statement(
  'member_counts',
  (schema) => `
select state::text as state, count(*) as count from ${schema}.job where batch_id = $1 group by state`,
);

/** How many members of a batch or message are in each state; states without any are left out. */
export async function countMembers(sql: Sql, batchId: string): Promise<Partial<Record<JobState, number>>> {
  const rows = await sql.db.run<{ state: JobState; count: number }>(memberCounts(sql), [batchId]);
  return Object.fromEntries(rows.map((row) => [row.state, row.count]));
}
