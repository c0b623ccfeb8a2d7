import type pg from 'pg';
import { jobQueues } from '../job-queues.ts';
import { type Finding, fault, warning, well } from './finding.ts';

const overdueMaxSeconds = 120;
const workerSilentSeconds = 60;
/** A clock under the control of a time server deviates less than this. */
const clockToleranceSeconds = 60;
const listedMax = 5;

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
const minutes = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** State of workers, queues and jobs. */
type JobState = {
  liveWorkers: number;
  servedQueues: string[];
  hasScheduler: boolean;
  aheadKeys: string[];
  aheadUntil: Date | null;
  paused: string[];
  oldestDueSeconds: number | null;
  oldestQueue: string | null;
  idleQueues: string[];
  lostLeases: number;
  failedToday: number;
};

/** Reads the state of the jobs; undefined if the job tables do not exist yet. */
async function readJobState(client: pg.ClientBase): Promise<JobState | undefined> {
  const { rows: tableRows } = await client.query(
    `select to_regclass('svc_jobs.job') is not null as "isThere"`,
  );
  if (!tableRows[0].isThere) return undefined;
  const { rows } = await client.query<JobState>(
    `with live as (select * from svc_jobs.server where heartbeat_at > now() - make_interval(secs => $1)),
    -- A paused queue is to wait.
    oldest as (select queue, due_at from svc_jobs.job j where state = 'Enqueued'
      and not exists (select from svc_jobs.queue q where q.name = j.queue and q.paused_at is not null)
      order by due_at limit 1),
    -- Schedules fire when their time has come, so this takes a clock that was set back since.
    ahead as (select key, last_due_at from svc_jobs.schedule
      where next_due_at is not null and last_due_at > now() + make_interval(secs => $2))
    select
      array(select key from ahead order by key) as "aheadKeys",
      (select max(last_due_at) from ahead) as "aheadUntil",
      (select count(distinct w.server_id)::int from svc_jobs.worker w join live on live.id = w.server_id) as "liveWorkers",
      array(select distinct w.queue from svc_jobs.worker w join live on live.id = w.server_id) as "servedQueues",
      exists (select from live where live.is_scheduler) as "hasScheduler",
      (select coalesce(array_agg(name order by name), '{}') from svc_jobs.queue where paused_at is not null) as paused,
      (select extract(epoch from now() - due_at)::float8 from oldest) as "oldestDueSeconds",
      (select queue from oldest) as "oldestQueue",
      -- Work waits there, and no process works at anything of it.
      array(select w.queue from unnest($3::text[]) w (queue)
        where exists (select from svc_jobs.job j where j.queue = w.queue and j.state = 'Enqueued'
            and j.due_at < now() - make_interval(secs => $4))
          and not exists (select from svc_jobs.queue q where q.name = w.queue and q.paused_at is not null)
          and not exists (select from svc_jobs.job j where j.queue = w.queue and j.state = 'Processing'
            and j.lease_until > now())) as "idleQueues",
      (select count(*)::int from svc_jobs.job where state = 'Processing' and lease_until < now() - interval '5 minutes') as "lostLeases",
      (select count(*)::int from svc_jobs.job where state = 'Failed' and finished_at > now() - interval '1 day') as "failedToday"`,
    [workerSilentSeconds, clockToleranceSeconds, jobQueues, overdueMaxSeconds],
  );
  return rows[0];
}

/** Checks workers, queues and jobs for lack of progress. Empty if the job tables do not exist yet. */
export async function checkJobs(client: pg.ClientBase): Promise<readonly Finding[]> {
  const jobs = await readJobState(client);
  if (!jobs) return [];
  const late = jobs.oldestDueSeconds ?? 0;
  return [
    ofWorkers(jobs),
    jobs.hasScheduler
      ? well('Scheduler', 'A process fires schedules.')
      : warning(
          'Scheduler',
          'No live process has the role Scheduler: no schedule comes due, and jobs of processes that are gone stay with them.',
          'Start one with Scheduler in Svc:Host:Roles and Svc:Jobs:Workers above 0.',
        ),
    ofSchedules(jobs),
    jobs.paused.length === 0
      ? well('Queues', 'No queue is paused.')
      : warning(
          'Queues',
          `Paused: ${jobs.paused.join(', ')}.`,
          'Resume them on the job dashboard, unless this is a copy that must send nothing.',
        ),
    late <= overdueMaxSeconds
      ? well('Due jobs', 'Jobs begin when they are due.')
      : warning(
          'Due jobs',
          `A job of the queue ${jobs.oldestQueue} has waited for ${minutes(late)}.`,
          'Raise Svc:Jobs:Workers or add a process; the dashboard shows what takes the workers.',
        ),
    ofIdleQueues(jobs),
    jobs.lostLeases === 0
      ? well('Stuck jobs', 'No job is held by a process that is gone.')
      : warning(
          'Stuck jobs',
          `${count(jobs.lostLeases, 'job is', 'jobs are')} held by processes that are gone.`,
          'Start the service: a live process takes them back within a minute.',
        ),
    jobs.failedToday === 0
      ? well('Failed jobs', 'No job failed in the last day.')
      : warning(
          'Failed jobs',
          `${count(jobs.failedToday, 'job', 'jobs')} failed in the last day.`,
          'Look at them on the job dashboard (state:Failed); each names its error.',
        ),
  ];
}

