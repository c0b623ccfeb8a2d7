import { startSqlserver, type TestSqlserver } from '@svc/testkit/database/sqlserver.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SourceRoutes, startSourceRoutes } from './testing/source-routes.ts';

const password = 's3cret-Passw0rd';
let server: TestSqlserver;
let routes: SourceRoutes;
let call: SourceRoutes['call'];
let runSql: SourceRoutes['runSql'];
let run: SourceRoutes['run'];

const connectionOf = (change = {}) => ({
  host: server.host,
  port: server.port,
  database: 'shop',
  user: 'reader',
  password,
  tlsMode: 'Disable',
  ...change,
});

describe('a data source of SQL Server', () => {
  beforeAll(async () => {
    server = await startSqlserver();
    routes = await startSourceRoutes(server.dial);
    ({ call, runSql, run } = routes);
  });
  afterAll(async () => {
    await routes.close();
    await server.stop();
  });

  test('is offered, saved without showing its secret, and its tables and keys are read', async () => {
    const { body: offered } = await call('admin', 'GET /svc/api/data-sources/engines');
    expect(offered.engines).toContainEqual(
      expect.objectContaining({ engine: 'SqlServer', label: 'SQL Server', secretFields: ['password'] }),
    );
    const made = await call('admin', 'POST /svc/api/data-sources', {
      body: { name: 'Shop', engine: 'SqlServer', connection: connectionOf() },
    });
    expect(made).toMatchObject({ status: 201, body: { engine: 'SqlServer', savedSecrets: ['password'] } });
    expect(JSON.stringify(made.body)).not.toContain(password);
    const { body } = await call('admin', `GET /svc/api/data-sources/${made.body.id}/metadata`);
    expect(body.tables).toMatchObject([
      { schema: 'dbo', name: 'customers', primaryKey: ['id'] },
      { schema: 'dbo', name: 'orders', foreignKeys: [{ toTable: 'customers' }] },
      { schema: 'sales', name: 'recent orders', type: 'View' },
    ]);
  });

  test('refuses a login that may write with 409 and the login to create, unless it is accepted', async () => {
    const save = (name: string, change: object) =>
      call('admin', 'POST /svc/api/data-sources', {
        body: { name, engine: 'SqlServer', connection: connectionOf({ user: 'writer', ...change }) },
      });
    const refused = await save('Writer', {});
    expect(refused).toMatchObject({ status: 409, body: { code: 'login-may-write' } });
    expect(refused.body.remedy).toContain('alter role db_datareader add member svc_reader;');
    expect(await save('Writer', { acceptWritingLogin: true })).toMatchObject({ status: 201 });
    const tried = await call('admin', 'POST /svc/api/data-sources/test-connection', {
      body: { engine: 'SqlServer', connection: connectionOf({ user: 'writer' }) },
    });
    expect(tried.body).toMatchObject({ ok: false, code: 'login-may-write' });
    expect(tried.body.remedy).toContain('use [shop];');
    expect(JSON.stringify([refused.body, tried.body])).not.toContain(password);
  });

  const target = () => ({ id: 'mssql', engine: 'SqlServer', connection: connectionOf() });
  test('executes statements with bound parameters and returns exact and masked values', async () => {
    const sql = `select c.id, c.email, c.email as e, o.total, o.price, o.placed
      from [dbo].[customers] c join dbo.orders o on o.customer_id = c.id
      where c.id = {{id}} and c.name <> {{not}}`;
    const rows = await run({
      steps: [{ order: 1, dataSource: target(), sql }],
      parameters: {
        declared: [
          { name: 'id', type: 'Number' },
          { name: 'not', type: 'String' },
        ],
        values: { id: '1', not: "' or 1 = 1 --" },
      },
    });
    expect(rows).toEqual([
      [
        1,
        'a***m',
        'a***m',
        '2126764793255865396646091296.4485513215',
        '922337203685477.5807',
        '9999-12-31T23:59:59.9999999',
      ],
    ]);
  });

  test('is joined with other steps without a loss of digits', async () => {
    const rows = await run({
      steps: [
        { order: 1, dataSource: target(), sql: 'select id, total, price, sent from dbo.orders where id = 2' },
      ],
      finalQuery:
        'select cast(id as varchar) as id, cast(total as varchar) as total, cast(price as varchar) as price from step1',
    });
    expect(rows).toEqual([['2', '-0.5000000000', '-0.0001']]);
  });

  test('a dry run returns a plan without parameter values', async () => {
    const { engine } = await runSql.dryRun({
      dataSource: target(),
      sql: 'select id from dbo.orders where status = {{x}}',
      masking: { isEnabled: true },
      parameters: { declared: [{ name: 'x', type: 'String' }], values: { x: 'a value of it' } },
      signal: new AbortController().signal,
    });
    expect(JSON.stringify(engine)).toContain('orders');
    expect(JSON.stringify(engine)).not.toContain('a value of it');
  });
});
