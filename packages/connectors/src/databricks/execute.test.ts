import { startDatabricksServer, warehouseId } from '@svc/testkit/database/databricks/server.ts';
import { shopAnswer } from '@svc/testkit/database/databricks/shop.ts';
import { startDatabricks, type TestShop } from '@svc/testkit/database/databricks.ts';
import { createTestAuthority, type TestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BoundValue } from '../bound-value.ts';
import type { ConnectorError } from '../error.ts';
import type { ExecuteOptions } from '../port.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createDatabricksConnector } from './index.ts';

let connector = createDatabricksConnector();
let authority: TestAuthority;
let server: TestShop;

beforeAll(async () => {
  authority = await createTestAuthority();
  server = await startDatabricks(authority);
});
beforeEach(() => {
  connector = createDatabricksConnector();
});
afterAll(async () => {
  // All requests and answers of this file must match the vendor's API description.
  expect(server.faults).toEqual([]);
  await server.stop();
});

const connectionOf = (change: object = {}) => connector.settings.parse({ ...server.connection, ...change });
const optionsOf = (change: Partial<ExecuteOptions> = {}): ExecuteOptions => ({
  dial: server.dial,
  signal: new AbortController().signal,
  timeoutMs: 10_000,
  maxRows: 10_000,
  maxBytes: 10_000_000,
  maxCellBytes: 100_000,
  ...change,
});
const execute = (sql: string, change: Partial<ExecuteOptions> = {}, connection: object = {}) =>
  connector.execute(connectionOf(connection), { sql }, optionsOf(change));
const statementsSince = async (work: () => Promise<unknown>): Promise<string[]> => {
  const before = server.submissions.length;
  await work();
  return server.submissions.slice(before).map(({ statement }) => statement);
};

