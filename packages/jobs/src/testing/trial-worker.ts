import pg from 'pg';
import { createJobs } from '../client/jobs.ts';
import { exactJob, plainJob, tickJob } from './trial-jobs.ts';

/** Settings that the trial sends to a worker process. */
export type TrialWorkerSettings = {
  readonly connection: pg.ClientConfig;
  readonly leaseMs: number;
  readonly sweepIntervalMs: number;
  readonly workMsMax: number;
  /** Maximum error of the process's clock, which changes every second. Default 0: no error. */
  readonly clockJumpMs?: number;
};

/** Makes the process's clock jump. Timers continue, as when the time of a machine is set. */
function letClockJump(byMsMax: number): void {
  const RealDate = Date;
  let offsetMs = 0;
  setInterval(() => {
    offsetMs = Math.round((2 * Math.random() - 1) * byMsMax);
  }, 1_000).unref();
  const now = () => RealDate.now() + offsetMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}

async function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  await promise;
}

async function run(settings: TrialWorkerSettings): Promise<void> {
  if (settings.clockJumpMs) letClockJump(settings.clockJumpMs);
  const pool = new pg.Pool({ ...settings.connection, max: 16 });
  pool.on('error', () => undefined);
  const jobs = createJobs({
    pool,
    leaseMs: settings.leaseMs,
    heartbeatMs: settings.leaseMs / 4,
    sweepIntervalMs: settings.sweepIntervalMs,
    recoveriesMax: 1_000,
    queues: { plain: { concurrency: 4 }, exact: { concurrency: 4 }, tick: { concurrency: 4 } },
  });
  const note = (jobId: string, fence: number, event: string) =>
    pool.query('insert into ledger (job_id, fence, event) values ($1, $2, $3)', [jobId, fence, event]);
  jobs.handle(plainJob, async (_payload, run) => {
    await note(run.jobId, run.fence, 'began');
    await pause(Math.random() * settings.workMsMax);
    await note(run.jobId, run.fence, 'ended');
  });
  jobs.handle(exactJob, async (payload, run) => {
    await pause(Math.random() * settings.workMsMax);
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('insert into effect values ($1, $2)', [run.jobId, payload]);
      await run.completeIn(client);
      await client.query('commit');
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  });
  jobs.handle(tickJob, async (_payload, run) => {
    await pool.query('insert into fired (due_at, job_id, pid) values ($1, $2, $3)', [
      run.slotAt,
      run.jobId,
      process.pid,
    ]);
  });
  await jobs.start();
  process.send?.('started');
  process.on('disconnect', () => void jobs.stop({ timeoutMs: 500 }).finally(() => process.exit(0)));
}

process.once('message', (message) => void run(message as TrialWorkerSettings));
