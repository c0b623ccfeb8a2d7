import type { Db } from '../db.ts';
import { itemColumns, type JobItem } from './job-columns.ts';

/** Process that runs jobs, with one worker per served queue. */
export type ServerItem = {
  readonly id: string;
  readonly name: string;
  readonly startedAt: Date;
  readonly heartbeatAt: Date;
  /** Time since the last heartbeat, by PostgreSQL's clock. */
  readonly silentMs: number;
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

/** Returns the processes that run jobs, newest first, or the one with the id; at most 500. */
export const listServers = (db: Db, id: string | null = null): Promise<ServerItem[]> =>
  db.rows<ServerItem>(
    `select s.id, s.name, s.started_at as "startedAt", s.heartbeat_at as "heartbeatAt",
       greatest(0, extract(epoch from now() - s.heartbeat_at) * 1000)::float8 as "silentMs",
       s.process_id as "processId", s.rss_bytes as "rssBytes", s.cpu_percent as "cpuPercent",
       s.is_scheduler as "isScheduler", coalesce((
         select jsonb_agg(jsonb_build_object('id', w.id, 'queue', w.queue, 'concurrency', w.concurrency,
           'running', w.running) order by w.queue collate "C")
         from ${db.schema}.worker w where w.server_id = s.id
       ), '[]') as workers
     from ${db.schema}.server s where $1::uuid is null or s.id = $1
     order by s.started_at desc, s.id limit 500`,
    [id],
  );

/** Returns the running jobs of a process, the oldest run first, at most 200. */
export const listRunning = (db: Db, serverId: string): Promise<JobItem[]> =>
  db.rows<JobItem>(
    `select ${itemColumns} from ${db.schema}.job j
     where j.state = 'Processing' and j.kind = 'Job'
       and j.worker_id in (select w.id from ${db.schema}.worker w where w.server_id = $1::uuid)
     order by j.started_at, j.id limit 200`,
    [serverId],
  );