describe('a Databricks statement', () => {
  it('returns its columns, and values with all their digits', async () => {
    const result = await execute('select * from customers', { wantOrigins: true });
    expect(result.columns).toEqual([
      { name: 'id', kind: 'integer', databaseType: 'BIGINT', origin: null },
      { name: 'email', kind: 'text', databaseType: 'STRING', origin: null },
      { name: 'balance', kind: 'decimal', databaseType: 'DECIMAL(38,10)', origin: null },
    ]);
    expect(await rowsOf(result)).toEqual([
      ['1234567890123456789', 'ann@example.com', '2126764793255865396646091296.4485513215'],
      [2, 'bob@example.com', 0.1],
    ]);
    expect(await rowsOf(await execute('select * from no_rows'))).toEqual([]);
  });

  it('is sent to a UTC session with a matching time limit, with the result requested inline', async () => {
    await rowsOf(await execute('select 1', { timeoutMs: 7_900, maxRows: 50 }));
    const { session, ...sent } = server.submissions.at(-1) ?? {};
    expect(session).toEqual({
      warehouse_id: warehouseId,
      catalog: 'shop',
      schema: 'sales',
      session_confs: { timezone: 'UTC', ansi_mode: 'true', statement_timeout: '9' },
    });
    expect(sent).toEqual({
      statement: 'select 1',
      warehouse_id: warehouseId,
      user: 'reader',
      session_id: expect.any(String),
      wait_timeout: '0s',
      on_wait_timeout: 'CONTINUE',
      disposition: 'INLINE',
      format: 'JSON_ARRAY',
      row_limit: 51,
      byte_limit: 10_000_000,
    });
  });

  it('leaves no open session', async () => {
    await rowsOf(await execute('select 1'));
    await errorOf(execute('select no_such_column'));
    await errorOf(execute('select failing from t').then(rowsOf));
    await (await execute('select * from many_chunks')).close();
    await expect.poll(() => server.openSessions.size).toBe(0);
  });

  it('fetches all parts from the configured host, never from a URL in a response', async () => {
    const own = await startDatabricksServer({
      authority,
      answer: shopAnswer,
      accessTokens: { t: 'reader' },
      pendingPolls: 3,
    });
    const connection = connectionOf({ signIn: 'AccessToken', accessToken: 't' });
    const { caCertificate } = own;
    const sql = 'select * from many_chunks';
    const options = optionsOf({ dial: own.dial });
    await rowsOf(await connector.execute({ ...connection, caCertificate }, { sql }, options));
    await expect.poll(() => own.openSessions.size).toBe(0);
    const paths = own.asked.map((asked) => asked.replaceAll(/[\da-f]{8}-[-\da-f]{27}/g, ':id'));
    expect(new Set(paths)).toEqual(
      new Set([
        'POST /api/2.0/sql/sessions',
        'POST /api/2.0/sql/statements',
        'GET /api/2.0/sql/statements/:id',
        'GET /api/2.0/sql/statements/:id/result/chunks/1',
        'GET /api/2.0/sql/statements/:id/result/chunks/2',
        `DELETE /api/2.0/sql/sessions/:id?warehouse_id=${warehouseId}`,
      ]),
    );
    expect(paths.filter((path) => path === 'GET /api/2.0/sql/statements/:id')).toHaveLength(
      4 * own.submissions.length,
    );
    expect(own.faults).toEqual([]);
    await own.stop();
  });

  it('passes values as parameters, never in its text', async () => {
    const values: readonly BoundValue[] = [
      { type: 'Number', value: '-12.50' },
      { type: 'Number', value: '9'.repeat(40) },
      { type: 'DateTime', value: '2024-02-29T12:00:00.5Z' },
      { type: 'Date', value: '2024-02-29' },
      { type: 'String', value: "'; drop table customers --" },
      { type: 'Boolean', value: true },
      { type: 'Number', value: null },
      { type: 'Number', value: '9007199254740993' },
      { type: 'Number', value: '12345678901234567890' },
    ];
    const markers = values.map((value, index) => connector.dialect.marker(index + 1, value));
    const sql = `select bound, ${markers.join(', ')} from t`;
    const result = await connector.execute(connectionOf(), { sql, values }, optionsOf());
    const [[statement, parameters] = []] = await rowsOf(result);
    expect(statement).toBe(
      'select bound, :svc_p1, :svc_p2, :svc_p3, :svc_p4, :svc_p5, :svc_p6, :svc_p7, :svc_p8, :svc_p9 from t',
    );
    expect(JSON.parse(String(parameters))).toEqual([
      { name: 'svc_p1', type: 'DECIMAL(4,2)', value: '-12.50' },
      { name: 'svc_p2', type: 'DOUBLE', value: '9'.repeat(40) },
      { name: 'svc_p3', type: 'TIMESTAMP', value: '2024-02-29T12:00:00.5Z' },
      { name: 'svc_p4', type: 'DATE', value: '2024-02-29' },
      { name: 'svc_p5', type: 'STRING', value: "'; drop table customers --" },
      { name: 'svc_p6', type: 'BOOLEAN', value: 'true' },
      { name: 'svc_p7', type: 'BIGINT' },
      { name: 'svc_p8', type: 'BIGINT', value: '9007199254740993' },
      { name: 'svc_p9', type: 'DECIMAL(20,0)', value: '12345678901234567890' },
    ]);
    const sent = server.submissions.slice(-2).map((submission) => submission.parameters);
    expect(sent[0]).toEqual(sent[1]);
  });

  it('returns the rows of all chunks in batches of at most 2,000', async () => {
    const sizes: number[] = [];
    const seen: unknown[] = [];
    for await (const { rowCount, columns } of (await execute('select * from many_chunks')).batches) {
      sizes.push(rowCount);
      seen.push(...(columns[0] ?? []));
    }
    expect(seen).toEqual(Array.from({ length: 5_000 }, (_, at) => at));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000);
  });

  it('is explained inside another query before its first run only, and sent without comments', async () => {
    const first = await statementsSince(async () => rowsOf(await execute('select 1 as a -- end')));
    expect(first.slice(-2)).toEqual([
      'explain cost\nselect * from (\nselect 1 as a       \n)',
      'select 1 as a       ',
    ]);
    const again = await statementsSince(async () => rowsOf(await execute('select 1 as a -- end')));
    expect(again).toEqual(['select 1 as a       ']);
    const others = await statementsSince(async () =>
      rowsOf(await execute('select 1 as a -- end', {}, { schema: 'other' })),
    );
    expect(others.filter((sql) => sql.startsWith('explain'))).toHaveLength(1);
    const ended = await statementsSince(async () => rowsOf(await execute('select 2; -- end')));
    expect(ended.slice(-2)).toEqual([
      'explain cost\nselect * from (\nselect 2        \n)',
      'select 2;       ',
    ]);
  });

  it('does not run if its plan contains a write', async () => {
    const sent = await statementsSince(async () => {
      expect(await errorOf(execute('select planned_to_write from t'))).toMatchObject({ code: 'not-a-read' });
    });
    expect(sent).not.toContain('select planned_to_write from t');
  });

  it('fails with the message of the service, its class and its position', async () => {
    const error = await errorOf(execute("select '😀',\n  no_such_column from t"));
    expect(error).toMatchObject({
      code: 'statement-failed',
      engineCode: 'UNRESOLVED_COLUMN.WITHOUT_SUGGESTION',
      position: { line: 2, column: 3 },
      message: expect.stringContaining('with name `no_such_column`'),
    });
    const failed = await errorOf(execute('select\n  failing from t').then(rowsOf));
    expect(failed).toMatchObject({
      code: 'statement-failed',
      engineCode: 'CAST_INVALID_INPUT',
      position: { line: 2, column: 3 },
      message:
        '[CAST_INVALID_INPUT] The value \'x\' of the type "STRING" cannot be cast to "INT" because it is malformed. SQLSTATE: 22018',
    });
    expect(await errorOf(execute('select forbidden from t'))).toMatchObject({
      code: 'permission-denied',
      engineCode: 'INSUFFICIENT_PERMISSIONS',
    });
  });

  it('has a plan with the tables and sizes of its steps, without values', async () => {
    const { plan } = connector.dryRun ?? {};
    const sent = await statementsSince(async () => {
      const rows = await rowsOf(await execute(`${plan?.prefix}select id from orders`));
      const read = plan?.readPlan(rows);
      expect(read).toMatchObject({
        writes: false,
        estimatedCost: 4_096,
        estimatedRows: 150,
        nodes: [
          { depth: 0, label: 'Project', estimatedCost: 4_096 },
          { depth: 1, label: 'Join', estimatedCost: 4_096 },
          { depth: 2, label: 'Filter', estimatedCost: 3_072 },
          { depth: 3, label: 'Relation on shop.sales.orders', estimatedCost: 3_072, estimatedRows: 1_000 },
          { depth: 2, label: 'Relation on shop.sales.customers', estimatedCost: 1_024, estimatedRows: null },
        ],
      });
      expect(JSON.stringify(read)).not.toContain('a value of it');
    });
    expect(sent).not.toContain('select id from orders');
    const prefix = plan?.prefix ?? '';
    const refused = await errorOf(execute(`${prefix}select no_such_column`));
    expect(refused.position).toMatchObject({ offset: prefix.length + 'select '.length });
    expect(await errorOf(execute(`${prefix}delete from t`))).toMatchObject({
      code: 'not-a-read',
      position: { offset: prefix.length },
    });
  });

  it('fails when it reaches a limit', async () => {
    const limited = async (sql: string, change: Partial<ExecuteOptions>) =>
      (await errorOf(execute(sql, change).then(rowsOf))).code;
    expect(await limited('select * from many_chunks', { maxRows: 4_999 })).toBe('too-many-rows');
    expect(await limited('select * from many_chunks', { maxBytes: 20_000 })).toBe('too-many-bytes');
    expect(await limited('select * from many_chunks', { maxBytes: 20_000, maxRows: 4_999 })).toBe(
      'too-many-bytes',
    );
    expect(await limited('select * from too_large', {})).toBe('too-many-bytes');
    expect(await limited('select * from customers', { maxCellBytes: 20 })).toBe('value-too-large');
  });

  it('returns one row more than requested to show that more rows exist', async () => {
    expect(await rowsOf(await execute('select * from many_chunks', { rowsWanted: 150 }))).toHaveLength(151);
    expect(server.submissions.at(-1)).toMatchObject({ row_limit: 151 });
    expect(await rowsOf(await execute('select * from customers', { rowsWanted: 2 }))).toHaveLength(2);
    expect(await rowsOf(await execute('select * from many_chunks', { maxRows: 5_000 }))).toHaveLength(5_000);
  });
});

