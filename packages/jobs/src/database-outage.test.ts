import net from 'node:net';
import { temporaryDataDirectories } from '@svc/testkit/database/data-directory.ts';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startBuiltInCluster } from '../../server/src/platform/db/built-in/index.ts';
import { defineJob } from './client/declare.ts';
import { createJobs } from './client/jobs.ts';
import { migrateJobs } from './db/migrate.ts';
import { startListener } from './engine/listener.ts';
import { createFixture, eventually, recordingLogger } from './testing/fixture.ts';

const newDataDirectory = temporaryDataDirectories();

/** Maximum number of loops of a process and its connections that log a failure. */
const loopsMax = 12;

/** Expects at most one line per loop and second, for any duration of the outage: no loop retries without a delay. */
function expectFewLines(lines: readonly string[], startedAtMs: number, fewMax: number): void {
  const seconds = (performance.now() - startedAtMs) / 1_000;
  expect(lines.length).toBeLessThan(Math.max(fewMax, loopsMax * seconds));
}

describe('a listener with a half-open connection', () => {
  it('detects that its session does not respond, reconnects and receives notifications again', async () => {
    const fixture = await createFixture();
    const { host, port, ...rest } = fixture.database.connection;
    let isFrozen = false;
    const frozen = new Set<net.Socket>();
    // Old connections receive no data, as when packets are dropped. New ones work.
    const proxy = net.createServer((near) => {
      const far = host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on('data', (data) => frozen.has(near) || to.write(data));
        from.on('error', () => undefined);
        from.on('close', () => to.destroy());
      }
      if (!isFrozen) frozenCandidates.push(near);
    });
    const frozenCandidates: net.Socket[] = [];
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const hints: string[] = [];
    let connections = 0;
    const logger = recordingLogger();
    const listener = startListener({
      connection: { ...rest, host: '127.0.0.1', port: address.port },
      channel: 'svc_jobs',
      logger,
      onHint: (hint) => hints.push(hint),
      onConnected: () => {
        connections += 1;
      },
      heartbeatMs: 100,
      answerTimeoutMs: 2_000,
    });
    const notify = (hint: string) => fixture.pool.query('select pg_notify($1, $2)', ['svc_jobs', hint]);
    await eventually(() => connections > 0);
    await notify('first');
    await eventually(() => hints.includes('first'));
    const before = connections;
    isFrozen = true;
    for (const socket of frozenCandidates) frozen.add(socket);
    await eventually(() => connections > before, 'another connection');
    await notify('second');
    await eventually(() => hints.includes('second'));
    const lost = logger.lines.filter((line) => line.includes('lost its connection'));
    expect(lost).toHaveLength(connections - 1);
    await listener.stop();
    proxy.close();
    await fixture.close();
  });
});

describe('a database outage', () => {
  it('is awaited without a busy loop, finished jobs are recorded afterwards, and new jobs run', async () => {
    const dataDirectory = newDataDirectory();
    let cluster = await startBuiltInCluster({ dataDirectory });
    const client = new pg.Client(cluster.admin());
    await client.connect();
    await migrateJobs(client);
    await client.end();
    const logger = recordingLogger();
    const startedAtMs = performance.now();
    const job = defineJob<string>({ name: 'patient', parse: String });
    const jobs = createJobs({ connection: cluster.admin(), logger });
    const began = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const fences: number[] = [];
    jobs.handle(job, async (payload, run) => {
      if (payload !== 'long') return;
      fences.push(run.fence);
      began.resolve();
      await release.promise;
    });
    await jobs.start();
    const long = await jobs.enqueue(jobs.executor, job, 'long');
    await began.promise;
    await cluster.stop();
    release.resolve();
    await expect(jobs.enqueue(jobs.executor, job, 'refused')).rejects.toThrow();
    await eventually(() => logger.lines.some((line) => line.includes('could not be recorded yet')));
    cluster = await startBuiltInCluster({ dataDirectory });
    await eventually(async () => (await jobs.get(long.jobId).catch(() => null))?.state === 'Completed');
    expect(fences).toEqual([1]);
    const { jobId } = await jobs.enqueue(jobs.executor, job, 'short');
    await eventually(async () => (await jobs.get(jobId))?.state === 'Completed');
    expectFewLines(logger.lines, startedAtMs, 60);
    await jobs.stop();
    await cluster.stop();
  }, 120_000);
});

