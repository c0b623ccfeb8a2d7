import pg from 'pg';
import { createJobs } from '../client/jobs.ts';
import { ledgerTables, tickJob } from './trial-jobs.ts';
import { startTrialProcess } from './trial-process.ts';

/** Result of a tick trial. */
export type TickTrialReport = {
  readonly ticks: number;
  /** Due times that fired more than one job. Must be 0. */
  readonly doubled: number;
  /** Jobs with more than one observed slot. Must be 0. */
  readonly movedSlots: number;
  /** Due times between the first and the last that did not fire. Must be 0. */
  readonly missing: number;
  /** Time from the due time to the run, in ms. */
  readonly latencyMs: { readonly median: number; readonly p99: number; readonly max: number };
};

export type TickTrialOptions = {
  readonly connection: pg.ClientConfig;
  readonly ticks: number;
  /** Kills one of the processes every this many ticks; 0: never. */
  readonly killEveryTicks: number;
  /** Maximum jump of the processes' clocks, forward or backward. Default 0. */
  readonly clockJumpMs?: number;
  readonly onTick?: (ticks: number) => void;
};

const findings = `
with times as (
  select due_at, count(distinct job_id) as runs, min(extract(epoch from at - due_at) * 1000) as late_ms from fired group by due_at
)
select count(*)::int as ticks, count(*) filter (where runs > 1)::int as doubled,
  (select count(distinct (job_id, due_at)) - count(distinct job_id) from fired)::int as "movedSlots",
  (extract(epoch from max(due_at) - min(due_at))::int + 1 - count(*))::int as missing,
  json_build_object('median', percentile_cont(0.5) within group (order by late_ms),
    'p99', percentile_cont(0.99) within group (order by late_ms), 'max', max(late_ms)) as "latencyMs"
from times`;

const lookAgainMs = 200;
const drainMsMax = 60_000;

function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  return promise;
}

const settings = { leaseMs: 4_000, sweepIntervalMs: 1_000, workMsMax: 0 };

/** Waits until all jobs have ended, including jobs of killed processes, whose leases must expire first. */
async function drain(pool: pg.Pool): Promise<void> {
  const endMs = performance.now() + drainMsMax;
  while (performance.now() < endMs) {
    const { rowCount } = await pool.query(
      "select from svc_jobs.job where state not in ('Completed', 'Failed', 'Cancelled') limit 1",
    );
    if (rowCount === 0) return;
    await pause(lookAgainMs);
  }
}

/** Runs one schedule of one second in three processes. Some of them are killed, and their clocks may jump. */
export async function runTickTrial(options: TickTrialOptions): Promise<TickTrialReport> {
  const pool = new pg.Pool({ ...options.connection, max: 4 });
  pool.on('error', () => undefined);
  await pool.query(ledgerTables);
  const start = () =>
    startTrialProcess({
      ...settings,
      connection: options.connection,
      clockJumpMs: options.clockJumpMs ?? 0,
    });
  const processes = await Promise.all([1, 2, 3].map(start));
  try {
    const jobs = createJobs({ pool });
    await jobs.schedules.put(pool, { key: 'tick', cron: '* * * * * *', job: tickJob, payload: null });
    let seen = 0;
    let killed = 0;
    while (seen < options.ticks) {
      await pause(lookAgainMs);
      const before = seen;
      seen = (await pool.query('select count(distinct due_at)::int as seen from fired')).rows[0].seen;
      if (seen !== before) options.onTick?.(seen);
      if (options.killEveryTicks > 0 && seen >= (killed + 1) * options.killEveryTicks) {
        const at = killed % processes.length;
        killed += 1;
        await processes[at]?.kill();
        processes[at] = await start();
      }
    }
    await jobs.schedules.remove(pool, 'tick');
    await drain(pool);
    return (await pool.query(findings)).rows[0];
  } finally {
    await Promise.all(processes.map((one) => one.stop()));
    await pool.end();
  }
}
