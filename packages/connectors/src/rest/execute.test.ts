import { startRestApi, type TestRestApi } from '@svc/testkit/database/rest-api.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BoundValue } from '../bound-value.ts';
import type { ExecuteOptions } from '../port.ts';
import { restDocument } from '../testing/rest-document.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createRestConnector } from './index.ts';
import { restMarker } from './marker.ts';
import type { RestConnection } from './settings.ts';

const connector = createRestConnector();
let api: TestRestApi;
beforeAll(async () => {
  api = await startRestApi(() => ({ body: [] }));
});
beforeEach(() => api.answer(() => ({ body: [] })));
afterAll(() => api.stop());

const connection = (change: Partial<RestConnection> = {}) =>
  connector.settings.parse({
    baseUrl: api.baseUrl,
    endpoints: ['/orders', '/orders/{id}', '/people'],
    ...change,
  });
const options = (change: Partial<ExecuteOptions> = {}): ExecuteOptions => ({
  dial: api.dial,
  signal: new AbortController().signal,
  timeoutMs: 5_000,
  maxRows: 10_000,
  maxBytes: 1_000_000,
  maxCellBytes: 10_000,
  ...change,
});
type Call = {
  readonly connection?: Partial<RestConnection>;
  readonly options?: Partial<ExecuteOptions>;
  readonly values?: readonly BoundValue[];
};
const execute = (step: object | string, call: Call = {}) =>
  connector.execute(
    connection(call.connection),
    {
      sql: typeof step === 'string' ? step : JSON.stringify(step),
      ...(call.values && { values: call.values }),
    },
    options(call.options),
  );
const read = async (step: object | string, call: Call = {}) => rowsOf(await execute(step, call));
const documented = { openApi: JSON.stringify(restDocument), endpoints: ['/orders', '/orders/{id}'] };

