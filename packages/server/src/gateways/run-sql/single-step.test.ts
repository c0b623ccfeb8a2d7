import { createConnectors } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunSql, type RunRequest, type RunResult, type RunSql } from './index.ts';
import { refusalOf, rowsOf } from './testing/results.ts';

let database: TestDatabase;
let runSql: RunSql;
const connectors = createConnectors();

beforeAll(async () => {
  database = await createEmptyDatabase();
  runSql = createRunSql({ connectors, dial: databaseDial(database.connection), limits: { queueMax: 0 } });
});

afterAll(async () => {
  await connectors.close();
  await database.drop();
});

const signal = new AbortController().signal;

function run(sql: string, change: Partial<RunRequest> = {}): Promise<RunResult> {
  const connection = { ...database.connection, host: testHost, tlsMode: 'Disable' };
  const dataSource = { id: 'source-1', engine: 'PostgreSQL', connection };
  return runSql.run({
    steps: [{ order: 1, dataSource, sql }],
    signal,
    masking: { isEnabled: false },
    ...change,
  });
}

describe('a query of a single step', () => {
  it('streams its rows and reports its outcome', async () => {
    const result = await run('select i, i as i from generate_series(1, 5000) as g (i)');
    expect(result.columns).toEqual([
      { name: 'i', kind: 'integer', databaseType: 'integer' },
      { name: 'i_2', kind: 'integer', databaseType: 'integer' },
    ]);
    expect((await rowsOf(result)).length).toBe(5000);
    expect(await result.finished).toMatchObject({
      rowCount: 5000,
      timedOut: false,
      isComplete: true,
      error: null,
      stepResults: [
        { order: 1, name: 'step1', dataSourceId: 'source-1', outcome: 'Succeeded', rowCount: 5000 },
      ],
    });
  });

  it.each(['select 1 as a;;', 'select 1 as a ; ;', 'select 1 as a; -- end\n;', 'select 1 as a; /* ; */ ;;'])(
    'runs %s, whose further statements are empty',
    async (sql) => {
      expect(await rowsOf(await run(sql))).toEqual([[1]]);
      expect((await refusalOf(run(`${sql} select 2`))).code).toBe('more-than-one-statement');
    },
  );

  it('gives every name in the statement to its own column, and numbers the duplicates', async () => {
    const result = await run('select 1 a, 2 a, 3 a_2, 4 as "A", 5, 6');
    const names = result.columns.map(({ name }) => name);
    const [row = []] = await rowsOf(result);
    expect(Object.fromEntries(names.map((name, index) => [name, row[index]]))).toEqual({
      a: 1,
      a_3: 2,
      a_2: 3,
      A: 4,
      '?column?': 5,
      '?column?_2': 6,
    });
  });

  it('names the setting if the result exceeds the limit of rows', async () => {
    const refusal = await refusalOf(
      run('select * from generate_series(1, 100)', { limits: { maxRows: 99 } }).then(rowsOf),
    );
    expect(refusal).toMatchObject({ code: 'too-many-rows', stepOrder: 1 });
    expect(refusal.message).toContain('Svc:Query:MaxExecutionRows');
  });

  it('reports a run that exceeds its time limit', async () => {
    const refusal = await refusalOf(run('select pg_sleep(10)', { limits: { timeoutMs: 200 } }));
    expect(refusal).toMatchObject({
      code: 'timed-out',
      message: 'The run took longer than its limit of 200 ms.',
      stepResults: [{ outcome: 'Failed' }],
    });
  });

  it('releases its slot, regardless of how it ends', async () => {
    for (let turn = 0; turn < 6; turn++) {
      const walked = await run('select 1', { callerId: 'caller' });
      for await (const _ of walked.batches) break;
      const closed = await run('select 1', { callerId: 'caller' });
      await closed.close();
      expect(await closed.finished).toMatchObject({ isComplete: false, error: null });
      await refusalOf(run('select nothing', { callerId: 'caller' }));
    }
  });

  it('is refused with too-many-runs if its caller already has four runs', async () => {
    const running = await Promise.all([1, 2, 3, 4].map(() => run('select 1', { callerId: 'busy' })));
    expect(await refusalOf(run('select 1', { callerId: 'busy' }))).toMatchObject({
      code: 'too-many-runs',
      retryAfterSeconds: 10,
    });
    await Promise.all(running.map((result) => result.close()));
  });
});

