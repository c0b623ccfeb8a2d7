import { startBigQuery, type TestBigQuery } from '@svc/testkit/database/bigquery/server.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SourceRoutes, startSourceRoutes } from './testing/source-routes.ts';

let server: TestBigQuery;
let routes: SourceRoutes;
let call: SourceRoutes['call'];
let runSql: SourceRoutes['runSql'];
let run: SourceRoutes['run'];

const connectionOf = (change = {}) => ({ ...server.connection, ...change });
const secretText = () =>
  (JSON.parse(server.connection.keyFile) as { private_key: string }).private_key.slice(60, 120);

describe('a data source of BigQuery', () => {
  beforeAll(async () => {
    const authority = await createTestAuthority();
    server = await startBigQuery(authority);
    routes = await startSourceRoutes(server.dial);
    ({ call, runSql, run } = routes);
  });
  afterAll(async () => {
    expect(server.faults).toEqual([]);
    await routes.close();
    await server.stop();
  });

  test('is offered, saved without showing its key, and its tables and keys are read', async () => {
    const { body: offered } = await call('admin', 'GET /svc/api/data-sources/engines');
    expect(offered.engines).toContainEqual(
      expect.objectContaining({ engine: 'BigQuery', label: 'BigQuery', secretFields: ['keyFile'] }),
    );
    const made = await call('admin', 'POST /svc/api/data-sources', {
      body: { name: 'Shop', engine: 'BigQuery', connection: connectionOf() },
    });
    expect(made).toMatchObject({ status: 201, body: { engine: 'BigQuery', savedSecrets: ['keyFile'] } });
    expect(JSON.stringify(made.body)).not.toContain(secretText());
    const { body } = await call('admin', `GET /svc/api/data-sources/${made.body.id}/metadata`);
    expect(body.tables).toMatchObject([
      { schema: 'shop', name: 'customers', primaryKey: ['id'] },
      { schema: 'shop', name: 'orders', foreignKeys: [{ toTable: 'customers', toColumns: ['id'] }] },
      { schema: 'shop', name: 'recent', type: 'View' },
    ]);
  });

  test('refuses an invalid key file with 400 at its field, and does not repeat it', async () => {
    const file = JSON.parse(server.connection.keyFile) as object;
    for (const keyFile of [
      server.connection.keyFile.slice(0, -9),
      JSON.stringify({ ...file, universe_domain: 'evil.test' }),
      JSON.stringify({ ...file, type: 'external_account' }),
    ]) {
      const refused = await call('admin', 'POST /svc/api/data-sources', {
        body: { name: 'No key', engine: 'BigQuery', connection: connectionOf({ keyFile }) },
      });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/connection/keyFile' }] } });
      expect(JSON.stringify(refused.body)).not.toContain(secretText());
    }
  });

  test('a connection test reports a missing dataset', async () => {
    const tried = (change: object) =>
      call('admin', 'POST /svc/api/data-sources/test-connection', {
        body: { engine: 'BigQuery', connection: connectionOf(change) },
      });
    expect((await tried({})).body).toMatchObject({ ok: true });
    expect((await tried({ dataset: 'nowhere' })).body).toMatchObject({
      ok: false,
      code: 'database-not-found',
    });
  });

  const target = () => ({ id: 'bq', engine: 'BigQuery', connection: connectionOf() });
  test('executes statements with bound parameters and returns exact and masked values', async () => {
    const sql = `select o.id, c.email, c.email as e, o.placed
      from \`shop\`.\`customers\` c join shop.orders o on o.customer_id = c.id
      where o.id = {{id}} and c.name <> {{not}}`;
    const rows = await run({
      steps: [{ order: 1, dataSource: target(), sql }],
      parameters: {
        declared: [
          { name: 'id', type: 'Number' },
          { name: 'not', type: 'String' },
        ],
        values: { id: '9007199254740993', not: "' or 1 = 1 --" },
      },
    });
    expect(rows).toEqual([['9007199254740993', 'b***m', 'b***m', '2024-01-03T00:00:00Z']]);
  });

  test('reports the scanned and billed bytes of each step', async () => {
    const result = await runSql.run({
      steps: [{ order: 1, dataSource: target(), sql: 'select id from shop.orders' }],
      masking: { isEnabled: true },
      signal: new AbortController().signal,
    });
    for await (const _batch of result.batches);
    expect((await result.finished).stepResults).toMatchObject([
      { usage: { scannedBytes: 1_024, billedBytes: 10_485_760 }, rowCount: 4 },
    ]);
  });

  test('refuses a statement that contains its own parameter markers', async () => {
    for (const sql of ['select @p1', 'select ?'])
      await expect(run({ steps: [{ order: 1, dataSource: target(), sql }] })).rejects.toMatchObject({
        name: 'RunSqlRefusal',
      });
  });

  test('is joined with other steps without a loss of digits', async () => {
    const rows = await run({
      steps: [{ order: 1, dataSource: target(), sql: 'select id, total from shop.orders where id > 4' }],
      finalQuery: 'select cast(id as varchar) as id, cast(total as varchar) as total from step1',
    });
    expect(rows).toEqual([['9007199254740993', '-3.25']]);
  });

  test('a dry run returns the planned scan and no parameter value', async () => {
    const { engine } = await runSql.dryRun({
      dataSource: target(),
      sql: 'select n from shop.huge where n = {{x}}',
      masking: { isEnabled: true },
      parameters: { declared: [{ name: 'x', type: 'String' }], values: { x: 'a value of it' } },
      signal: new AbortController().signal,
    });
    expect(engine).toMatchObject({ steps: ['Scan 50 GiB', '  Read shop.huge'], writes: false });
    expect(JSON.stringify(engine)).not.toContain('a value of it');
  });
});