describe('a running Databricks statement', () => {
  const sql = 'select endless from t';
  const stateRequests = (since: number) =>
    server.asked.slice(since).filter((asked) => /^GET \S+\/statements\/[^/]+$/.test(asked));

  it('is cancelled at the service without a further request for its state, and its session is closed', async () => {
    const controller = new AbortController();
    const before = server.cancelled.size;
    const running = errorOf(execute(sql, { signal: controller.signal }));
    await expect.poll(() => server.submissions.at(-1)?.statement).toBe(sql);
    const askedBefore = server.asked.length;
    controller.abort();
    expect((await running).code).toBe('cancelled');
    await expect.poll(() => server.cancelled.size).toBe(before + 1);
    // One request for the state may already have been sent.
    expect(stateRequests(askedBefore).length).toBeLessThan(2);
    await expect.poll(() => server.openSessions.size).toBe(0);
  });

  it('is cancelled at the service at its time limit', async () => {
    const before = server.cancelled.size;
    expect((await errorOf(execute(sql, { timeoutMs: 900 }))).code).toBe('timed-out');
    await expect.poll(() => server.cancelled.size).toBe(before + 1);
  });

  it('is cancelled even if the service has not yet returned its id', async () => {
    await rowsOf(await execute('select 1'));
    const before = server.cancelled.size;
    const controller = new AbortController();
    const release = server.withhold(sql);
    const running = errorOf(execute(sql, { signal: controller.signal }));
    await expect.poll(() => server.submissions.at(-1)?.statement).toBe(sql);
    controller.abort();
    // The response is still withheld, so the caller does not wait for it.
    expect((await running).code).toBe('cancelled');
    expect(server.cancelled.size).toBe(before);
    release();
    await expect.poll(() => server.cancelled.size).toBe(before + 1);
  });

  it('is not cancelled after its result is available, even if the reader stops early', async () => {
    const before = server.cancelled.size;
    const result = await execute('select * from many_chunks');
    for await (const _batch of result.batches) break;
    await result.close();
    expect(server.cancelled.size).toBe(before);
  });
});

