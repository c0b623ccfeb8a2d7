import { createConnectors } from '@svc/connectors';
import { startBigQuery, type TestBigQuery } from '@svc/testkit/database/bigquery/server.ts';
import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { type Call, person, type RouteApp, startRouteApp } from '@svc/testkit/service/route-app.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunSql, type RunRequest, type RunSql } from '../../doors/run-sql/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { createKeyRing, systemRandomness } from '../../platform/crypto/index.ts';
import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import { createAudit } from '../audit/index.ts';
import {
  createDataSourcesService,
  createLoginNotes,
  createMetadataService,
  dataSourceRoutes,
  type MetadataService,
  type Vault,
} from './index.ts';

const vault: Vault = {
  keys: createKeyRing({ encryptionKey: 'test key of at least thirty-two bytes' }),
  random: systemRandomness,
};
let own: TestDatabase;
let server: TestBigQuery;
let database: Database;
let app: RouteApp;
let call: Call;
let runSql: RunSql;
let metadata: MetadataService;
let closeConnectors: () => Promise<void>;

const connectionOf = (change = {}) => ({ ...server.connection, ...change });
const secretText = () =>
  (JSON.parse(server.connection.keyFile) as { private_key: string }).private_key.slice(60, 120);

describe('a data source of BigQuery', () => {
  beforeAll(async () => {
    const authority = await createTestAuthority();
    [own, server] = await Promise.all([createMigratedDatabase(), startBigQuery(authority)]);
    database = createDatabase(openPool({ connection: own.connection }));
    const connectors = createConnectors();
    closeConnectors = connectors.close;
    runSql = createRunSql({ connectors, dial: server.dial });
    const logins = createLoginNotes({ database, log: { warn: () => undefined } });
    const audit = createAudit(systemClock);
    metadata = createMetadataService({ database, runSql, vault, logins });
    const dataSources = createDataSourcesService({ database, connectors, runSql, vault, audit, logins });
    app = await startRouteApp(dataSourceRoutes({ dataSources, metadata }));
    call = app.call;
    app.callers.set('admin', person(await createUser(database, 'admin'), { role: 'Admin' }));
  });
  afterAll(async () => {
    expect(server.faults).toEqual([]);
    await metadata.close();
    await app.close();
    await closeConnectors();
    await database.pool.end();
    await Promise.all([own.drop(), server.stop()]);
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

  test('400: what is no key file is refused by its field, and not repeated', async () => {
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

  test('is tested: a dataset that is not there is told as that', async () => {
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
  async function run(request: Pick<RunRequest, 'steps'> & Partial<RunRequest>) {
    const result = await runSql.run({
      ...{ masking: { isEnabled: true }, signal: new AbortController().signal },
      ...request,
    });
    const rows: unknown[][] = [];
    for await (const { rowCount, columns } of result.batches)
      for (let row = 0; row < rowCount; row++) rows.push(columns.map((cells) => cells[row]));
    return rows;
  }

  test('is run with bound parameters, exact and masked', async () => {
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

  test('tells what each step has scanned and is billed for', async () => {
    const result = await runSql.run({
      steps: [{ order: 1, dataSource: target(), sql: 'select id from shop.orders' }],
      ...{ masking: { isEnabled: true }, signal: new AbortController().signal },
    });
    for await (const _batch of result.batches);
    expect((await result.finished).stepResults).toMatchObject([
      { usage: { scannedBytes: 1_024, billedBytes: 10_485_760 }, rowCount: 4 },
    ]);
  });

  test('is refused where a statement holds markers of its own', async () => {
    for (const sql of ['select @p1', 'select ?'])
      await expect(run({ steps: [{ order: 1, dataSource: target(), sql }] })).rejects.toMatchObject({
        name: 'RunSqlRefusal',
      });
  });

  test('is joined with other steps without losing a digit', async () => {
    const rows = await run({
      steps: [{ order: 1, dataSource: target(), sql: 'select id, total from shop.orders where id > 4' }],
      finalQuery: 'select cast(id as varchar) as id, cast(total as varchar) as total from step1',
    });
    expect(rows).toEqual([['9007199254740993', '-3.25']]);
  });

  test('is planned without being run: what would be scanned, and no value', async () => {
    const { engine } = await runSql.dryRun({
      ...{
        dataSource: target(),
        sql: 'select n from shop.huge where n = {{x}}',
        masking: { isEnabled: true },
      },
      parameters: { declared: [{ name: 'x', type: 'String' }], values: { x: 'a value of it' } },
      signal: new AbortController().signal,
    });
    expect(engine).toMatchObject({ steps: ['Scan 50 GiB', '  Read shop.huge'], writes: false });
    expect(JSON.stringify(engine)).not.toContain('a value of it');
  });
});