function ofIdleQueues({
  idleQueues,
  servedQueues,
}: {
  readonly idleQueues: readonly string[];
  readonly servedQueues: readonly string[];
}): Finding {
  // Another check reports queues without a worker.
  const names = idleQueues.filter((queue) => servedQueues.includes(queue));
  if (names.length === 0) return well('Idle queues', 'No queue waits while its workers are idle.');
  return warning(
    'Idle queues',
    `Due jobs wait although no job is held: ${names.join(', ')}.`,
    'A limit of the queue or of a key may be too low. Check the limits on the job dashboard, and the log of the workers for failed statements.',
  );
}

function ofSchedules({
  aheadKeys,
  aheadUntil,
}: {
  readonly aheadKeys: readonly string[];
  readonly aheadUntil: Date | null;
}): Finding {
  if (aheadUntil === null) return well('Schedules', 'No schedule ran ahead of the clock.');
  const more = aheadKeys.length > listedMax ? ` and ${aheadKeys.length - listedMax} more` : '';
  const ran = count(aheadKeys.length, 'schedule ran for a time', 'schedules ran for times');
  const verb = aheadKeys.length === 1 ? 'is' : 'are';
  return fault(
    'Schedules',
    `${ran} that ${verb} still to come, the last for ${aheadUntil.toISOString()}: ${aheadKeys.slice(0, listedMax).join(', ')}${more}. The clock was ahead, or is behind now.`,
    'A live process with the role Scheduler lets them continue from the present time within a minute. Let the machine follow a time server.',
  );
}

function ofWorkers(jobs: {
  readonly liveWorkers: number;
  readonly servedQueues: readonly string[];
}): Finding {
  const unserved = jobQueues.filter((queue) => !jobs.servedQueues.includes(queue));
  if (jobs.liveWorkers === 0)
    return warning(
      'Workers',
      'No process takes jobs: nothing runs and nothing is sent.',
      'Start the service, with Worker in Svc:Host:Roles and Svc:Jobs:Workers above 0 in at least one process.',
    );
  return unserved.length === 0
    ? well('Workers', `${count(jobs.liveWorkers, 'process takes', 'processes take')} jobs.`)
    : warning(
        'Workers',
        `No live process takes jobs of: ${unserved.join(', ')}.`,
        'Start a process with the role Worker whose Svc:Jobs:Queues names them, or names none.',
      );
}

/** A relation and its size, including indexes. */
export type RelationSize = { readonly name: string; readonly bytes: number };

/** Returns the sizes of the database and of its ten largest tables. */
export async function sizesOf(
  client: pg.ClientBase,
): Promise<{ readonly bytes: number; readonly largest: readonly RelationSize[] }> {
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  );
  const { rows: largest } = await client.query<{ name: string; bytes: string }>(
    `select n.nspname || '.' || c.relname as name, sum(pg_total_relation_size(coalesce(i.inhrelid, c.oid))) as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_inherits i on i.inhparent = c.oid
      where n.nspname in ('svc', 'svc_jobs') and c.relkind in ('r', 'p') and not c.relispartition
      group by 1 order by 2 desc limit 10`,
  );
  return {
    bytes: Number(rows[0]?.bytes ?? 0),
    largest: largest.map(({ name, bytes }) => ({ name, bytes: Number(bytes) })),
  };
}

/** Checks that the configured key can decrypt the database's secrets. */
export function checkKey(keyIds: readonly string[], isHere: boolean): Finding {
  if (keyIds.length === 0) return well('Key', 'The database holds no secret yet.');
  return isHere
    ? well('Key', 'The key opens the secrets of the database.')
    : fault(
        'Key',
        `Secrets are under the key ${keyIds.join(' or ')}, which is not here.`,
        'Set Svc:EncryptionKey to that key, or put its file back into the data directory.',
      );
}
