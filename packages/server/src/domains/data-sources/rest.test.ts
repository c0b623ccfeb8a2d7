import { startRestApi, type TestRestApi } from '@svc/testkit/database/rest-api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SourceRoutes, startSourceRoutes } from './testing/source-routes.ts';

const secret = 's3cret-T0ken';
let api: TestRestApi;
let routes: SourceRoutes;
let call: SourceRoutes['call'];
let runSql: SourceRoutes['runSql'];
let run: SourceRoutes['run'];

const connectionOf = (change = {}) => ({
  baseUrl: api.baseUrl,
  endpoints: ['/orders', '/people'],
  auth: 'Bearer',
  secret,
  ...change,
});
const orders =
  '{"data":[{"id":1234567890123456789,"email":"ann@example.com","contact":{"phone":"+49 30 1234567"},"total":12345678901234567890.1234},{"id":2,"email":"bob@example.com","contact":null,"total":0.10}]}';

describe('a data source of a REST API', () => {
  beforeAll(async () => {
    api = await startRestApi((url, request) => {
      if (request.headers.authorization !== `Bearer ${secret}`)
        return { status: 401, body: { message: `no such token: ${request.headers.authorization}` } };
      return { body: url.pathname === '/v1/people' ? [{ id: 2, name: 'Bo' }] : orders };
    });
    routes = await startSourceRoutes(api.dial);
    ({ call, runSql, run } = routes);
  });
  afterAll(async () => {
    await routes.close();
    await api.stop();
  });

  test('is offered, saved without showing its secret, and its endpoints are its tables', async () => {
    const { body: offered } = await call('admin', 'GET /svc/api/data-sources/engines');
    expect(offered.engines).toContainEqual(
      expect.objectContaining({ engine: 'Rest', label: 'REST API', secretFields: ['secret'] }),
    );
    const document = JSON.stringify({
      openapi: '3.1.0',
      paths: { '/orders': { get: {} }, '/people': { get: {} } },
    });
    const made = await call('admin', 'POST /svc/api/data-sources', {
      body: { name: 'Shop', engine: 'Rest', connection: connectionOf({ openApi: document }) },
    });
    expect(made).toMatchObject({ status: 201, body: { engine: 'Rest', savedSecrets: ['secret'] } });
    expect(JSON.stringify(made.body)).not.toContain(secret);
    const { body: whole } = await call('admin', `GET /svc/api/data-sources/${made.body.id}`);
    const { body: list } = await call('admin', 'GET /svc/api/data-sources');
    const { openApi, ...withoutDocument } = whole.connection;
    expect([openApi, list.items]).toMatchObject([
      document,
      [{ connection: withoutDocument, savedSecrets: ['secret'] }],
    ]);
    expect(list.items[0].connection).not.toHaveProperty('openApi');
    const { body } = await call('admin', `GET /svc/api/data-sources/${made.body.id}/metadata`);
    expect(body.tables.map(({ schema, name }: { schema: string; name: string }) => [schema, name])).toEqual([
      ['api', '/orders'],
      ['api', '/people'],
    ]);
    const refused = await call('admin', 'POST /svc/api/data-sources', {
      body: { name: 'Shop 2', engine: 'Rest', connection: connectionOf({ endpoints: ['/a/../b'] }) },
    });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/connection/endpoints' }] } });
  });

  test('a refused connection test repeats no secret', async () => {
    const tryIt = async (connection: object) =>
      (
        await call('admin', 'POST /svc/api/data-sources/test-connection', {
          body: { engine: 'Rest', connection },
        })
      ).body;
    expect(await tryIt(connectionOf())).toMatchObject({ ok: true, code: null });
    const refused = await tryIt(connectionOf({ secret: 'another-T0ken' }));
    expect(refused).toMatchObject({ ok: false, code: 'authentication-failed' });
    expect(JSON.stringify(refused)).not.toMatch(/T0ken/);
  });

  const target = () => ({ id: 'rest', engine: 'Rest', connection: connectionOf() });
  test('executes requests with bound parameters and returns exact values, masked under any column name', async () => {
    api.asked.length = 0;
    const rows = await run({
      steps: [
        {
          order: 1,
          dataSource: target(),
          sql: '{"path": "/orders", "query": {"since": {{since}}, "q": {{q}}}, "rows": "/data", "columns": {"id": "/id", "a": "/email", "b": "/contact/phone", "total": "/total"}}',
        },
      ],
      parameters: {
        declared: [
          { name: 'since', type: 'Date' },
          { name: 'q', type: 'String' },
        ],
        values: { since: '2024-01-01', q: '"}, "path": "/people' },
      },
    });
    expect(api.asked).toEqual(['GET /v1/orders?since=2024-01-01&q=%22%7D%2C+%22path%22%3A+%22%2Fpeople']);
    expect(rows).toEqual([
      ['1234567890123456789', 'a***m', expect.not.stringContaining('1234567'), '12345678901234567890.1234'],
      ['2', 'b***m', null, '0.10'],
    ]);
  });

  test('refuses SQL, and a parameter within quotes', async () => {
    const refusalOf = async (sql: string) =>
      run({
        steps: [{ order: 1, dataSource: target(), sql }],
        parameters: { declared: [{ name: 'q', type: 'String' }], values: { q: 'x' } },
      }).then(
        () => undefined,
        (error: { code: string; position?: { line: number } }) => error,
      );
    expect(await refusalOf('{"path": "/orders", "query": {"q": "{{q}}"}}')).toMatchObject({
      code: 'misplaced-parameter',
    });
    expect(await refusalOf('select * from orders')).toMatchObject({
      code: 'not-a-read',
      message: expect.stringContaining('asked in JSON, not in SQL'),
    });
  });

  test('is joined with other steps without a loss of digits', async () => {
    const rows = await run({
      steps: [
        {
          order: 1,
          name: 'orders',
          dataSource: target(),
          sql: '{"path": "/orders", "rows": "/data", "columns": {"id": {"at": "/id", "type": "integer"}, "total": "/total"}}',
        },
        { order: 2, name: 'people', dataSource: target(), sql: '{"path": "/people"}' },
      ],
      finalQuery:
        'select cast(max(o.id) as varchar) as id, cast(sum(o.total) as varchar) as total, count(p.name) as people from orders o left join people p on p.id = o.id',
    });
    expect(rows).toEqual([['1234567890123456789', '12345678901234567890.2234', '1']]);
  });

  test('a dry run checks a statement without a request to the API', async () => {
    api.asked.length = 0;
    const dry = (sql: string) =>
      runSql.dryRun({
        dataSource: target(),
        sql,
        masking: { isEnabled: true },
        signal: new AbortController().signal,
        parameters: { declared: [{ name: 'q', type: 'String' }], values: { q: 'x' } },
      });
    expect(
      await dry('{"path": "/orders", "query": {"q": {{q}}}, "columns": {"e": "/user/email"}}'),
    ).toMatchObject({
      parameters: null,
      readOnly: null,
      engine: 'NotOffered',
      personalNames: ['email'],
    });
    const refused = await dry('{"query": {"q": {{q}}},\n "path": "/admin"}');
    expect(refused).toMatchObject({
      readOnly: { code: 'not-a-read', position: { line: 2 } },
      engine: 'NotChecked',
    });
    expect(api.asked).toEqual([]);
  });
});