describe('the wait for a run slot', () => {
  it('counts towards the time limit', async () => {
    const gateway = createRunSql({
      connectors,
      dial: databaseDial(database.connection),
      limits: { perCaller: 1 },
    });
    const connection = { ...database.connection, host: testHost, tlsMode: 'Disable' };
    const steps = [{ order: 1, dataSource: { id: 'x', engine: 'PostgreSQL', connection }, sql: 'select 1' }];
    const request = { steps, signal, masking: { isEnabled: false }, callerId: 'a' };
    const first = await gateway.run(request);
    expect(await refusalOf(gateway.run({ ...request, limits: { timeoutMs: 50 } }))).toMatchObject({
      code: 'timed-out',
      message: 'The run took longer than its limit of 50 ms.',
    });
    await first.close();
  });
});

describe('parameters', () => {
  const declared = [
    { name: 'name', type: 'String' as const },
    { name: 'least', type: 'Number' as const, defaultValue: 10 },
    { name: 'day', type: 'Date' as const, isRequired: false },
  ];

  it('are bound as values, use their defaults, and are NULL if they are optional', async () => {
    const sql =
      "select {{name}}::text || '{' as a, {{ least }} + 1 as b, {{day}} is null as c, {{name}}::text as d";
    const result = await run(sql, { parameters: { declared, values: { name: "O'Brien; --" } } });
    expect(await rowsOf(result)).toEqual([["O'Brien; --{", 11, true, "O'Brien; --"]]);
  });

  it('are refused if they are missing, unknown, of another type or inside quotes', async () => {
    const attempt = (sql: string, values: Record<string, unknown>) =>
      refusalOf(run(sql, { parameters: { declared, values } }));
    expect(await attempt('select {{name}}', {})).toMatchObject({ code: 'missing-parameter' });
    expect(await attempt('select 1', { name: 'x', other: 1 })).toMatchObject({ code: 'unknown-parameter' });
    expect(await attempt('select {{other}}', { name: 'x' })).toMatchObject({
      code: 'unknown-parameter',
      position: { offset: 7 },
    });
    expect(await attempt('select 1', { name: 'x', least: 'many' })).toMatchObject({
      code: 'invalid-parameter',
    });
    expect(await attempt('select 1', { name: 'x', day: '2023-02-29' })).toMatchObject({
      code: 'invalid-parameter',
    });
    expect(await attempt("select 'Hello {{name}}'", { name: 'x' })).toMatchObject({
      code: 'misplaced-parameter',
      position: { offset: 14 },
      message: expect.stringContaining('write {{{{name}}}}'),
    });
    expect(await attempt("select '{{{{name}}'", { name: 'x' })).toMatchObject({
      code: 'misplaced-parameter',
    });
    expect(await attempt('select "{{name}}"', { name: 'x' })).toMatchObject({ code: 'misplaced-parameter' });
    expect(await attempt('select $1', { name: 'x' })).toMatchObject({ code: 'misplaced-parameter' });
  });

  it('are literal text where doubled braces appear inside quotes', async () => {
    const sql = `select 'Hello {{{{name}}}}, {{{{ other }}}}' as a, {{name}}::text as b, '{{ a b }}' as "{{{{c}}}}"`;
    const result = await run(sql, { parameters: { declared, values: { name: 'x' } } });
    expect(result.columns.map(({ name }) => name)).toEqual(['a', 'b', '{{c}}']);
    expect(await rowsOf(result)).toEqual([['Hello {{name}}, {{ other }}', 'x', '{{ a b }}']]);
    const faulty = await refusalOf(run("select '{{{{a}}}}', '{{{{b}}}}', missing_column"));
    expect(faulty).toMatchObject({ code: 'statement-failed', position: { offset: 33 } });
  });

  it('are ignored in comments, and positions of errors refer to the original text', async () => {
    const sql = 'select {{name}} -- {{gone}}\n, {{least}} /* {{gone}} */, missing_column';
    const refusal = await refusalOf(run(sql, { parameters: { declared, values: { name: 'x' } } }));
    expect(refusal).toMatchObject({ code: 'statement-failed', position: { line: 2, column: 29 } });
  });
});

