import type { JobKind, JobState } from '../../states.ts';
import { type Sql, statement } from '../statement.ts';
import { type JobRecord, recordColumns } from './read-jobs.ts';

/** Filter of a job list. A job must match all present members. */
export type JobFilter = {
  readonly state?: JobState;
  readonly kind?: JobKind;
  readonly name?: string;
  readonly queue?: string;
  /** Lists members of this batch or message. */
  readonly batchId?: string;
  /** Lists continuations of this job or batch. */
  readonly parentId?: string;
  readonly spawnedBy?: string;
  readonly traceId?: string;
  readonly scheduleKey?: string;
};

/** Page of a list, newest job first. */
export type JobPage = {
  readonly items: readonly JobRecord[];
  /** Number of matching jobs, counted up to 10,000. */
  readonly total: number;
  /** True when more jobs match than were counted. */
  readonly isTotalCapped: boolean;
};

/** Maximum count. Users do not page further, and counts of large tables remain fast. */
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

/** Returns the condition of a filter and its values. The text depends only on the members present, never on their values. */
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

/** Returns a page of matching jobs, newest first. */
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

/** Numbers of jobs. */
export type JobCounts = {
  /** Stored rows by state. `Completed`, by far the most frequent state, is not counted. */
  readonly states: Readonly<Record<Exclude<JobState, 'Completed'>, number>>;
  /** Totals of all time, including removed jobs. */
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

/** Returns counts by state from the partial indexes, and totals from the stored counters. */
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

/** Number of jobs of a queue in a state. */
export type QueueDepth = { readonly queue: string; readonly state: JobState; readonly count: number };

const depths = statement(
  'depths',
  (schema) => `
select queue, state::text as state, count(*) as count from ${schema}.job
where state in ('Scheduled', 'Enqueued', 'AwaitingParent', 'AwaitingRetry', 'Processing', 'Failed')
group by queue, state`,
);

/** Returns the numbers of waiting, running and failed jobs per queue. Zero counts are omitted. */
export function readDepths(sql: Sql): Promise<QueueDepth[]> {
  return sql.db.run<QueueDepth>(depths(sql), []);
}

/** Ended jobs of an hour. */
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

/** Returns the ended jobs of each of the last hours, oldest first. Hours without any are omitted. */
export function readHourly(sql: Sql, hours: number, name: string | null): Promise<HourlyStatistic[]> {
  return sql.db.run<HourlyStatistic>(hourly(sql), [hours, name, sql.now()]);
}

const failedNames = statement(
  'failed_names',
  (schema) => `
select name, count(*) as count, max(finished_at) as "lastFailedAt" from ${schema}.job
where state = 'Failed' group by name order by count(*) desc, name limit 1000`,
);

/** Returns the names of failed jobs with their counts, highest count first, at most 1,000. */
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

/** Returns the number of members of a batch or message per state. States without members are omitted. */
export async function countMembers(sql: Sql, batchId: string): Promise<Partial<Record<JobState, number>>> {
  const rows = await sql.db.run<{ state: JobState; count: number }>(memberCounts(sql), [batchId]);
  return Object.fromEntries(rows.map((row) => [row.state, row.count]));
}