describe('values of a REST response', () => {
  it('retain all their digits, also in nested values', async () => {
    const body =
      '[{"id":9007199254740993,"big":1234567890123456789,"price":12345678901234567890.123456789,"tiny":1e-30,"wide":1.5E+20,"nested":{"n":9007199254740993,"x":[1.10]}}]';
    api.answer(() => ({ body }));
    const result = await execute({ path: '/orders' });
    expect(result.columns.map(({ name, kind }) => [name, kind])).toEqual([
      ['id', 'decimal'],
      ['big', 'decimal'],
      ['price', 'decimal'],
      ['tiny', 'decimal'],
      ['wide', 'decimal'],
      ['nested', 'json'],
    ]);
    expect(await rowsOf(result)).toEqual([
      [
        '9007199254740993',
        '1234567890123456789',
        '12345678901234567890.123456789',
        `0.${'0'.repeat(29)}1`,
        150_000_000_000_000_000_000,
        '{"n":9007199254740993,"x":[1.10]}',
      ],
    ]);
    expect(
      await read({ path: '/orders', columns: { a: '/nested/x/0' } }, { options: { decimalsAsText: true } }),
    ).toEqual([['1.10']]);
  });

  it('have the documented types: integers, dates, and times in UTC', async () => {
    const row = { id: 5, at: '2024-07-01T12:00:00.123456+02:00', day: '2024-02-29', total: null, lines: [1] };
    api.answer(() => ({ body: { data: [row, { id: 6 }] } }));
    const result = await execute({ path: '/orders', rows: '/data' }, { connection: documented });
    expect(result.columns.map(({ kind }) => kind)).toEqual([
      'integer',
      'timestamptz',
      'date',
      'decimal',
      'json',
    ]);
    expect(await rowsOf(result)).toEqual([
      [5, '2024-07-01T10:00:00.123456Z', '2024-02-29', null, '[1]'],
      [6, null, null, null, null],
    ]);
  });

  it('remain text if they are not times despite the API description', async () => {
    api.answer(() => ({ body: { data: [{ id: 1.5, at: 'yesterday', day: '2023-02-29' }] } }));
    const result = await execute({ path: '/orders', rows: '/data' }, { connection: documented });
    expect(result.columns.map(({ kind }) => kind)).toEqual(['decimal', 'text', 'text']);
    expect(await rowsOf(result)).toEqual([[1.5, 'yesterday', '2023-02-29']]);
  });

  it('have the names and types of the statement', async () => {
    api.answer(() => ({ body: [{ a: { 'b/c': [{ '~d': 7 }] }, t: '2024-01-01T00:00:00Z', n: 12 }] }));
    const columns = {
      seven: '/a/b~1c/0/~0d',
      at: { at: '/t', type: 'timestamp' },
      n: { at: '/n', type: 'integer' },
      asText: { at: '/n', type: 'text' },
      whole: { at: '/a', type: 'json' },
      gone: '/x/y',
    };
    const result = await execute({ path: '/orders', columns });
    expect(result.columns.map(({ kind }) => kind)).toEqual([
      'decimal',
      'timestamptz',
      'integer',
      'text',
      'json',
      'json',
    ]);
    expect(await rowsOf(result)).toEqual([[7, '2024-01-01T00:00:00Z', 12, '12', '{"b/c":[{"~d":7}]}', null]]);
  });

  it('that are not objects are rows with one column, an object is one row, and null is no row', async () => {
    api.answer(() => ({ body: { tags: ['x', 'y'], one: { a: 1 }, none: null } }));
    expect(await read({ path: '/orders', rows: '/tags' })).toEqual([['x'], ['y']]);
    expect(await read({ path: '/orders', rows: '/one' })).toEqual([[1]]);
    expect(await read({ path: '/orders', rows: '/none', columns: { a: '/a' } })).toEqual([]);
  });

  it('of mixed kinds in one column become JSON without loss', async () => {
    api.answer(() => ({ body: [{ v: 1 }, { v: 'one' }, { v: [true] }, {}] }));
    expect(await read({ path: '/orders' })).toEqual([['1'], ['"one"'], ['[true]'], [null]]);
  });

  it('are returned with the member of their origin', async () => {
    api.answer(() => ({ body: { emails: ['a@b.example'], list: [{ user: { email: 'x' } }] } }));
    const origins = async (step: object) => {
      const { columns, close } = await execute(step, { options: { wantOrigins: true } });
      await close();
      return columns.map(({ origin }) => origin?.column);
    };
    expect(await origins({ path: '/orders', rows: '/list', columns: { who: '/user/email' } })).toEqual([
      'user_email',
    ]);
    expect(await origins({ path: '/orders', rows: '/emails' })).toEqual(['emails']);
  });

  it('of another type or with additional members in later rows fail the run with a hint', async () => {
    const many = Array.from({ length: 1_200 }, (_, id) => ({ id }));
    api.answer(() => ({ body: [...many, { id: 'x' }] }));
    expect(await errorOf(read({ path: '/orders' }))).toMatchObject({
      code: 'statement-failed',
      message: expect.stringContaining('Row 1201 has a text in id'),
    });
    api.answer(() => ({ body: [...many, { id: 1, more: 1 }] }));
    expect((await errorOf(read({ path: '/orders' }))).message).toContain('Row 1201 has the member more');
    expect(await read({ path: '/orders', columns: { id: '/id' } })).toHaveLength(1_201);
  });

  it('may be absent: columns come from the description or the statement, otherwise the run fails', async () => {
    api.answer(() => ({ body: { data: [] } }));
    const result = await execute({ path: '/orders', rows: '/data' }, { connection: documented });
    expect(result.columns.map(({ name }) => name)).toEqual(['id', 'at', 'day', 'total', 'lines']);
    expect(await rowsOf(result)).toEqual([]);
    expect((await errorOf(read({ path: '/orders', rows: '/data' }))).message).toContain(
      'name them in columns',
    );
  });
});

