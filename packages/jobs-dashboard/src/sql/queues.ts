import type { Db } from '../db.ts';
import { countMax } from './counts.ts';

/** Queue that has jobs, is served, paused or limited. */
export type QueueItem = {
  readonly name: string;
  readonly waiting: number;
  /** True when the count reached its limit and more jobs may wait. */
  readonly isWaitingCapped: boolean;
  readonly running: number;
  /** Due time of the oldest waiting job. */
  readonly oldestDueAt: Date | null;
  readonly pausedAt: Date | null;
  readonly maxRunning: number | null;
  /** Maximum number of running jobs in all processes that serve the queue. */
  readonly capacity: number;
};

const queuesMax = 500;

/** Returns a recursive query that reads each distinct name from the index, independent of the number of jobs. */
const names = (schema: string, cte: string, isKeyed: boolean) => {
  const of = `from ${schema}.job j where j.state = 'Enqueued' and j.concurrency_key is ${isKeyed ? 'not null' : 'null'}`;
  return `${cte} as (
  (select j.queue ${of} order by j.queue limit 1)
  union all
  select (select j.queue ${of} and j.queue > ${cte}.queue order by j.queue limit 1)
  from ${cte} where ${cte}.queue is not null
)`;
};

/** Maximum number of rows counted for all queues together. With more queues, fewer rows per queue are counted. */
const countedMax = 60_000;
const countedMin = 1_000;

/** Returns all queues, at most 500, ordered by name. */
export async function listQueues(db: Db): Promise<QueueItem[]> {
  const { schema } = db;
  const queues = await db.walk<{ name: string }>(`
with recursive ${names(schema, 'ready', false)}, ${names(schema, 'keyed', true)}
select queue as name from ready where queue is not null union select queue from keyed where queue is not null
union select queue from ${schema}.worker union select name from ${schema}.queue
union select substr(key, 7) from ${schema}.concurrency_limit where key like 'queue:%'
limit ${queuesMax}`);
  const cap = Math.max(countedMin, Math.min(countMax, Math.floor(countedMax / Math.max(1, queues.length))));
  const waiting = (isKeyed: boolean) => `(
    select j.due_at from ${schema}.job j
    where j.state = 'Enqueued' and j.concurrency_key is ${isKeyed ? 'not null' : 'null'} and j.queue = n.name
    order by ${isKeyed ? 'j.concurrency_key, ' : ''}j.priority desc, j.due_at, j.id limit ${cap}
  )`;
  return db.walk<QueueItem>(
    `
with running as (
  select queue, count(*) as count from (
    select queue from ${schema}.job where state = 'Processing' and kind = 'Job' limit ${countMax}
  ) r group by queue
),
served as (select queue, sum(concurrency) as capacity from ${schema}.worker group by queue),
names as (select unnest($1::text[]) as name union select queue from running)
select n.name, w.count as waiting, w.count >= ${cap} as "isWaitingCapped", coalesce(r.count, 0) as running,
  w.oldest as "oldestDueAt", q.paused_at as "pausedAt", l.max_running as "maxRunning",
  coalesce(s.capacity, 0) as capacity
from names n
cross join lateral (
  select count(*) as count, min(due_at) as oldest from (${waiting(false)} union all ${waiting(true)}) d
) w
left join running r on r.queue = n.name
left join served s on s.queue = n.name
left join ${schema}.queue q on q.name = n.name
left join ${schema}.concurrency_limit l on l.key = 'queue:' || n.name
order by n.name collate "C" limit ${queuesMax}`,
    [queues.map(({ name }) => name)],
  );
}
