import type { EndpointCallRecord } from '@svc/jobs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { eventually } from '../../../packages/jobs/src/testing/fixture.ts';
import { type Configure, defaultOptions, oneCall } from '../support/hosts/observed-call.ts';
import { type ObservedHosts, openObservedHosts } from '../support/hosts/observed-host.ts';
import { scenario } from '../support/scenario.ts';

let hosts: ObservedHosts;
beforeAll(async () => {
  hosts = await openObservedHosts();
});
afterAll(() => hosts.close());

describe('calls that are recorded as rows', () => {
  const failing = {
    handler: ({ headers }: { headers: Record<string, unknown> }) => fail(headers['x-fails']),
  };
  const fail = (isFailing: unknown) => {
    if (isFailing === '1') throw new Error('broken');
    return 'ok';
  };

  scenario(
    ['DL-9.1-09', 'DL-9.2-01'],
    'are all calls or only failures, as configured, while every call is counted',
    async () => {
      expect((await defaultOptions(hosts)).recordCalls).toBe('All');
      const sendBoth = async (configure: Configure) => {
        const host = await hosts.start({ ...failing, configure });
        await host.send();
        await host.send({ 'x-fails': '1' });
        return (await host.recorded(2)).map((row) => row.outcome).toSorted();
      };
      expect(await sendBoth(() => undefined)).toEqual(['Failed', 'Success']);
      const record = (recordCalls: string) =>
        sendBoth((options) => void Object.assign(options, { recordCalls }));
      expect(await record('All')).toEqual(['Failed', 'Success']);
      expect(await record('FailuresOnly')).toEqual(['Failed']);
      await expect(record('None')).rejects.toThrow(/recordCalls must be one of All, FailuresOnly/);
    },
  );

  scenario(
    ['DL-9.1-10', 'DL-9.2-01'],
    'are the sampled share of successful calls, by default all, and every failed call',
    async () => {
      expect((await defaultOptions(hosts)).sampleRate).toBe(1);
      const chances = [0.1, 0.2, 0.3, 0.9, 0.24, 0.25, 0.6, 0];
      let at = 0;
      const host = await hosts.start({
        ...failing,
        random: () => chances[at++ % chances.length] ?? 1,
        configure: (options) => {
          options.sampleRate = 0.25;
        },
      });
      for (const _ of chances) await host.send();
      await host.send({ 'x-fails': '1' });
      await host.send({ 'x-fails': '1' });
      const rows = await host.recorded(chances.length + 2);
      const outcomes = rows.map((row) => row.outcome);
      expect(outcomes.filter((outcome) => outcome === 'Success')).toHaveLength(4);
      expect(outcomes.filter((outcome) => outcome === 'Failed')).toHaveLength(2);
      const none = await hosts.start({
        ...failing,
        random: () => 0,
        configure: (options) => {
          options.sampleRate = 0;
        },
      });
      await none.send();
      expect(await none.recorded(1)).toEqual([]);
      for (const sampleRate of [-0.1, 1.1, Number.NaN]) {
        const configure: Configure = (options) => void Object.assign(options, { sampleRate });
        await expect(hosts.start({ configure })).rejects.toThrow(/sampleRate must be from 0 to 1/);
      }
    },
  );

  scenario(
    ['DL-9.1-11'],
    'include a forced call with full capture, regardless of sampling, capture settings and FailuresOnly',
    async () => {
      const order: string[] = [];
      const host = await hosts.start({
        handler: () => {
          order.push('handled');
          return { answer: 42 };
        },
        configure: (options) => {
          options.recordCalls = 'FailuresOnly';
          options.sampleRate = 0;
          options.captureHeaders = 'None';
          options.captureRequestBodies = 'None';
          options.captureResponseBodies = 'None';
          options.forceCapture = (request) => {
            order.push('asked');
            return request.headers['x-debug'] === '1';
          };
        },
      });
      await host.send({ 'x-debug': '1' });
      await host.send();
      const rows = await host.recorded(2);
      expect(order).toEqual(['asked', 'handled', 'asked', 'handled']);
      expect(rows).toMatchObject([
        {
          requestBody: '{"a":1}',
          responseBody: '{"answer":42}',
          requestHeaders: { 'x-debug': '1' },
          responseHeaders: { 'content-type': 'application/json; charset=utf-8' },
        },
      ]);
    },
  );
});

