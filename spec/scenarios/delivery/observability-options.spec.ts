import { answer, type EndpointCallRecord, type EndpointObservabilityOptions } from '@svc/jobs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { eventually } from '../../../packages/jobs/src/testing/fixture.ts';
import { type ObservedHosts, openObservedHosts } from '../support/observed-host.ts';
import { scenario } from '../support/scenario.ts';

let hosts: ObservedHosts;
beforeAll(async () => {
  hosts = await openObservedHosts();
});
afterAll(() => hosts.close());

type Configure = (options: EndpointObservabilityOptions) => void;

/** Records one call with the given options. Returns its row. */
async function oneCall(
  configure: Configure,
  call: { fails?: boolean; headers?: Record<string, string>; body?: string } = {},
): Promise<EndpointCallRecord> {
  const host = await hosts.start({
    configure,
    handler: () => {
      if (call.fails) throw new Error('broken');
      return { ok: true };
    },
  });
  await host.send(call.headers, call.body);
  const [row] = await host.recorded(1);
  if (!row) throw new Error('The call has no row.');
  return row;
}

/** Returns the default options, as the registration passes them to its callback. */
async function defaults(): Promise<EndpointObservabilityOptions> {
  let seen: EndpointObservabilityOptions | undefined;
  await hosts.start({
    configure: (options) => {
      seen = { ...options };
    },
  });
  if (!seen) throw new Error('The callback was not called.');
  return seen;
}

describe('capture of headers and bodies', () => {
  scenario(
    ['DL-9.1-01'],
    'each of the three capture settings captures never, on failure or always, and on failure by default',
    async () => {
      const { captureRequestBodies, captureResponseBodies, captureHeaders } = await defaults();
      expect([captureRequestBodies, captureResponseBodies, captureHeaders]).toEqual(
        Array(3).fill('OnFailure'),
      );
      const captured = async (configure: Configure, fails: boolean) => {
        const row = await oneCall(configure, { fails });
        return [
          row.requestBody !== null,
          row.responseBody !== null,
          row.requestHeaders !== null && row.responseHeaders !== null,
        ];
      };
      const all = (tier: 'None' | 'OnFailure' | 'Always') => (options: EndpointObservabilityOptions) =>
        void Object.assign(options, {
          captureRequestBodies: tier,
          captureResponseBodies: tier,
          captureHeaders: tier,
        });
      const untouched = () => undefined;
      expect(await captured(untouched, false)).toEqual([false, false, false]);
      expect(await captured(untouched, true)).toEqual([true, true, true]);
      expect(await captured(all('None'), true)).toEqual([false, false, false]);
      expect(await captured(all('Always'), false)).toEqual([true, true, true]);
      // Each option alone.
      const only = (name: 'captureRequestBodies' | 'captureResponseBodies' | 'captureHeaders') =>
        captured((options) => void Object.assign(options, { [name]: 'Always' }), false);
      expect(await only('captureRequestBodies')).toEqual([true, false, false]);
      expect(await only('captureResponseBodies')).toEqual([false, true, false]);
      expect(await only('captureHeaders')).toEqual([false, false, true]);
    },
  );

  scenario(
    ['DL-9.1-04', 'DL-9.2-12'],
    'headers with secrets are stored as three asterisks, in requests and responses',
    async () => {
      const host = await hosts.start({
        configure: (options) => {
          options.captureHeaders = 'Always';
        },
        handler: () => answer(200, 'welcome', { 'set-cookie': 'session=planted-secret', 'x-kept': 'yes' }),
      });
      const secrets = {
        authorization: 'Bearer planted-secret',
        'proxy-authorization': 'Basic planted-secret',
        cookie: 'session=planted-secret',
        'x-api-key': 'planted-secret',
      };
      await host.send({ ...secrets, 'x-open': 'to be seen' });
      const [row] = await host.recorded(1);
      expect(row?.requestHeaders).toMatchObject({
        authorization: '***',
        'proxy-authorization': '***',
        cookie: '***',
        'x-api-key': '***',
        'x-open': 'to be seen',
      });
      expect(row?.responseHeaders).toMatchObject({ 'set-cookie': '***', 'x-kept': 'yes' });
      expect(JSON.stringify(row)).not.toContain('planted-secret');
    },
  );

  scenario(
    ['DL-9.1-05'],
    'the host can add headers to the redacted ones, remove headers from them, and clear the list',
    async () => {
      const headersWith = async (change: (names: EndpointObservabilityOptions['redactedHeaders']) => void) =>
        (
          await oneCall(
            (options) => {
              options.captureHeaders = 'Always';
              change(options.redactedHeaders);
            },
            { headers: { cookie: 'a=b', 'x-api-key': 'key', 'x-private': 'mine' } },
          )
        ).requestHeaders;
      expect(await headersWith((names) => names.add('X-Private'))).toMatchObject({
        cookie: '***',
        'x-api-key': '***',
        'x-private': '***',
      });
      expect(await headersWith((names) => names.remove('Cookie'))).toMatchObject({
        cookie: 'a=b',
        'x-api-key': '***',
        'x-private': 'mine',
      });
      expect(await headersWith((names) => names.clear())).toMatchObject({
        cookie: 'a=b',
        'x-api-key': 'key',
      });
    },
  );

  scenario(
    ['DL-9.1-06', 'DL-9.1-07', 'DL-9.2-12'],
    'the record contains the first 8 KB of a body, or the configured size, and the client receives the full body',
    async () => {
      expect((await defaults()).maxCapturedBodySize).toBe(8_192);
      // `é` takes two bytes in UTF-8, so a stored body may be shorter than the limit.
      const long = `x${'é'.repeat(20_000)}`;
      for (const [size, kept] of [
        [8_192, 8_191],
        [10, 9],
      ] as const) {
        const host = await hosts.start({
          handler: ({ input }) => input,
          configure: (options) => {
            options.captureRequestBodies = 'Always';
            options.captureResponseBodies = 'Always';
            if (size !== 8_192) options.maxCapturedBodySize = size;
          },
        });
        expect(await (await host.send({}, JSON.stringify(long))).json()).toBe(long);
        const [row] = await host.recorded(1);
        for (const body of [row?.requestBody, row?.responseBody]) {
          expect(Buffer.byteLength(body ?? '')).toBeGreaterThanOrEqual(kept - 1);
          expect(Buffer.byteLength(body ?? '')).toBeLessThanOrEqual(size);
          expect(JSON.stringify(long).startsWith(body ?? '?')).toBe(true);
        }
      }
    },
  );

  scenario(
    ['DL-9.1-08', 'DL-9.2-12'],
    'the record contains the first 4 KB of the headers, or the configured size',
    async () => {
      expect((await defaults()).maxCapturedHeaderSize).toBe(4_096);
      const sizeOf = (headers: Readonly<Record<string, string>> | null | undefined) =>
        Buffer.byteLength(
          Object.entries(headers ?? {})
            .flat()
            .join(''),
        );
      const long = 'v'.repeat(6_000);
      const capturing: Configure = (options) => {
        options.captureHeaders = 'Always';
      };
      const whole = await oneCall(capturing, { headers: { 'x-long': long } });
      expect(sizeOf(whole.requestHeaders)).toBe(4_096);
      expect(long.startsWith(whole.requestHeaders?.['x-long'] ?? '?')).toBe(true);
      const short = await oneCall(
        (options) => {
          capturing(options);
          options.maxCapturedHeaderSize = 100;
        },
        { headers: { 'x-long': long } },
      );
      expect(sizeOf(short.requestHeaders)).toBe(100);
    },
  );
});

