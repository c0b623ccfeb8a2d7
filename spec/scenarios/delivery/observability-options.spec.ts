import { answer, type EndpointObservabilityOptions } from '@svc/jobs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Configure, defaultOptions, oneCall } from '../support/hosts/observed-call.ts';
import { type ObservedHosts, openObservedHosts } from '../support/hosts/observed-host.ts';
import { scenario } from '../support/scenario.ts';

let hosts: ObservedHosts;
beforeAll(async () => {
  hosts = await openObservedHosts();
});
afterAll(() => hosts.close());

describe('capture of headers and bodies', () => {
  scenario(
    ['DL-9.1-01'],
    'each of the three capture settings captures never, on failure or always, and on failure by default',
    async () => {
      const { captureRequestBodies, captureResponseBodies, captureHeaders } = await defaultOptions(hosts);
      expect([captureRequestBodies, captureResponseBodies, captureHeaders]).toEqual(
        Array(3).fill('OnFailure'),
      );
      const captured = async (configure: Configure, fails: boolean) => {
        const row = await oneCall(hosts, configure, { fails });
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
            hosts,
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
      expect((await defaultOptions(hosts)).maxCapturedBodySize).toBe(8_192);
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
      expect((await defaultOptions(hosts)).maxCapturedHeaderSize).toBe(4_096);
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
      const whole = await oneCall(hosts, capturing, { headers: { 'x-long': long } });
      expect(sizeOf(whole.requestHeaders)).toBe(4_096);
      expect(long.startsWith(whole.requestHeaders?.['x-long'] ?? '?')).toBe(true);
      const short = await oneCall(
        hosts,
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
      expect((await oneCall(hosts, () => undefined, { headers })).remoteIp).toBe('127.0.0.1');
      const forwarded: Configure = (options) => {
        options.useForwardedForIp = true;
      };
      expect((await oneCall(hosts, forwarded, { headers })).remoteIp).toBe('203.0.113.9');
      expect((await oneCall(hosts, forwarded)).remoteIp).toBe('127.0.0.1');
    },
  );
});