describe('buffer and retention of endpoint calls', () => {
  scenario(
    ['DL-9.1-15', 'DL-9.1-16', 'DL-9.4-01'],
    'rows wait in a bounded buffer and are written in batches of a bounded size',
    async () => {
      const { callLogBufferCapacity, callLogFlushBatchSize } = await defaultOptions(hosts);
      expect([callLogBufferCapacity, callLogFlushBatchSize]).toEqual([10_000, 500]);
      const pool = new pg.Pool({ ...hosts.fixture.database.connection, max: 1 });
      // No row can be written while the test uses the only connection.
      const held = await pool.connect();
      const host = await hosts.start({
        pool,
        configure: (options) => {
          options.callLogBufferCapacity = 7;
          options.callLogFlushBatchSize = 3;
        },
      });
      for (let at = 0; at < 9; at += 1) expect((await host.send()).status).toBe(200);
      held.release();
      expect(await host.recorded(9)).toHaveLength(7);
      expect(host.observer.droppedCount()).toBe(2);
      // The rows of one batch share the transaction that wrote them.
      const { rows: batches } = await pool.query(
        `select count(*)::int as size
         from svc_jobs.endpoint_call_log l join svc_jobs.endpoint_source s on s.id = l.source_id
         where s.method || ' ' || s.route_template = $1 group by l.xmin order by 1 desc`,
        [host.identity],
      );
      expect(batches.map(({ size }) => size)).toEqual([3, 3, 1]);
      await host.observer.stop();
      await pool.end();
    },
  );

  scenario(
    ['DL-9.1-17'],
    'a row expires after seven days, or after the configured time, and is then deleted',
    async () => {
      const stampOf = (row: EndpointCallRecord) => row.expireAt.getTime() - row.at.getTime();
      expect(stampOf(await oneCall(hosts, () => undefined))).toBe(7 * 86_400_000);
      const short = await oneCall(hosts, (options) => {
        options.endpointCallLogRetentionMs = 60_000;
      });
      expect(stampOf(short)).toBe(60_000);
      const { rows } = await hosts.fixture.pool.query(
        'select expires_at as "expireAt" from svc_jobs.endpoint_calls where id = $1',
        [short.id],
      );
      expect(rows).toEqual([{ expireAt: short.expireAt }]);
      await hosts.fixture.pool.query(
        `update svc_jobs.endpoint_source set retention_ms = 1
         where id = (select source_id from svc_jobs.endpoint_call_log where id = $1)`,
        [short.id],
      );
      // A new process checks for expired rows immediately.
      await hosts.start();
      await eventually(async () => (await hosts.jobs.endpoints.call(short.id)) === null, 'the removal');
    },
  );

  scenario(
    ['DL-9.1-18'],
    'the configured number of newest rows of each endpoint is retained, and by default all of them',
    async () => {
      expect((await defaultOptions(hosts)).endpointCallLogRetentionCount).toBeNull();
      const configure: Configure = (options) => {
        options.applicationName = 'bounded';
      };
      const busy = await hosts.start({ configure });
      const quiet = await hosts.start({ configure });
      for (let at = 0; at < 5; at += 1) await busy.send();
      await quiet.send();
      const rows = await busy.recorded(5);
      await quiet.recorded(1);
      expect(rows).toHaveLength(5);
      await hosts.start({
        configure: (options) => {
          options.applicationName = 'bounded';
          options.endpointCallLogRetentionCount = 2;
        },
      });
      await eventually(async () => (await busy.recorded(5)).length === 2, 'two rows');
      expect((await busy.recorded(5)).map((row) => row.id)).toEqual(rows.slice(0, 2).map((row) => row.id));
      expect(await quiet.recorded(1)).toHaveLength(1);
    },
  );
});
