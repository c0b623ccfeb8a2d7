import { startSnowflake, type TestShop } from '@svc/testkit/database/snowflake.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SourceRoutes, startSourceRoutes } from './testing/source-routes.ts';

let server: TestShop;
let routes: SourceRoutes;
let call: SourceRoutes['call'];
let runSql: SourceRoutes['runSql'];
let run: SourceRoutes['run'];

const connectionOf = (change = {}) => ({ ...server.connection, ...change });
/** The middle of the private key. No response may contain it. */
const secretPart = () => String(server.connection['privateKey']).slice(100, 160);

describe('a data source of Snowflake', () => {
  beforeAll(async () => {
    const authority = await createTestAuthority();
    server = await startSnowflake(authority);
    routes = await startSourceRoutes(server.dial);
    ({ call, runSql, run } = routes);
  });
  afterAll(async () => {
    await routes.close();
    // All requests and responses of this file match the service's API description.
    expect(server.faults).toEqual([]);
    await server.stop();
  });

  test('is offered, saved without showing its secrets, and its tables and keys are read', async () => {
    const { body: offered } = await call('admin', 'GET /svc/api/data-sources/engines');
    expect(offered.engines).toContainEqual(
      expect.objectContaining({
        engine: 'Snowflake',
        label: 'Snowflake',
        secretFields: ['privateKey', 'passphrase', 'accessToken'],
      }),
    );
    const made = await call('admin', 'POST /svc/api/data-sources', {
      body: { name: 'Shop', engine: 'Snowflake', connection: connectionOf() },
    });
    expect(made).toMatchObject({ status: 201, body: { engine: 'Snowflake' } });
    expect(made.body.savedSecrets).toContain('privateKey');
    expect(JSON.stringify(made.body)).not.toContain(secretPart());
    const { body } = await call('admin', `GET /svc/api/data-sources/${made.body.id}/metadata`);
    expect(body.tables).toMatchObject([
      { schema: 'PUBLIC', name: 'CUSTOMERS', primaryKey: ['ID'] },
      { schema: 'PUBLIC', name: 'ORDERS', foreignKeys: [{ toTable: 'CUSTOMERS' }] },
      { schema: 'sales', name: 'recent orders', type: 'View' },
    ]);
  });

  test('refuses invalid settings with 400 at their field, without the sent values', async () => {
    const refused = await call('admin', 'POST /svc/api/data-sources', {
      body: {
        name: 'Bad',
        engine: 'Snowflake',
        connection: connectionOf({ passphrase: 'not its own', privateKey: 'x' }),
      },
    });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/connection/privateKey' }] } });
    expect(JSON.stringify(refused.body)).not.toContain('not its own');
  });

  test('refuses a role that may write with 409 and the role to create, unless it is accepted', async () => {
    const save = (name: string, change: object) =>
      call('admin', 'POST /svc/api/data-sources', {
        body: { name, engine: 'Snowflake', connection: connectionOf({ role: 'writer', ...change }) },
      });
    const refused = await save('Writer', {});
    expect(refused).toMatchObject({ status: 409, body: { code: 'login-may-write' } });
    expect(refused.body.remedy).toContain(
      'grant select on all tables in database "SHOP" to role svc_reader;',
    );
    expect(await save('Writer', { acceptWritingLogin: true })).toMatchObject({ status: 201 });
    const tried = await call('admin', 'POST /svc/api/data-sources/test-connection', {
      body: { engine: 'Snowflake', connection: connectionOf({ role: 'writer' }) },
    });
    expect(tried.body).toMatchObject({ ok: false, code: 'login-may-write' });
    expect(JSON.stringify([refused.body, tried.body])).not.toContain(secretPart());
  });

  const target = () => ({ id: 'snowflake', engine: 'Snowflake', connection: connectionOf() });
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
        'select id, email, email as e, balance from customers where id = cast(? as number(1, 0)) and name <> ?',
      bindings: { 1: { type: 'TEXT', value: '1' }, 2: { type: 'TEXT', value: "' or 1 = 1 --" } },
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
    expect(JSON.stringify(engine)).toContain('Table Scan on SHOP.PUBLIC.ORDERS');
    expect(JSON.stringify(engine)).not.toContain('a value of it');
  });

  test('a dry run reports the position of an error and of a statement that is not a read', async () => {
    expect(await dry('select id,\n  no_such_column from orders where status = {{x}}')).toMatchObject({
      readOnly: null,
      engine: { code: 'statement-failed', position: { line: 2, column: 3 } },
    });
    expect(await dry('select counter.nextval, {{x}}')).toMatchObject({
      readOnly: { code: 'not-a-read', position: { line: 1 } },
      engine: 'NotChecked',
    });
  });
});
