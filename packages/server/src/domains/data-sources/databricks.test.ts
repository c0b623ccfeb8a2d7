import { createConnectors } from '@svc/connectors';
import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { startDatabricks, type TestShop } from '@svc/testkit/database/databricks.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { type Call, person, type RouteApp, startRouteApp } from '@svc/testkit/service/route-app.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunSql, type RunRequest, type RunSql } from '../../gateways/run-sql/index.ts';
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
let server: TestShop;
let database: Database;
let app: RouteApp;
let call: Call;
let runSql: RunSql;
let metadata: MetadataService;
let closeConnectors: () => Promise<void>;

const connectionOf = (change = {}) => ({ ...server.connection, ...change });
/** No response may contain it. */
const secretPart = () => String(server.connection['clientSecret']);

describe('a data source of Databricks', () => {
  beforeAll(async () => {
    const authority = await createTestAuthority();
    [own, server] = await Promise.all([createMigratedDatabase(), startDatabricks(authority)]);
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
    await metadata.close();
    await app.close();
    await closeConnectors();
    await database.pool.end();
    // All requests and responses of this file match the service's API description.
    expect(server.faults).toEqual([]);
    await Promise.all([own.drop(), server.stop()]);
  });

  test('is offered, saved without showing its secrets, and its tables and keys are read', async () => {
    const { body: offered } = await call('admin', 'GET /svc/api/data-sources/engines');
    expect(offered.engines).toContainEqual(
      expect.objectContaining({
        engine: 'Databricks',
        label: 'Databricks',
        secretFields: ['clientSecret', 'accessToken'],
      }),
    );
    const made = await call('admin', 'POST /svc/api/data-sources', {
      body: { name: 'Shop', engine: 'Databricks', connection: connectionOf() },
    });
    expect(made).toMatchObject({ status: 201, body: { engine: 'Databricks' } });
    expect(made.body.savedSecrets).toContain('clientSecret');
    expect(JSON.stringify(made.body)).not.toContain(secretPart());
    const { body } = await call('admin', `GET /svc/api/data-sources/${made.body.id}/metadata`);
    expect(body.tables).toMatchObject([
      { schema: 'default', name: 'recent orders', type: 'View' },
      { schema: 'sales', name: 'customers', primaryKey: ['id'] },
      { schema: 'sales', name: 'orders', foreignKeys: [{ toTable: 'customers' }] },
    ]);
  });

  test('refuses invalid settings with 400 at their field, without the sent values', async () => {
    const refused = await call('admin', 'POST /svc/api/data-sources', {
      body: {
        name: 'Bad',
        engine: 'Databricks',
        connection: connectionOf({ clientSecret: 'not its own', clientId: '' }),
      },
    });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/connection/clientId' }] } });
    expect(JSON.stringify(refused.body)).not.toContain('not its own');
  });

  test('refuses a login that may write with 409 and the privileges to grant, unless it is accepted', async () => {
    const save = (name: string, change: object) =>
      call('admin', 'POST /svc/api/data-sources', {
        body: { name, engine: 'Databricks', connection: connectionOf({ ...server.as('writer'), ...change }) },
      });
    const refused = await save('Writer', {});
    expect(refused).toMatchObject({ status: 409, body: { code: 'login-may-write' } });
    expect(refused.body.remedy).toContain('grant select on catalog `shop` to');
    expect(await save('Writer', { acceptWritingLogin: true })).toMatchObject({ status: 201 });
    const tried = await call('admin', 'POST /svc/api/data-sources/test-connection', {
      body: { engine: 'Databricks', connection: connectionOf(server.as('writer')) },
    });
    expect(tried.body).toMatchObject({ ok: false, code: 'login-may-write' });
    expect(JSON.stringify([refused.body, tried.body])).not.toContain('s3cret');
  });

  const target = () => ({ id: 'databricks', engine: 'Databricks', connection: connectionOf() });
  async function run(request: Pick<RunRequest, 'steps'> & Partial<RunRequest>) {
    const result = await runSql.run({
      masking: { isEnabled: true },
      signal: new AbortController().signal,
      ...request,
    });
    const rows: unknown[][] = [];
    for await (const { rowCount, columns } of result.batches)
      for (let row = 0; row < rowCount; row++) rows.push(columns.map((cells) => cells[row]));
    return rows;
  }

  test('executes statements with bound parameters and returns exact values, masked under any column name', async () => {
    const rows = await run({
      steps: [
        {
          order: 1,
          dataSource: target(),
          sql: 'select id, email, email as e, balance from customers where id = {{id}} and name <> {{not}}',
        },
      ],
      parameters: {
        declared: [
          { name: 'id', type: 'Number' },
          { name: 'not', type: 'String' },
        ],
        values: { id: '1', not: "' or 1 = 1 --" },
      },
    });
    expect(rows[0]).toEqual([
      '1234567890123456789',
      'a***m',
      'a***m',
      '2126764793255865396646091296.4485513215',
    ]);
    expect(server.submissions.at(-1)).toMatchObject({
      statement:
        'select id, email, email as e, balance from customers where id = :svc_p1 and name <> :svc_p2',
      parameters: [
        { name: 'svc_p1', type: 'BIGINT', value: '1' },
        { name: 'svc_p2', type: 'STRING', value: "' or 1 = 1 --" },
      ],
    });
  });

  test('is joined with other steps without a loss of digits', async () => {
    const rows = await run({
      steps: [{ order: 1, dataSource: target(), sql: 'select id, balance from customers' }],
      finalQuery:
        'select cast(max(id) as varchar) as id, cast(max(balance) as varchar) as balance from step1',
    });
    expect(rows).toEqual([['1234567890123456789', '2126764793255865396646091296.4485513215']]);
  });

  const dry = (sql: string) =>
    runSql.dryRun({
      dataSource: target(),
      sql,
      masking: { isEnabled: true },
      signal: new AbortController().signal,
      parameters: { declared: [{ name: 'x', type: 'String' }], values: { x: 'a value of it' } },
    });

  test('a dry run returns the plan of the engine without parameter values', async () => {
    const { engine } = await dry('select id from orders where status = {{x}}');
    expect(JSON.stringify(engine)).toContain('Relation on shop.sales.orders');
    expect(JSON.stringify(engine)).not.toContain('a value of it');
  });

  test('a dry run reports the position of an error and of a statement that is not a read', async () => {
    expect(await dry('select id,\n  no_such_column from orders where status = {{x}}')).toMatchObject({
      readOnly: null,
      engine: { code: 'statement-failed', position: { line: 2, column: 3 } },
    });
    expect(await dry('select * from json.`/tmp/x` where {{x}} = 1')).toMatchObject({
      readOnly: { code: 'not-a-read', position: { line: 1 } },
      engine: 'NotChecked',
    });
  });
});