describe('callers of endpoints', () => {
  scenario(
    ['DL-9.1-02', 'DL-9.1-03', 'DL-9.2-11'],
    'the selected caller group is a dimension of the metrics, and added tags are only in the row',
    async () => {
      const host = await hosts.start({
        configure: (options) => {
          options.groupSelector = (request) => String(request.headers['x-team'] ?? '');
          options.enrich = (request, tags) => void tags.set('order', String(request.headers['x-order']));
        },
      });
      await host.send({ 'x-team': 'red', 'x-order': '1' });
      await host.send({ 'x-team': 'red', 'x-order': '2' });
      await host.send({ 'x-team': 'blue', 'x-order': '3' });
      const rows = await host.recorded(3);
      expect(rows.map((row) => [row.groupName, row.tags]).toReversed()).toEqual([
        ['red', { order: '1' }],
        ['red', { order: '2' }],
        ['blue', { order: '3' }],
      ]);
      const detail = await host.detail();
      expect(detail?.groups.map(({ group, calls }) => [group, calls])).toEqual([
        ['red', 2],
        ['blue', 1],
      ]);
      const { rows: counted } = await hosts.fixture.pool.query(
        `select table_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
         where table_schema = 'svc_jobs' and column_name = 'tags' and table_type = 'BASE TABLE'`,
      );
      expect(counted.map((row) => row.table_name)).toEqual(['endpoint_call_log']);
    },
  );

  scenario(
    ['DL-9.1-12'],
    'the first address of x-forwarded-for is the remote address only if the option is set',
    async () => {
      const headers = { 'x-forwarded-for': '203.0.113.9, 10.0.0.1' };
      expect((await oneCall(() => undefined, { headers })).remoteIp).toBe('127.0.0.1');
      const forwarded: Configure = (options) => {
        options.useForwardedForIp = true;
      };
      expect((await oneCall(forwarded, { headers })).remoteIp).toBe('203.0.113.9');
      expect((await oneCall(forwarded)).remoteIp).toBe('127.0.0.1');
    },
  );
});

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
      expect((await defaults()).recordCalls).toBe('All');
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
      expect((await defaults()).sampleRate).toBe(1);
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
      const { callLogBufferCapacity, callLogFlushBatchSize } = await defaults();
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
      expect(stampOf(await oneCall(() => undefined))).toBe(7 * 86_400_000);
      const short = await oneCall((options) => {
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
      expect((await defaults()).endpointCallLogRetentionCount).toBeNull();
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
