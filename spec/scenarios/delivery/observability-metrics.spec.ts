import pg from 'pg';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { eventually, recordingLogger } from '../../../packages/jobs/src/testing/fixture.ts';
import { type ObservedHosts, openObservedHosts } from '../support/hosts/observed-host.ts';
import { scenario } from '../support/scenario.ts';

let hosts: ObservedHosts;
beforeAll(async () => {
  hosts = await openObservedHosts();
});
afterAll(() => hosts.close());

const sql = (text: string, values?: unknown[]) => hosts.fixture.pool.query(text, values);
const edgesMs = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];
const failing = {
  handler: ({ headers }: { headers: Record<string, unknown> }) => {
    if (headers['x-fails'] === '1') throw new Error('broken');
    return 'ok';
  },
};

describe('endpoint metrics', () => {
  scenario(
    ['DL-9.3-01', 'DL-9.3-04', 'DL-9.3-05'],
    'include every call despite sampling, and remain after the rows of recent calls and last failures are deleted',
    async () => {
      const host = await hosts.start({
        ...failing,
        configure: (options) => {
          options.sampleRate = 0;
          options.groupSelector = () => 'team';
        },
      });
      for (let at = 0; at < 8; at += 1) await host.send(at < 2 ? { 'x-fails': '1' } : {});
      const rows = await host.recorded(8);
      expect(rows).toHaveLength(2);
      const before = await host.detail();
      expect(before).toMatchObject({ totalCalls: 8, errorCount: 2, errorRate: 0.25 });
      expect(before?.groups).toMatchObject([
        { group: 'team', calls: 8, errors: 2, lastFailureAt: rows[0]?.at },
      ]);
      expect(before?.recentCalls).toHaveLength(2);
      await sql('delete from svc_jobs.endpoint_call_log');
      const after = await host.detail();
      expect(after).toEqual({
        ...before,
        recentCalls: [],
        groups: [{ ...before?.groups[0], lastFailureAt: null }],
      });
      expect(after?.p90DurationMs).toBeGreaterThan(0);
    },
  );

  scenario(
    ['DL-9.3-01', 'DL-9.3-02'],
    'are sums of whole milliseconds and bucket counts that match the recorded rows',
    async () => {
      const host = await hosts.start({
        handler: async ({ headers }) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          setTimeout(resolve, Number(headers['x-work-ms']));
          await promise;
        },
      });
      for (const workMs of [0, 8, 30, 60, 120]) await host.send({ 'x-work-ms': String(workMs) });
      const durations = (await host.recorded(5)).map((row) => Math.round(row.durationMs));
      const [stored] = (
        await sql('select duration_ms, buckets from svc_jobs.endpoint_statistic where endpoint = $1', [
          host.identity,
        ])
      ).rows;
      const inBucket = (edge: number, at: number) =>
        durations.filter((ms) => ms <= edge && ms > (edgesMs[at - 1] ?? -1)).length;
      expect(stored.buckets.map(Number)).toEqual(edgesMs.map(inBucket));
      const sumMs = durations.reduce((sum, ms) => sum + ms, 0);
      expect(Number(stored.duration_ms)).toBe(sumMs);
      expect((await host.detail())?.avgDurationMs).toBeCloseTo(sumMs / 5);
    },
  );

  scenario(
    ['DL-9.3-03'],
    'report as a percentile the upper edge of the bucket that contains the rank',
    async () => {
      const host = await hosts.start();
      await host.send();
      await host.recorded(1);
      const percentilesOf = async (buckets: number[]) => {
        await sql('update svc_jobs.endpoint_statistic set buckets = $2 where endpoint = $1', [
          host.identity,
          buckets,
        ]);
        const detail = await host.detail();
        return [detail?.p90DurationMs, detail?.p95DurationMs, detail?.p99DurationMs];
      };
      expect(await percentilesOf([89, 0, 0, 0, 1, 5, 0, 4, 0, 1, 0])).toEqual([100, 250, 1_000]);
      expect(await percentilesOf([90, 5, 4, 1, 0, 0, 0, 0, 0, 0, 0])).toEqual([5, 10, 25]);
      expect(await percentilesOf([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3])).toEqual([10_000, 10_000, 10_000]);
      expect(await percentilesOf([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])).toEqual([10_000, 10_000, 10_000]);
    },
  );
});