describe('REST requests', () => {
  it('are GET requests below the base URL, with encoded bound values', async () => {
    api.answer(() => ({ body: [{ id: 1 }] }));
    const sql = `{"path": "/orders/{id}", "params": {"id": ${restMarker(1)}}, "query": {"q": ${restMarker(2)}, "from": ${restMarker(3)}, "no": ${restMarker(4)}, "n": 12345678901234567890, "tag": ["a", "b&c"], "is": true, "x": null}}`;
    const values: BoundValue[] = [
      { type: 'String', value: 'a b?#&%' },
      { type: 'String', value: '"}, "rows": "/x' },
      { type: 'DateTime', value: '2024-01-01T00:00:00Z' },
      { type: 'String', value: null },
    ];
    await read(sql, { values });
    expect(api.asked).toEqual([
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
      expect(api.asked).toEqual([]);
    },
  );

  it.each([
    ['ApiKey', { 'x-api-key': 's3cret' }],
    ['Bearer', { authorization: 'Bearer s3cret' }],
    ['Basic', { authorization: `Basic ${Buffer.from('ann:s3cret').toString('base64')}` }],
  ] as const)('authenticate with %s', async (auth, expected) => {
    let headers: object = {};
    api.answer((_url, request) => {
      headers = request.headers;
      return { body: [{ id: 1 }] };
    });
    await read({ path: '/orders' }, { connection: { auth, secret: 's3cret', user: 'ann' } });
    expect(headers).toMatchObject(expected);
  });

  it('fail with the message of the API, without the secret that it repeats', async () => {
    const secret = 'pl4nted-s3cret';
    const signedIn = { auth: 'Bearer', secret } as const;
    const said = async (status: number, body: unknown, headers = {}) => {
      api.answer(() => ({ status, body, headers }));
      return errorOf(read({ path: '/orders' }, { connection: signedIn }));
    };
    expect(await said(401, { message: `Bad token ${secret}` })).toMatchObject({
      code: 'authentication-failed',
      engineCode: 'HTTP 401',
      message: 'The API refuses the sign-in: Bad token •••',
    });
    expect(await said(403, { error: { message: 'Not yours' } })).toMatchObject({ code: 'permission-denied' });
    expect(await said(422, { errors: [{ detail: 'status is unknown' }] })).toMatchObject({
      code: 'statement-failed',
      message: 'The API answers with status 422: status is unknown',
    });
    expect(await said(429, '', { 'retry-after': '30' })).toMatchObject({
      hint: expect.stringContaining('30 seconds'),
    });
    expect((await said(500, '<html>boom</html>')).message).toBe('The API answers with status 500.');
    expect(await said(302, '', { location: 'http://127.0.0.1:1/' })).toMatchObject({
      code: 'connection-failed',
      message: expect.stringContaining('redirect'),
    });
    expect(api.asked).toHaveLength(1);
  });
});

describe('pages of a REST response', () => {
  const rowsOfPage = (page: number, size = 2) =>
    page > 3 ? [] : Array.from({ length: size }, (_, at) => ({ id: (page - 1) * size + at + 1 }));
  const pageOf = (url: URL) => Number(url.searchParams.get('page') ?? 1);
  const all = [[1], [2], [3], [4], [5], [6]];

  it('follow a link in the response, before or after the rows', async () => {
    api.answer((url) => {
      const page = pageOf(url);
      const next =
        page < 3
          ? `${page === 1 ? api.baseUrl.replace(/^http:\/\/[^/]+/, '') : api.baseUrl}/orders?page=${page + 1}`
          : null;
      return {
        body:
          page === 1
            ? { links: { next }, data: rowsOfPage(page) }
            : { data: rowsOfPage(page), links: { next } },
      };
    });
    expect(await read({ path: '/orders', rows: '/data', pages: { next: '/links/next' } })).toEqual(all);
    expect(api.asked).toEqual(['GET /v1/orders', 'GET /v1/orders?page=2', 'GET /v1/orders?page=3']);
  });

  it('follow the Link header', async () => {
    api.answer((url) => {
      const page = pageOf(url);
      const link = `<${api.baseUrl}/orders?page=1>; rel="first"${page < 3 ? `, <${api.baseUrl}/orders?page=${page + 1}>; rel="next"` : ''}`;
      return { headers: { link }, body: rowsOfPage(page) };
    });
    expect(await read({ path: '/orders', pages: { next: 'Link' } })).toEqual(all);
  });

  it('follow a cursor', async () => {
    api.answer((url) => {
      const page = Number(url.searchParams.get('after')?.slice(1) ?? 1);
      return { body: { data: rowsOfPage(page), meta: { next: page < 3 ? `c${page + 1}` : '' } } };
    });
    const pages = { cursor: '/meta/next', parameter: 'after' };
    expect(await read({ path: '/orders', rows: '/data', query: { q: 'x' }, pages })).toEqual(all);
    expect(api.asked.at(-1)).toBe('GET /v1/orders?q=x&after=c3');
  });

  it('are requested by number until one is empty or not full', async () => {
    api.answer((url) => ({ body: rowsOfPage(pageOf(url)) }));
    expect(await read({ path: '/orders', pages: { parameter: 'page' } })).toEqual(all);
    expect(api.asked).toHaveLength(4);
    api.answer((url) => ({
      body: rowsOfPage(Number(url.searchParams.get('offset')) / 2 + 1).slice(
        0,
        url.search === '?offset=4' ? 1 : 2,
      ),
    }));
    const pages = { parameter: 'offset', start: 0, step: 2, size: 2 };
    expect(await read({ path: '/orders', pages })).toEqual(all.slice(0, 5));
    expect(api.asked).toEqual([
      'GET /v1/orders?offset=0',
      'GET /v1/orders?offset=2',
      'GET /v1/orders?offset=4',
    ]);
  });

  it('fail the run if there are more than allowed', async () => {
    api.answer((url) => ({ body: [{ id: pageOf(url) }] }));
    expect((await errorOf(read({ path: '/orders', pages: { parameter: 'page' } }))).message).toContain(
      'more than 100 pages',
    );
    expect(api.asked).toHaveLength(100);
    expect(
      (await errorOf(read({ path: '/orders', pages: { parameter: 'page', max: 2 } }))).message,
    ).toContain('more than 2 pages');
  });

  it.each([
    ['another host', 'http://evil.test/v1/orders'],
    ['another port', 'http://rest.test:1/v1/orders'],
    ['another scheme', 'https://rest.test/v1/orders'],
    ['a URL with a user', 'http://a:b@rest.test/v1/orders'],
    ['an incomplete URL', 'http://'],
    ['a path above the base URL', '/orders'],
    ['an endpoint that is not selected', '/v1/admin'],
    ['a path below a selected endpoint', '/v1/orders/1/delete'],
    ['a path with dots', '/v1/orders/../admin'],
    ['a path with encoded dots', '/v1/orders/%2e%2e'],
    ['a file URL', 'file:///etc/passwd'],
  ])('are not followed to %s', async (_name, next) => {
    api.answer(() => ({ body: { data: [{ id: 1 }], next } }));
    expect((await errorOf(read({ path: '/orders', rows: '/data', pages: { next: '/next' } }))).code).toBe(
      'statement-failed',
    );
    expect(api.asked).toHaveLength(1);
  });

  it('fail the run if a link leads to an earlier page', async () => {
    api.answer(() => ({ body: { data: [{ id: 1 }], next: '/v1/orders' } }));
    expect(
      (await errorOf(read({ path: '/orders', rows: '/data', pages: { next: '/next' } }))).message,
    ).toContain('read before');
  });

  it('are not requested beyond the required number of rows', async () => {
    api.answer((url) => ({ body: [{ id: pageOf(url) }, { id: 0 }] }));
    const rows = await read(
      { path: '/orders', pages: { parameter: 'page' } },
      { options: { rowsWanted: 3 } },
    );
    expect(rows).toHaveLength(4);
    expect(api.asked.length).toBeLessThan(5);
  });
});

describe('limits of a REST run', () => {
  it('of rows, bytes and values fail the run', async () => {
    api.answer(() => ({ body: Array.from({ length: 50 }, () => ({ text: 'x'.repeat(100) })) }));
    const code = async (change: Partial<ExecuteOptions>) =>
      (await errorOf(read({ path: '/orders' }, { options: change }))).code;
    expect(await code({ maxRows: 49 })).toBe('too-many-rows');
    expect(await code({ maxBytes: 3_000 })).toBe('too-many-bytes');
    expect(await code({ maxCellBytes: 99 })).toBe('value-too-large');
    expect(await code({ maxCellBytes: 20 })).toBe('value-too-large');
    expect(await read({ path: '/orders' }, { options: { maxRows: 50, maxCellBytes: 100 } })).toHaveLength(50);
  });

  it('of bytes include all pages together', async () => {
    api.answer((url) => ({ body: [{ id: url.search, text: 'x'.repeat(100) }] }));
    expect(
      (await errorOf(read({ path: '/orders', pages: { parameter: 'p' } }, { options: { maxBytes: 1_000 } })))
        .code,
    ).toBe('too-many-bytes');
    expect(api.asked.length).toBeLessThan(12);
  });

  it('of time, and a cancellation, end the request at the server', async () => {
    api.answer(() => 'silent');
    expect((await errorOf(read({ path: '/orders' }, { options: { timeoutMs: 200 } }))).code).toBe(
      'timed-out',
    );
    await expect.poll(api.openSockets).toBe(0);
    const controller = new AbortController();
    const running = errorOf(read({ path: '/orders' }, { options: { signal: controller.signal } }));
    await expect.poll(api.openSockets).toBe(1);
    controller.abort();
    expect((await running).code).toBe('cancelled');
    await expect.poll(api.openSockets).toBe(0);
  });

  it('leave no open connection after an early close or an unfinished iteration', async () => {
    api.answer((url) => ({ body: [{ id: url.search }] }));
    const result = await execute({ path: '/orders', pages: { parameter: 'p' } });
    for await (const batch of result.batches) if (batch.rowCount > 0) break;
    const unread = await execute({ path: '/orders' });
    await unread.close();
    await unread.close();
    await expect.poll(api.openSockets).toBe(0);
  });
});