describe('sign-in to Databricks', () => {
  const outcomeOf = async (connection: object) => {
    const test = await connector.testConnection(connectionOf(connection), optionsOf());
    return test.isOk ? test.warnings.map(({ code }) => code) : test.error;
  };

  it('as a service principal requests one token and caches it', async () => {
    const before = server.asked.length;
    expect(await connector.testConnection(connectionOf(), optionsOf())).toEqual({
      isOk: true,
      serverVersion: 'Databricks SQL 2026.30',
      warnings: [],
    });
    await rowsOf(await execute('select 1'));
    const tokens = server.asked.slice(before).filter((asked) => asked === 'POST /oidc/v1/token');
    expect(tokens).toHaveLength(1);
  });

  it('with a personal access token succeeds, and the error for a wrong one does not repeat it', async () => {
    const own = await startDatabricksServer({
      authority,
      answer: shopAnswer,
      accessTokens: { 'pl4nted-t0ken': 'reader' },
    });
    const test = (accessToken: string) =>
      connector.testConnection(
        connectionOf({ signIn: 'AccessToken', accessToken, caCertificate: own.caCertificate }),
        optionsOf({ dial: own.dial }),
      );
    expect(await test('pl4nted-t0ken')).toMatchObject({ isOk: true });
    const refused = await test('an0ther-t0ken');
    expect(refused).toMatchObject({
      isOk: false,
      error: { code: 'authentication-failed', message: 'Invalid access token.' },
    });
    expect(JSON.stringify(refused) + (refused.isOk ? '' : refused.error.message)).not.toContain('t0ken');
    expect(own.asked).not.toContain('POST /oidc/v1/token');
    await own.stop();
  });

  it('is refused with a wrong secret of the service principal', async () => {
    expect(await outcomeOf({ clientSecret: 'an0ther-s3cret' })).toMatchObject({
      code: 'authentication-failed',
      message: expect.stringContaining('Client authentication failed'),
    });
  });

  it.each([
    ['writer', 'MODIFY on table'],
    ['maker', 'CREATE TABLE on schema'],
    ['manager', 'MANAGE on catalog'],
    ['everything', 'ALL PRIVILEGES on catalog'],
    ['owner', 'OWNERSHIP on schema'],
    ['uploader', 'WRITE VOLUME on volume'],
    ['admin', 'it administers the workspace'],
  ])('is refused as %s, a user with write rights, unless this is accepted', async (user, right) => {
    const login = server.as(user);
    const error = (await outcomeOf(login)) as ConnectorError;
    expect(error).toMatchObject({ code: 'login-may-write', message: expect.stringContaining(right) });
    expect(await errorOf(execute('select 1', {}, login))).toMatchObject({ code: 'login-may-write' });
    const accepted = { ...login, acceptWritingLogin: true };
    expect(await outcomeOf(accepted)).toEqual([user === 'admin' ? 'superuser' : 'may-write']);
    expect(await rowsOf(await execute('select 1', {}, accepted))).toHaveLength(1);
  });

  it('reports write rights through noteLogin, instead of a refusal, if the caller passes it', async () => {
    const told: boolean[] = [];
    const noteLogin = (isPrivileged: boolean) => void told.push(isPrivileged);
    await rowsOf(await execute('select 1', { noteLogin }, server.as('writer')));
    await rowsOf(await execute('select 1', { noteLogin }));
    expect(told).toEqual([true, false]);
  });

  it('checks the login once for repeated runs, and separately for each login', async () => {
    const isLogin = (sql: string) => sql.includes('_privileges') || sql.includes('current_version');
    const first = await statementsSince(async () => rowsOf(await execute('select 1')));
    const second = await statementsSince(async () => rowsOf(await execute('select 2')));
    const other = await statementsSince(async () =>
      rowsOf(await execute('select 1', {}, server.as('other'))),
    );
    expect(first.filter(isLogin)).toHaveLength(2);
    expect(second.filter(isLogin)).toEqual([]);
    expect(other.filter(isLogin)).toHaveLength(2);
  });

  it.each([
    [{ warehouseId: '0000' }, 'connection-failed', 'SQL warehouse 0000 does not exist'],
    [{ catalog: 'gone' }, 'database-not-found', 'There is no catalog gone'],
  ])('reports a missing object: %j', async (change, code, words) => {
    expect(await outcomeOf(change)).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it('is refused if the warehouse uses its own time zone', async () => {
    expect(await outcomeOf(server.as('elsewhere'))).toMatchObject({
      code: 'connection-failed',
      message: expect.stringContaining('Europe/Berlin'),
    });
  });
});

describe('the Databricks service', () => {
  it('receives the request again after 503 and 429', async () => {
    await rowsOf(await execute('select 1'));
    const before = server.asked.length;
    server.failNext(503, 429);
    expect(await rowsOf(await execute('select 1'))).toHaveLength(1);
    const opened = server.asked.slice(before).filter((asked) => asked === 'POST /api/2.0/sql/sessions');
    expect(opened).toHaveLength(3);
  });

  it.each([
    [401, 'authentication-failed'],
    [403, 'connection-failed'],
    [404, 'connection-failed'],
    [500, 'statement-failed'],
  ])('with the status %i and no message is reported as %s', async (status, code) => {
    await rowsOf(await execute('select 1'));
    server.failNext(status);
    expect((await errorOf(execute('select 1'))).code).toBe(code);
  });

  it('receives a new token in the next run after it refuses a token', async () => {
    await rowsOf(await execute('select 1'));
    server.failNext(401);
    await errorOf(execute('select 1'));
    const before = server.asked.length;
    expect(await rowsOf(await execute('select 1'))).toHaveLength(1);
    expect(server.asked.slice(before)).toContain('POST /oidc/v1/token');
  });

  it('is refused if its certificate is untrusted or issued for another host', async () => {
    const untrusted = { ...server.connection, caCertificate: undefined };
    expect(await connector.testConnection(connector.settings.parse(untrusted), optionsOf())).toMatchObject({
      isOk: false,
      error: { code: 'tls-failed' },
    });
    const misnamed = connectionOf({ host: 'elsewhere.databricks.test' });
    const dial: ExecuteOptions['dial'] = (_target, options) =>
      server.dial({ host: server.host, port: server.port }, options);
    expect(await connector.testConnection(misnamed, optionsOf({ dial }))).toMatchObject({
      isOk: false,
      error: { code: 'tls-failed' },
    });
  });
});

describe('Databricks metadata', () => {
  it('contains schemas, tables, columns and keys as in the catalog', async () => {
    const { dial, signal, timeoutMs } = optionsOf();
    const metadata = await connector.readMetadata(connectionOf(), { dial, signal, timeoutMs });
    expect(metadata).toMatchObject({
      schemas: ['default', 'sales'],
      areTablesCut: false,
      areColumnsCut: false,
    });
    expect(metadata.tables).toMatchObject([
      {
        schema: 'default',
        name: 'recent orders',
        type: 'View',
        columns: [{ databaseType: 'struct<eMail:string,n:int>' }],
      },
      {
        schema: 'sales',
        name: 'customers',
        type: 'Table',
        comment: 'Who buys',
        primaryKey: ['id'],
        columns: [
          { name: 'id', databaseType: 'BIGINT', isNullable: false, comment: 'Its number' },
          { name: 'email', databaseType: 'VARCHAR(200)', isNullable: true },
        ],
      },
      {
        name: 'orders',
        primaryKey: ['id', 'line'],
        foreignKeys: [
          {
            name: 'orders_customer_fk',
            columns: ['customer_id'],
            toSchema: 'sales',
            toTable: 'customers',
            toColumns: ['id'],
          },
        ],
        columns: [{}, {}, {}, { databaseType: 'TIMESTAMP_NTZ', defaultValue: 'current_timestamp()' }],
      },
    ]);
  });

  it('omits excluded objects and reports whether a limit was reached', async () => {
    const { dial, signal, timeoutMs } = optionsOf();
    const read = (change: object) =>
      connector.readMetadata(connectionOf(), { dial, signal, timeoutMs, ...change });
    expect((await read({ excludeSchemas: ['SALES'] })).tables.map(({ name }) => name)).toEqual([
      'recent orders',
    ]);
    expect(await read({ maxTables: 1, tableNamesOnly: true })).toMatchObject({
      areTablesCut: true,
      tables: [{ name: 'recent orders', columns: [], primaryKey: [] }],
    });
    expect(await read({ maxColumnsPerTable: 1 })).toMatchObject({ areColumnsCut: true });
  });
});
