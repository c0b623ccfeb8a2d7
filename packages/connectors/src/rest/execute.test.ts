import { describe, expect, it } from 'vitest';
import type { BoundValue } from '../bound-value.ts';
import type { ExecuteOptions } from '../port.ts';
import { errorOf } from '../testing/results.ts';
import { restMarker } from './marker.ts';
import { useRestApi } from './testing/api.ts';

const { api, execute, read } = useRestApi();

describe('REST requests', () => {
  it('are GET requests below the base URL, with encoded bound values', async () => {
    api().answer(() => ({ body: [{ id: 1 }] }));
    const sql = `{"path": "/orders/{id}", "params": {"id": ${restMarker(1)}}, "query": {"q": ${restMarker(2)}, "from": ${restMarker(3)}, "no": ${restMarker(4)}, "n": 12345678901234567890, "tag": ["a", "b&c"], "is": true, "x": null}}`;
    const values: BoundValue[] = [
      { type: 'String', value: 'a b?#&%' },
      { type: 'String', value: '"}, "rows": "/x' },
      { type: 'DateTime', value: '2024-01-01T00:00:00Z' },
      { type: 'String', value: null },
    ];
    await read(sql, { values });
    expect(api().asked).toEqual([
      'GET /v1/orders/a%20b%3F%23%26%25?q=%22%7D%2C+%22rows%22%3A+%22%2Fx&from=2024-01-01T00%3A00%3A00Z&n=12345678901234567890&tag=a&tag=b%26c&is=true',
    ]);
  });

  it.each(['..', '.', 'a/b', 'a\\b', '%2e%2e', 'a\nb', ''])(
    'refuse the path value %j, which could leave its segment',
    async (value) => {
      const error = await errorOf(
        read(`{"path": "/orders/{id}", "params": {"id": ${restMarker(1)}}}`, {
          values: [{ type: 'String', value }],
        }),
      );
      expect(error.code).toBe('syntax-refused');
      expect(api().asked).toEqual([]);
    },
  );

  it.each([
    ['ApiKey', { 'x-api-key': 's3cret' }],
    ['Bearer', { authorization: 'Bearer s3cret' }],
    ['Basic', { authorization: `Basic ${Buffer.from('ann:s3cret').toString('base64')}` }],
  ] as const)('authenticate with %s', async (auth, expected) => {
    let headers: object = {};
    api().answer((_url, request) => {
      headers = request.headers;
      return { body: [{ id: 1 }] };
    });
    await read({ path: '/orders' }, { connection: { auth, secret: 's3cret', user: 'ann' } });
    expect(headers).toMatchObject(expected);
  });

  it('fail with the message of the API, without the secret that it repeats', async () => {
    const secret = 'pl4nted-s3cret';
    const signedIn = { auth: 'Bearer', secret } as const;
    const failureOf = async (status: number, body: unknown, headers = {}) => {
      api().answer(() => ({ status, body, headers }));
      return errorOf(read({ path: '/orders' }, { connection: signedIn }));
    };
    expect(await failureOf(401, { message: `Bad token ${secret}` })).toMatchObject({
      code: 'authentication-failed',
      engineCode: 'HTTP 401',
      message: 'The API refuses the sign-in: Bad token •••',
    });
    expect(await failureOf(403, { error: { message: 'Not yours' } })).toMatchObject({
      code: 'permission-denied',
    });
    expect(await failureOf(422, { errors: [{ detail: 'status is unknown' }] })).toMatchObject({
      code: 'statement-failed',
      message: 'The API answers with status 422: status is unknown',
    });
    expect(await failureOf(429, '', { 'retry-after': '30' })).toMatchObject({
      hint: expect.stringContaining('30 seconds'),
    });
    expect((await failureOf(500, '<html>boom</html>')).message).toBe('The API answers with status 500.');
    expect(await failureOf(302, '', { location: 'http://127.0.0.1:1/' })).toMatchObject({
      code: 'connection-failed',
      message: expect.stringContaining('redirect'),
    });
    expect(api().asked).toHaveLength(1);
  });
});

describe('limits of a REST run', () => {
  it('of rows, bytes and values fail the run', async () => {
    api().answer(() => ({ body: Array.from({ length: 50 }, () => ({ text: 'x'.repeat(100) })) }));
    const code = async (change: Partial<ExecuteOptions>) =>
      (await errorOf(read({ path: '/orders' }, { options: change }))).code;
    expect(await code({ maxRows: 49 })).toBe('too-many-rows');
    expect(await code({ maxBytes: 3_000 })).toBe('too-many-bytes');
    expect(await code({ maxCellBytes: 99 })).toBe('value-too-large');
    expect(await code({ maxCellBytes: 20 })).toBe('value-too-large');
    expect(await read({ path: '/orders' }, { options: { maxRows: 50, maxCellBytes: 100 } })).toHaveLength(50);
  });

  it('of bytes include all pages together', async () => {
    api().answer((url) => ({ body: [{ id: url.search, text: 'x'.repeat(100) }] }));
    expect(
      (await errorOf(read({ path: '/orders', pages: { parameter: 'p' } }, { options: { maxBytes: 1_000 } })))
        .code,
    ).toBe('too-many-bytes');
    expect(api().asked.length).toBeLessThan(12);
  });

  it('of time, and a cancellation, end the request at the server', async () => {
    api().answer(() => 'silent');
    expect((await errorOf(read({ path: '/orders' }, { options: { timeoutMs: 200 } }))).code).toBe(
      'timed-out',
    );
    await expect.poll(api().openSockets).toBe(0);
    const controller = new AbortController();
    const running = errorOf(read({ path: '/orders' }, { options: { signal: controller.signal } }));
    await expect.poll(api().openSockets).toBe(1);
    controller.abort();
    expect((await running).code).toBe('cancelled');
    await expect.poll(api().openSockets).toBe(0);
  });

  it('leave no open connection after an early close or an unfinished iteration', async () => {
    api().answer((url) => ({ body: [{ id: url.search }] }));
    const result = await execute({ path: '/orders', pages: { parameter: 'p' } });
    for await (const batch of result.batches) if (batch.rowCount > 0) break;
    const unread = await execute({ path: '/orders' });
    await unread.close();
    await unread.close();
    await expect.poll(api().openSockets).toBe(0);
  });
});
