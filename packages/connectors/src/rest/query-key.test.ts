import { startRestApi, type TestRestApi } from '@svc/testkit/database/rest-api.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createRestConnector } from './index.ts';
import { restMarker } from './marker.ts';

const connector = createRestConnector();
let api: TestRestApi;
beforeAll(async () => {
  api = await startRestApi(() => ({ body: [] }));
});
beforeEach(() => api.answer(() => ({ body: [] })));
afterAll(() => api.stop());

/** Secret with several encodings in an address. */
const secret = 'pl4nted s3cret/+~!';
const forms = [secret, encodeURIComponent(secret), 'pl4nted+s3cret%2F%2B%7E%21', 'pl4nted%20s3cret%2f%2b~!'];
const tellsSecret = (text: string): boolean => /s3cret/.test(text);

const connection = (change = {}) =>
  connector.settings.parse({
    baseUrl: api.baseUrl,
    endpoints: ['/orders'],
    auth: 'ApiKeyInQuery',
    secret,
    keyParameter: 'app.key',
    ...change,
  });
const options = () => ({ dial: api.dial, signal: new AbortController().signal, timeoutMs: 5_000 });
const read = async (step: object | string, change = {}, values: { type: 'String'; value: string }[] = []) =>
  rowsOf(
    await connector.execute(
      connection(change),
      { sql: typeof step === 'string' ? step : JSON.stringify(step), values },
      { ...options(), maxRows: 10_000, maxBytes: 1_000_000, maxCellBytes: 10_000 },
    ),
  );

describe('an API key in a query parameter', () => {
  it('is sent once with each request, and never in a header', async () => {
    const keys: (string | null)[] = [];
    let headers = '';
    api.answer((url, request) => {
      keys.push(...url.searchParams.getAll('app.key'));
      headers += JSON.stringify(request.headers);
      const page = Number(url.searchParams.get('page') ?? 1);
      const next = page < 3 ? `/v1/orders?APP.KEY=${forms[1]}&page=${page + 1}` : null;
      return { body: { next, data: [{ page }] } };
    });
    expect(await read({ path: '/orders', rows: '/data', pages: { next: '/next' } })).toEqual([[1], [2], [3]]);
    expect(keys).toEqual([secret, secret, secret]);
    expect(headers).not.toContain('s3cret');
    keys.length = 0;
    await connector.testConnection(connection(), options());
    expect(keys).toEqual([secret]);
  });

  it('cannot be replaced by a link of the API, and does not hide a circular link', async () => {
    api.answer(() => ({ body: { data: [{ id: 1 }], next: `/v1/orders?app.key=${Math.random()}` } }));
    expect(
      (await errorOf(read({ path: '/orders', rows: '/data', pages: { next: '/next' } }))).message,
    ).toContain('read before');
    expect(api.asked).toHaveLength(1);
  });

  it.each(['app.key', 'APP.KEY'])('cannot be set by a statement as %s', async (name) => {
    for (const step of [
      { path: '/orders', query: { [name]: 'mine' } },
      { path: '/orders', pages: { parameter: name } },
      { path: '/orders', rows: '/data', pages: { cursor: '/next', parameter: name } },
    ])
      expect(await errorOf(read(step))).toMatchObject({
        code: 'syntax-refused',
        message: expect.stringContaining('carries the key of the data source'),
      });
    expect(api.asked).toEqual([]);
    await read(
      `{"path": "/orders", "query": {"${name}": ${restMarker(1)}}, "columns": {"a": "/a"}}`,
      {
        auth: 'None',
        secret: '',
      },
      [{ type: 'String', value: 'own' }],
    );
    expect(api.asked).toEqual([`GET /v1/orders?${name}=own`]);
  });

  it.each([401, 403, 422, 429, 500, 302])(
    'appears in no message of a refusal with %i, in any form',
    async (status) => {
      for (const form of forms) {
        for (const body of [
          { message: `no such key: ${api.baseUrl}/orders?a=1&app.key=${form}&b=2` },
          `cannot GET /v1/orders?app.key=${form}`,
          { error: `App.Key=${form} is not valid` },
        ]) {
          api.answer(() => ({ status, body, headers: { location: `/login?app.key=${form}` } }));
          const error = await errorOf(read({ path: '/orders' }));
          expect(tellsSecret(error.message + String(error.hint) + JSON.stringify(error)), error.message).toBe(
            false,
          );
        }
      }
      for (const body of [{ message: `${secret} is not valid` }, secret]) {
        api.answer(() => ({ status, body }));
        expect(tellsSecret((await errorOf(read({ path: '/orders' }))).message)).toBe(false);
      }
    },
  );

  it('appears in no error of a broken connection and in no cause of the error', async () => {
    const { inspect } = await import('node:util');
    for (const broken of ['reset', 'silent'] as const) {
      api.answer(() => broken);
      const error = await errorOf(
        connector.execute(
          connection(),
          { sql: '{"path": "/orders"}' },
          { ...options(), timeoutMs: 300, maxRows: 1, maxBytes: 1, maxCellBytes: 1 },
        ),
      );
      expect(tellsSecret(inspect(error, { depth: 20, showHidden: true }))).toBe(false);
    }
  });

  it('is masked in links of rows, and other texts remain unchanged', async () => {
    const link = (key: string) => `${api.baseUrl}/orders/1?expand=a&app.key=${key}&page=2#x`;
    const body = [
      ...forms.map((form) => ({
        self: link(form),
        key: form,
        nested: { [`?app.key=${form}`]: [link(form)] },
      })),
      { self: link('another'), key: 'pl4nted', nested: null },
    ];
    api.answer(() => ({ body }));
    const rows = await read({
      path: '/orders',
      columns: { self: '/self', nested: { at: '/nested', type: 'json' }, key: '/key' },
    });
    const shown = link('•••');
    expect(rows.map(([self]) => self)).toEqual([shown, shown, shown, shown, link('another')]);
    expect(tellsSecret(JSON.stringify(rows.map(([self, nested]) => [self, nested])))).toBe(false);
    expect(rows[0]?.[1]).toBe(JSON.stringify({ '?app.key=•••': [shown] }));
    expect(rows.at(-1)?.[2]).toBe('pl4nted');
    expect(rows[0]?.[2]).toBe('•••');
  });

  it('is masked only after its parameter name if it is short, so words that contain it remain', async () => {
    api.answer(() => ({ body: [{ a: 'democracy', b: '/orders?app.key=demo' }] }));
    expect(await read({ path: '/orders' }, { secret: 'demo' })).toEqual([
      ['democracy', '/orders?app.key=•••'],
    ]);
  });
});
