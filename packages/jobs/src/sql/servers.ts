import { type Sql, statement, urgentTimeoutMs } from './statement.ts';

/** Status report of a running process. */
export type ServerReport = {
  readonly id: string;
  readonly name: string;
  readonly processId: number;
  readonly rssBytes: number;
  readonly cpuPercent: number;
  /** True when the process fires schedules and runs maintenance for all processes. */
  readonly isScheduler: boolean;
  readonly workers: readonly { id: string; queue: string; concurrency: number; running: number }[];
};

const report = statement(
  'report',
  (schema) => `
with alive as (
  insert into ${schema}.server (id, name, started_at, heartbeat_at, process_id, rss_bytes, cpu_percent,
    is_scheduler)
  values ($1, $2, coalesce($10::timestamptz, now()), coalesce($10::timestamptz, now()), $3, $4, $5, $11)
  on conflict (id) do update set heartbeat_at = excluded.heartbeat_at, rss_bytes = excluded.rss_bytes,
    cpu_percent = excluded.cpu_percent
)
insert into ${schema}.worker (id, server_id, queue, concurrency, running)
select w.id, $1, w.queue, w.concurrency, w.running
from unnest($6::uuid[], $7::text[], $8::integer[], $9::integer[]) as w (id, queue, concurrency, running)
on conflict (id) do update set running = excluded.running`,
  { answerTimeoutMs: urgentTimeoutMs },
);

/** Stores the status of the process and its workers. */
export async function reportServer(sql: Sql, server: ServerReport): Promise<void> {
  const { workers } = server;
  await sql.db.run(report(sql), [
    server.id,
    server.name,
    server.processId,
    server.rssBytes,
    server.cpuPercent,
    workers.map((worker) => worker.id),
    workers.map((worker) => worker.queue),
    workers.map((worker) => worker.concurrency),
    workers.map((worker) => worker.running),
    sql.now(),
    server.isScheduler,
  ]);
}

const remove = statement('remove_server', (schema) => `delete from ${schema}.server where id = $1`);

/** Removes the row of a process that stopped normally. */
export async function removeServer(sql: Sql, id: string): Promise<void> {
  await sql.db.run(remove(sql), [id]);
}

const removeDead = statement(
  'remove_dead_servers',
  (schema) => `
delete from ${schema}.server
where heartbeat_at < coalesce($2::timestamptz, now()) - $1::float8 * interval '1 millisecond'`,
);

/** Removes the rows of processes without a heartbeat for `silentMs`. */
export async function removeDeadServers(sql: Sql, silentMs: number): Promise<void> {
  await sql.db.run(removeDead(sql), [silentMs, sql.now()]);
}
