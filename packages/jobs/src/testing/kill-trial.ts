import pg from 'pg';
import { createJobs } from '../client/jobs.ts';
import { exactJob, ledgerTables, plainJob } from './trial-jobs.ts';
import { startTrialProcess, type TrialProcess } from './trial-process.ts';

/** Result of a kill trial. Members that must be 0 are marked. */
export type KillTrialReport = {
  /** Number of processes that were killed, or frozen for longer than their leases. */
  readonly kills: number;
  readonly enqueued: number;
  /** Jobs that did not complete. Must be 0. */
  readonly lost: number;
  /** Exactly-once jobs whose effect does not exist exactly once. Must be 0. */
  readonly wrongEffects: number;
  /** Runs that began. Each has its own fencing token. */
  readonly runs: number;
  /** Runs beyond a job's first that no lost worker explains. Must be 0. */
  readonly unexplainedRuns: number;
  /** Runs without an entry in the history. Must be 0. */
  readonly unrecordedRuns: number;
  /** Claims that two runs had at the same time. A fencing token is issued only once. Must be 0. */
  readonly doubledClaims: number;
  /** Jobs whose history or row contains an impossible sequence. Must be 0. */
  readonly illegalHistories: number;
  /** Number of recoveries of jobs with a lost worker. */
  readonly recoveries: number;
  /** Longest observed time of a job with an expired lease. Must be at most slightly longer than one sweep interval. */
  readonly overdueMsMax: number;
};

export type KillTrialOptions = {
  readonly connection: pg.ClientConfig;
  readonly kills: number;
  readonly leaseMs: number;
  readonly sweepIntervalMs: number;
  /** True: processes are frozen until other processes have claimed their jobs, and then resumed, instead of killed. */
  readonly freezes?: boolean;
  readonly onKill?: (kills: number) => void;
};

const workMsMax = 40;
const aliveMsMax = 600;
const jobsPerStep = 10;
const stepMs = 20;
/** Maximum number of waiting jobs: the trial tests crashes, not a backlog. */
const waitingMax = 200;
/** Time for other processes to claim the jobs of a frozen process after its leases expired. */
const freezeMsMax = 3_000;
const drainMsMax = 120_000;

async function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  await promise;
}

/** Enqueues both kinds of jobs until `isOver` returns true. About half of the transactions are rolled back. */
async function feed(pool: pg.Pool, isOver: () => boolean): Promise<number> {
  const jobs = createJobs({ pool });
  let enqueued = 0;
  while (!isOver()) {
    const { rows } = await pool.query(
      "select count(*)::int as count from svc_jobs.job where state = 'Enqueued'",
    );
    if (rows[0].count < waitingMax) {
      const client = await pool.connect();
      await client.query('begin');
      const items = Array.from({ length: jobsPerStep }, (_, at) => ({ payload: at }));
      await jobs.enqueueMany(client, plainJob, items);
      await jobs.enqueueMany(client, exactJob, items);
      const isKept = Math.random() < 0.5;
      await client.query(isKept ? 'commit' : 'rollback');
      client.release();
      if (isKept) enqueued += 2 * jobsPerStep;
    }
    await pause(stepMs);
  }
  return enqueued;
}

/** Polls the time since expired leases ended and returns the longest. */
async function watchLeases(pool: pg.Pool, isOver: () => boolean): Promise<number> {
  let worstMs = 0;
  while (!isOver()) {
    const { rows } = await pool.query(
      `select coalesce(max(extract(epoch from clock_timestamp() - lease_until) * 1000), 0)::float8 as ms
       from svc_jobs.job where state = 'Processing'`,
    );
    worstMs = Math.max(worstMs, rows[0].ms);
    await pause(stepMs);
  }
  return worstMs;
}

/** Repeatedly kills or freezes one of two processes at a random moment. Another process replaces a killed one. */
async function killAgainAndAgain(
  options: KillTrialOptions,
  processes: TrialProcess[],
  pool: pg.Pool,
): Promise<void> {
  for (let kills = 0; kills < options.kills; ) {
    await pause(Math.random() * aliveMsMax);
    const at = kills % processes.length;
    if (options.freezes) {
      const before = await countRecoveries(pool);
      processes[at]?.freeze();
      // Waits until other processes have claimed its jobs. A process without jobs does not count.
      const endMs = performance.now() + options.leaseMs + freezeMsMax;
      let hasLost = false;
      while (!hasLost && performance.now() < endMs) {
        await pause(stepMs);
        hasLost = (await countRecoveries(pool)) > before;
      }
      processes[at]?.thaw();
      if (hasLost) {
        kills += 1;
        options.onKill?.(kills);
      }
      continue;
    }
    kills += 1;
    await processes[at]?.kill();
    options.onKill?.(kills);
    processes[at] = await startTrialProcess({ ...options, workMsMax });
  }
}