describe('buffering of endpoint calls', () => {
  scenario(
    ['DL-9.4-02', 'DL-9.4-04', 'DL-9.4-05', 'DL-9.4-06'],
    'requests are served while the database does not respond; the oldest rows are dropped and counted, and counters remain exact',
    async () => {
      const pool = new pg.Pool({ ...hosts.fixture.database.connection, max: 1 });
      const held = await pool.connect();
      const logger = recordingLogger();
      const host = await hosts.start({
        ...failing,
        pool,
        logger,
        configure: (options) => {
          options.callLogBufferCapacity = 4;
        },
      });
      const sent = 25;
      for (let at = 0; at < sent; at += 1) {
        const isFailing = at >= sent - 2;
        expect((await host.send(isFailing ? { 'x-fails': '1' } : {})).status).toBe(isFailing ? 500 : 200);
      }
      await eventually(() => host.observer.droppedCount() === sent - 4, 'the dropped rows');
      held.release();
      const rows = await host.recorded(sent);
      // The buffer retained the newest rows.
      expect(rows.map((row) => row.outcome)).toEqual(['Failed', 'Failed', 'Success', 'Success']);
      expect(host.observer.droppedCount() + rows.length).toBe(sent);
      expect(await host.detail()).toMatchObject({ totalCalls: sent, errorCount: 2 });
      await host.observer.stop();
      expect(logger.lines.filter((line) => line.includes('were dropped'))).toHaveLength(1);
      expect(logger.lines.join()).toContain(`"count":${sent - 4}`);
      await pool.end();
    },
  );

  scenario(
    ['DL-9.4-02'],
    'a request is answered even if every function of the host fails and the connection pool is closed',
    async () => {
      const pool = new pg.Pool({ ...hosts.fixture.database.connection, max: 1 });
      await pool.end();
      const broken = () => {
        throw new Error('of the host');
      };
      const host = await hosts.start({
        pool,
        configure: (options) => {
          options.groupSelector = broken;
          options.enrich = broken;
          options.forceCapture = broken;
          options.userName = broken;
        },
      });
      expect((await host.send()).status).toBe(200);
      // The call is recorded when its response closes, possibly after the client has received it.
      const flush = () =>
        host.observer.flush().then(
          () => 'nothing to store',
          () => 'refused',
        );
      await expect.poll(flush).toBe('refused');
      expect((await host.send()).status).toBe(200);
    },
  );

  scenario(
    ['DL-9.4-01', 'DL-9.4-03'],
    'recorded rows appear after a short delay without an explicit flush',
    async () => {
      const host = await hosts.start();
      await host.send();
      await eventually(async () => ((await host.detail())?.recentCalls.length ?? 0) === 1, 'the row');
    },
  );

  scenario(
    ['DL-9.4-05'],
    'counters are added once, even if the response of the database was lost',
    async () => {
      const pool = new pg.Pool({ ...hosts.fixture.database.connection, max: 1 });
      pool.on('error', () => undefined);
      const query = pool.query.bind(pool);
      let lost = 0;
      Object.assign(pool, {
        query: async (config: { text: string }) => {
          const answer = await query(config);
          if (/insert into \S+\.endpoint_statistic/.test(config.text) && lost < 2) {
            lost += 1;
            throw Object.assign(new Error('The connection was lost.'), { code: 'ECONNRESET' });
          }
          return answer;
        },
      });
      const host = await hosts.start({ pool });
      await host.send();
      await eventually(async () => {
        await host.observer.flush().catch(() => undefined);
        return lost === 2;
      }, 'two lost answers');
      await host.send();
      await host.recorded(2);
      expect(await host.detail()).toMatchObject({ totalCalls: 2 });
      await host.observer.stop();
      await pool.end();
    },
  );
});
