import type { Executor } from '../client/executor.ts';
import { hintPayload, sendHint } from './hints.ts';
import { channelLiteral, type Sql, statement } from './statement.ts';

/** Queue that has jobs, is served, paused or limited. */
export type QueueRecord = {
  readonly name: string;
  readonly waiting: number;
  readonly running: number;
  /** Due time of the oldest waiting job. */
  readonly oldestDueAt: Date | null;
  readonly pausedAt: Date | null;
  /** Maximum number of running jobs across all processes; null without a limit. */
  readonly maxRunning: number | null;
};

const list = statement(
  'queues',
  (schema) => `
with waiting as (
  select queue, count(*) as count, min(due_at) as oldest from ${schema}.job where state = 'Enqueued' group by queue
),
running as (
  select queue, count(*) as count from ${schema}.job where state = 'Processing' and kind = 'Job' group by queue
),
names as (
  select queue as name from waiting union select queue from running union select queue from ${schema}.worker
  union select name from ${schema}.queue
  union select substr(key, 7) from ${schema}.concurrency_limit where key like 'queue:%'
)
select n.name, coalesce(w.count, 0) as waiting, coalesce(r.count, 0) as running, w.oldest as "oldestDueAt",
  q.paused_at as "pausedAt", l.max_running as "maxRunning"
from names n left join waiting w on w.queue = n.name left join running r on r.queue = n.name
left join ${schema}.queue q on q.name = n.name
left join ${schema}.concurrency_limit l on l.key = 'queue:' || n.name
order by n.name`,
);

export const listQueues = (sql: Sql): Promise<QueueRecord[]> => sql.db.run<QueueRecord>(list(sql), []);

const paused = statement(
  'paused_queues',
  (schema) => `select name from ${schema}.queue where paused_at is not null order by name`,
);

/** Returns the names of paused queues without reading their jobs. */
export const listPausedQueues = async (sql: Sql): Promise<string[]> =>
  (await sql.db.run<{ name: string }>(paused(sql), [])).map(({ name }) => name);

/** Pauses or resumes a queue in all processes. Running jobs end normally. */
export async function pauseQueue(
  sql: Sql,
  executor: Executor,
  name: string,
  isPaused: boolean,
): Promise<void> {
  await executor.query(
    `with written as (
  insert into ${sql.schema}.queue as q (name, paused_at)
  values ($1, case when $2::boolean then coalesce($3::timestamptz, now()) end)
  on conflict (name) do update set
    paused_at = case when $2::boolean then coalesce(q.paused_at, excluded.paused_at) end
  returning name
)
select ${sendHint(channelLiteral(sql), hintPayload.timesChanged)} is null as was_hinted from written`,
    [name, isPaused, sql.now()?.toISOString() ?? null],
  );
}

/** Sets a limit that overrides the declaration; null removes it. Keys: `queue:<name>`, or a concurrency key. */
export async function setLimit(
  sql: Sql,
  executor: Executor,
  key: string,
  maxRunning: number | null,
): Promise<void> {
  await executor.query(
    `with gone as (delete from ${sql.schema}.concurrency_limit where key = $1 and $2::integer is null),
written as (
  insert into ${sql.schema}.concurrency_limit (key, max_running) select $1, $2::integer where $2::integer is not null
  on conflict (key) do update set max_running = excluded.max_running, updated_at = now()
)
select ${sendHint(channelLiteral(sql), hintPayload.timesChanged)} is null as was_hinted`,
    [key, maxRunning],
  );
}

/** Limit set at run time. */
export type LimitRecord = {
  readonly key: string;
  readonly maxRunning: number;
  readonly running: number;
  readonly updatedAt: Date;
};

const limits = statement(
  'limits',
  (schema) => `
select l.key, l.max_running as "maxRunning", l.updated_at as "updatedAt", (
  select count(*) from ${schema}.job j where j.state = 'Processing' and j.kind = 'Job'
    and (j.concurrency_key = l.key or l.key = 'queue:' || j.queue)
) as running
from ${schema}.concurrency_limit l order by l.key`,
);

/** Returns the limits set at run time. */
export const listLimits = (sql: Sql): Promise<LimitRecord[]> => sql.db.run<LimitRecord>(limits(sql), []);

/** Process whose engine runs: it claims jobs, fires schedules, or both. */
export type ServerRecord = {
  readonly id: string;
  readonly name: string;
  readonly startedAt: Date;
  readonly heartbeatAt: Date;
  readonly processId: number;
  readonly rssBytes: number;
  readonly cpuPercent: number;
  /** True when the process fires schedules and runs maintenance for all processes. */
  readonly isScheduler: boolean;
  readonly workers: readonly {
    readonly id: string;
    readonly queue: string;
    readonly concurrency: number;
    readonly running: number;
  }[];
};

const servers = statement(
  'servers',
  (schema) => `
select s.id, s.name, s.started_at as "startedAt", s.heartbeat_at as "heartbeatAt", s.process_id as "processId",
  s.rss_bytes as "rssBytes", s.cpu_percent as "cpuPercent", s.is_scheduler as "isScheduler", coalesce((
    select jsonb_agg(jsonb_build_object('id', w.id, 'queue', w.queue, 'concurrency', w.concurrency, 'running', w.running)
      order by w.queue)
    from ${schema}.worker w where w.server_id = s.id
  ), '[]') as workers
from ${schema}.server s order by s.started_at, s.id`,
);

/** Returns the processes that run jobs, with one worker per served queue. */
export const listServers = (sql: Sql): Promise<ServerRecord[]> => sql.db.run<ServerRecord>(servers(sql), []);