async function countRecoveries(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    "select count(*)::int as count from svc_jobs.job_log where event = 'Recovered'",
  );
  return rows[0].count;
}

async function drain(pool: pg.Pool): Promise<void> {
  const endMs = performance.now() + drainMsMax;
  for (;;) {
    const { rows } = await pool.query(
      "select count(*)::int as count from svc_jobs.job where state not in ('Completed', 'Failed', 'Cancelled')",
    );
    if (rows[0].count === 0 || performance.now() > endMs) return;
    await pause(stepMs);
  }
}

/** Computes each number from the ledger and the library's tables. */
const findings = `
select
  (select count(*) from svc_jobs.job where state <> 'Completed')::int as lost,
  (select count(*) from svc_jobs.job j where name = 'exact' and (select count(*) from effect e where e.job_id = j.id) <> 1)::int
    + (select count(*) from effect e where not exists (select from svc_jobs.job j where j.id = e.job_id))::int as "wrongEffects",
  (select count(*) from ledger where event = 'began')::int as runs,
  (select coalesce(sum(greatest(0, l.runs - 1 - coalesce(h.lost, 0))), 0) from (
    select job_id, count(*) as runs from ledger where event = 'began' group by job_id
  ) l left join (
    select job_id, count(*) as lost from svc_jobs.job_log where event = 'Recovered' group by job_id
  ) h using (job_id))::int as "unexplainedRuns",
  (select coalesce(sum(greatest(0, l.runs - coalesce(h.rows, 0))), 0) from (
    select job_id, count(*) as runs from ledger where event = 'began' group by job_id
  ) l left join (
    select job_id, count(*) as rows from (
      select job_id from svc_jobs.job_log where event in ('Recovered', 'AwaitingRetry', 'Failed')
      union all select id from svc_jobs.job where state = 'Completed'
    ) told group by job_id
  ) h using (job_id))::int as "unrecordedRuns",
  (select count(*) from (
    select from ledger where event = 'began' group by job_id, fence having count(*) > 1
  ) d)::int as "doubledClaims",
  (select count(*) from (
    select event, lead(event) over (partition by job_id order by at, id) as next
    from svc_jobs.job_log where event not in ('Log', 'CancelRequested')
  ) h where event in ('Completed', 'Failed', 'Cancelled') and next <> 'Enqueued')::int
  + (select count(*) from svc_jobs.job where state = 'Completed'
      and (finished_at is null or started_at > finished_at or lease_until is not null or expire_at is null
        or attempt < 1 or fence < attempt))::int
  + (select count(*) from svc_jobs.job where state = 'Processing' and lease_until is null and kind = 'Job')::int
    as "illegalHistories",
  (select count(*) from svc_jobs.job_log where event = 'Recovered')::int as recoveries,
  (select count(*) from svc_jobs.job)::int as found`;

/**
 * Runs jobs in two processes, each of which is killed or frozen for longer than its leases at random moments.
 * Afterwards compares the ledger that the handlers wrote with the library's tables.
 */
export async function runKillTrial(options: KillTrialOptions): Promise<KillTrialReport> {
  const pool = new pg.Pool({ ...options.connection, max: 6 });
  pool.on('error', () => undefined);
  await pool.query(ledgerTables);
  const processes = await Promise.all([1, 2].map(() => startTrialProcess({ ...options, workMsMax })));
  try {
    let isFed = false;
    let isDrained = false;
    const feeding = feed(pool, () => isFed);
    const watching = watchLeases(pool, () => isDrained);
    await killAgainAndAgain(options, processes, pool);
    isFed = true;
    const enqueued = await feeding;
    await drain(pool);
    isDrained = true;
    const overdueMsMax = Math.round(await watching);
    const { found: storedCount, ...rest } = (await pool.query(findings)).rows[0];
    return {
      kills: options.kills,
      enqueued,
      overdueMsMax,
      ...rest,
      lost: rest.lost + enqueued - storedCount,
    };
  } finally {
    await Promise.all(processes.map((one) => one.stop()));
    await pool.end();
  }
}
