import { hasClickhouse, startClickhouse, type TestClickhouse } from '@svc/testkit/database/clickhouse.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SourceRoutes, startSourceRoutes } from './testing/source-routes.ts';

const password = 's3cret-Passw0rd';
let server: TestClickhouse;
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

describe.skipIf(!hasClickhouse())('a data source of ClickHouse', () => {
  beforeAll(async () => {
    server = await startClickhouse();
    await server.query('create database shop');
    for (const statement of [
      'create table orders (id UInt64, email String, total Decimal(38, 4), at DateTime64(3)) engine = MergeTree order by id',
      "insert into orders values (18446744073709551615, 'ann@example.com', '12345678901234567890.1234', '2024-07-01 10:00:00.123'), (1, 'bob@example.com', 2, '2024-07-02 10:00:00')",
    ])
      await server.query(statement, 'shop');
    routes = await startSourceRoutes(server.dial);
    ({ call, runSql, run } = routes);
  });
  afterAll(async () => {
    await routes.close();
    await server.stop();
  });

  test('is offered, saved without showing its secret, and its tables are read', async () => {
    const { body: offered } = await call('admin', 'GET /svc/api/data-sources/engines');
    expect(offered.engines).toContainEqual(
      expect.objectContaining({ engine: 'ClickHouse', label: 'ClickHouse', secretFields: ['password'] }),
    );
    const made = await call('admin', 'POST /svc/api/data-sources', {
      body: { name: 'Events', engine: 'ClickHouse', connection: connectionOf() },
    });
    expect(made).toMatchObject({ status: 201, body: { engine: 'ClickHouse', savedSecrets: ['password'] } });
    expect(JSON.stringify(made.body)).not.toContain(password);
    const { body } = await call('admin', `GET /svc/api/data-sources/${made.body.id}/metadata`);
    expect(body.tables).toMatchObject([{ schema: 'shop', name: 'orders', primaryKey: [] }]);
  });

  test('a connection test reports the version, the rights of the user and the role to create', async () => {
    const tryIt = async (connection: object) =>
      (
        await call('admin', 'POST /svc/api/data-sources/test-connection', {
          body: { engine: 'ClickHouse', connection },
        })
      ).body;
    const accepted = await tryIt(connectionOf());
    expect(accepted).toMatchObject({
      ok: true,
      message: expect.stringContaining('ClickHouse 26.7'),
      code: null,
    });
    expect(accepted.warnings.map(({ code }: { code: string }) => code)).toContain('superuser');
    expect(accepted.remedy).toContain('grant select, show on `shop`.* to svc_reader;');
    const refused = await tryIt(connectionOf({ password: 'another-Passw0rd' }));
    expect(refused).toMatchObject({
      ok: false,
      code: 'authentication-failed',
      remedy: null,
      next: expect.stringContaining('password'),
    });
    expect(JSON.stringify([accepted, refused])).not.toMatch(/Passw0rd/);
  });

  const target = () => ({ id: 'click', engine: 'ClickHouse', connection: connectionOf() });
  test('executes statements with bound parameters and returns exact and masked values', async () => {
    const sql =
      'select id, email, email as e, e as again, total, at from orders where id > {{above}} and email <> {{not}}';
    const rows = await run({
      steps: [{ order: 1, dataSource: target(), sql }],
      parameters: {
        declared: [
          { name: 'above', type: 'Number' },
          { name: 'not', type: 'String' },
        ],
        values: { above: '18446744073709551614', not: "' or 1 = 1 --" },
      },
    });
    expect(rows).toEqual([
      [
        '18446744073709551615',
        'a***m',
        'a***m',
        'a***m',
        '12345678901234567890.1234',
        '2024-07-01T10:00:00.123Z',
      ],
    ]);
  });

  test('is joined with other steps without a loss of digits', async () => {
    const rows = await run({
      steps: [{ order: 1, dataSource: target(), sql: 'select id, total from orders' }],
      finalQuery: 'select cast(max(id) as varchar) as id, cast(sum(total) as varchar) as total from step1',
    });
    expect(rows).toEqual([['18446744073709551615', '12345678901234567892.1234']]);
    const wide = await run({
      steps: [
        {
          order: 1,
          dataSource: target(),
          sql: "select toUInt256(repeat('9', 77)) as wide, toInt128(-5) as small",
        },
      ],
      finalQuery: 'select cast(wide as varchar) as wide, small + 1 as small from step1',
    });
    expect(wide).toEqual([['9'.repeat(77), '-4']]);
  });

  test('a dry run returns a plan without parameter values', async () => {
    const { engine } = await runSql.dryRun({
      dataSource: target(),
      sql: 'select id from orders where email = {{x}}',
      masking: { isEnabled: true },
      parameters: { declared: [{ name: 'x', type: 'String' }], values: { x: 'ann@example.com' } },
      signal: new AbortController().signal,
    });
    expect(JSON.stringify(engine)).toContain('orders');
    expect(JSON.stringify(engine)).not.toContain('ann@example.com');
  });
});