describe('other calls of the module', () => {
  it('test a connection and warn of a role that can write', async () => {
    const connection = { ...database.connection, host: testHost, tlsMode: 'Disable' };
    const outcome = await runSql.testConnection({ engine: 'PostgreSQL', connection }, { signal });
    expect(outcome).toMatchObject({
      isOk: true,
      warnings: [{ code: 'may-write' }, { code: 'not-encrypted' }],
    });
    const admin = {
      ...connection,
      ...database.adminConnection,
      host: testHost,
      acceptPrivilegedLogin: true,
    };
    expect(
      await runSql.testConnection({ engine: 'PostgreSQL', connection: admin }, { signal }),
    ).toMatchObject({
      warnings: [{ code: 'superuser' }, { code: 'not-encrypted' }],
    });
    const wrong = { engine: 'PostgreSQL', connection: { ...connection, password: 'no' } };
    expect(await runSql.testConnection(wrong, { signal })).toMatchObject({
      isOk: false,
      error: { code: 'authentication-failed' },
    });
    const unknown = {
      engine: 'PostgreSQL',
      connection: { ...connection, host: '/var/run/postgresql', extra: 1 },
    };
    expect(await runSql.testConnection(unknown, { signal })).toMatchObject({
      error: { code: 'invalid-settings' },
    });
  });

  it('read metadata with keys, indexes and comments, within the limits and the selected schemas', async () => {
    const client = new pg.Client(database.connection);
    await client.connect();
    await client.query(`
      create schema sales;
      create schema secret;
      create table secret.hidden (id int);
      create table sales.customer (id int primary key, email text not null default 'none', gone int);
      alter table sales.customer drop column gone;
      comment on table sales.customer is 'People who buy';
      comment on column sales.customer.email is 'Where to write to';
      create table sales."Order" (a int, b int, customer_id int constraint to_customer references sales.customer,
        unique (a, b));
      create index on sales."Order" (lower(b::text), a);
      create view sales.big as select * from sales."Order"`);
    await client.end();
    const connection = { ...database.connection, host: testHost, tlsMode: 'Disable' };
    const target = { id: 'meta', engine: 'PostgreSQL', connection };
    const metadata = await runSql.readMetadata(target, { signal, excludeSchemas: ['SECRET'] });
    expect(metadata.schemas).toEqual(['public', 'sales']);
    expect(metadata.tables.map((table) => `${table.schema}.${table.name} ${table.type}`)).toEqual([
      'sales.Order Table',
      'sales.big View',
      'sales.customer Table',
    ]);
    expect(metadata.tables[2]).toEqual({
      schema: 'sales',
      name: 'customer',
      type: 'Table',
      comment: 'People who buy',
      columns: [
        { name: 'id', databaseType: 'integer', isNullable: false, defaultValue: null, comment: null },
        {
          name: 'email',
          databaseType: 'text',
          isNullable: false,
          defaultValue: "'none'::text",
          comment: 'Where to write to',
        },
      ],
      primaryKey: ['id'],
      foreignKeys: [],
      indexes: [{ name: 'customer_pkey', isUnique: true, isPrimary: true, columns: ['id'] }],
    });
    expect(metadata.tables[0]).toMatchObject({
      foreignKeys: [
        {
          name: 'to_customer',
          columns: ['customer_id'],
          toSchema: 'sales',
          toTable: 'customer',
          toColumns: ['id'],
        },
      ],
      indexes: [
        { isUnique: true, isPrimary: false, columns: ['a', 'b'] },
        { isUnique: false, columns: ['lower(b::text)', 'a'] },
      ],
    });
    const cut = await runSql.readMetadata(target, {
      signal,
      includeSchemas: ['Sales'],
      maxTables: 2,
      maxColumnsPerTable: 1,
    });
    expect(cut).toMatchObject({ areTablesCut: true, areColumnsCut: true, schemas: ['sales'] });
    expect(cut.tables.map((table) => table.columns.length)).toEqual([1, 1]);
  });
});