describe('connections that the server ends', () => {
  it('are opened again, and every job ends correctly', async () => {
    const fixture = await createFixture();
    const admin = new pg.Client(fixture.database.adminConnection);
    await admin.connect();
    const logger = recordingLogger();
    const startedAtMs = performance.now();
    const job = defineJob<number>({
      name: 'sturdy',
      parse: Number,
      retry: { attemptsMax: 20, delaysMs: [10] },
    });
    const jobs = fixture.jobs({
      connection: fixture.database.connection,
      logger,
      leaseMs: 3_000,
      sweepIntervalMs: 500,
    });
    const runs = new Map<number, number>();
    jobs.handle(job, async (payload) => {
      runs.set(payload, (runs.get(payload) ?? 0) + 1);
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, 3);
      await promise;
    });
    await jobs.start();
    const count = 300;
    const items = Array.from({ length: count }, (_, at) => ({ payload: at }));
    await jobs.enqueueMany(fixture.pool, job, items);
    // A backend ends only when its process handles the signal, possibly after the jobs have ended. The test waits for it.
    const endAll = async () => {
      const { rows } = await admin.query<{ pid: number }>(
        `select pid, pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
      const ended = rows.map((row) => row.pid);
      await eventually(async () => {
        const left = await admin.query('select from pg_stat_activity where pid = any($1::int[])', [ended]);
        return left.rows.length === 0;
      }, 'the backends to end');
    };
    const completed = async () => {
      const { rows } = await admin.query(
        "select count(*)::int as count from svc_jobs.job where state = 'Completed'",
      );
      return rows[0].count;
    };
    for (const share of [0, 0.3, 0.6]) {
      await eventually(async () => (await completed()) >= share * count);
      await endAll();
    }
    await eventually(async () => (await completed()) === count, 'all jobs');
    expect(runs.size).toBe(count);
    const { jobId } = await jobs.enqueue(jobs.executor, job, 0);
    await eventually(async () => (await jobs.get(jobId))?.state === 'Completed');
    expectFewLines(logger.lines, startedAtMs, 100);
    await jobs.stop();
    await admin.end();
    await fixture.close();
  });
});

describe('a start without a database', () => {
  it('succeeds and runs jobs when the database is available, but fails without tables', async () => {
    const fixture = await createFixture();
    const { host, port, ...rest } = fixture.database.connection;
    const proxy = net.createServer((near) => {
      const far = net.connect(port, host);
      near.on('error', () => undefined).on('close', () => far.destroy());
      far.on('error', () => undefined).on('close', () => near.destroy());
      near.pipe(far).pipe(near);
    });
    const listen = (at: number) => new Promise<void>((resolve) => proxy.listen(at, '127.0.0.1', resolve));
    await listen(0);
    const address = proxy.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    await new Promise((resolve) => proxy.close(resolve));
    const job = defineJob<unknown>({ name: 'late-start', queue: 'late-start', parse: (value) => value });
    let ran = 0;
    const jobs = fixture.jobs({ connection: { ...rest, host: '127.0.0.1', port: address.port } });
    jobs.handle(job, () => {
      ran += 1;
    });
    await jobs.start();
    await listen(address.port);
    await fixture.jobs().enqueue(fixture.pool, job, null);
    await eventually(() => ran === 1);
    const elsewhere = fixture.jobs({ schema: 'not_there' });
    await expect(elsewhere.start()).rejects.toThrow(/not_there/);
    await fixture.close();
    await new Promise((resolve) => proxy.close(resolve));
  });
});
