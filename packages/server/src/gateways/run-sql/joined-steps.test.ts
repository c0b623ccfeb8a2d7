import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createConnectors } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunSql, type RunRequest, type RunResult, type RunSql, type RunStep } from './index.ts';
import { httpRefusalOf } from './problem.ts';
import { refusalOf, rowsOf } from './testing/results.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-join-test-'));
const file = path.join(folder, 'shop.db');
const connectors = createConnectors({ files: { allowedFolders: [folder] } });
const signal = new AbortController().signal;
let database: TestDatabase;
let runSql: RunSql;

beforeAll(async () => {
  database = await createEmptyDatabase();
  runSql = createRunSql({ connectors, dial: databaseDial(database.connection) });
  const shop = new DatabaseSync(file);
  shop.exec(
    "create table customer (id integer, name text); insert into customer values (1, 'Ann'), (2, 'Bob')",
  );
  shop.close();
});

afterAll(async () => {
  await connectors.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const postgres = (order: number, sql: string, name: string | null = null): RunStep => ({
  order,
  name,
  sql,
  dataSource: {
    id: 'pg',
    engine: 'PostgreSQL',
    connection: { ...database.connection, host: testHost, tlsMode: 'Disable' },
  },
});
const sqlite = (order: number, sql: string, name: string | null = null): RunStep => ({
  order,
  name,
  sql,
  dataSource: { id: 'file', engine: 'SQLite', connection: { file } },
});
const run = (
  steps: RunStep[],
  finalQuery: string | null,
  change: Partial<RunRequest> = {},
): Promise<RunResult> => runSql.run({ steps, finalQuery, signal, masking: { isEnabled: false }, ...change });

describe('queries of several steps', () => {
  it('retain the names that a step gives to its columns', async () => {
    const steps = [postgres(1, 'select 1 a, 2 a, 3 a_2, 4 "A_3"'), sqlite(2, 'select 1 as one')];
    expect(await rowsOf(await run(steps, 'select a, a_2, a_3, a_4 from step1, step2'))).toEqual([
      [1, 3, 4, 2],
    ]);
  });

  it('join across sources, by step number and by step name', async () => {
    const orders =
      'select * from (values (1, 10.50::numeric(10, 2)), (1, 0.10), (2, 7)) as o (customer, amount)';
    const result = await run(
      [postgres(1, orders), sqlite(2, 'select id, name from customer', 'All customers')],
      'select name, sum(amount) as total from step1 join "all customers" c on c.id = customer group by name order by 1',
      { stepPreviewRows: 1 },
    );
    expect(await rowsOf(result)).toEqual([
      ['Ann', '10.60'],
      ['Bob', '7.00'],
    ]);
    expect(result.columns.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['name text', 'total decimal']);
    expect((await result.finished).stepResults).toMatchObject([
      {
        order: 1,
        name: 'step1',
        outcome: 'Succeeded',
        rowCount: 3,
        preview: { rows: { rowCount: 1, columns: [[1], ['10.50']] } },
      },
      { order: 2, name: 'All customers', outcome: 'Succeeded', rowCount: 2 },
    ]);
  });

  it('retain the types of every kind of value', async () => {
    const kinds = `select true as b, 9223372036854775807::int8 as i, 12345678901234567890.123::numeric as d, 0.1::float8 as f,
      date '2024-02-29' as day, timestamp '2024-02-29 12:30:00.5' as moment, timestamptz '2024-02-29 12:30:00+02' as tz,
      '{"a":1}'::jsonb as j, '\\x00ff'::bytea as bytes, 'é🙂' as t, gen_random_uuid() as u, null::int as n`;
    const result = await run(
      [postgres(1, kinds)],
      `select b, i, d, f, day + 1 as day, moment, tz + interval 1 hour as tz, j->>'a' as j, bytes, t, typeof(u) as u, n from step1`,
    );
    expect(await rowsOf(result)).toEqual([
      [
        true,
        '9223372036854775807',
        '12345678901234567890.123',
        0.1,
        '2024-03-01',
        '2024-02-29T12:30:00.5',
        '2024-02-29T11:30:00Z',
        '1',
        '00ff',
        'é🙂',
        'UUID',
        null,
      ],
    ]);
  });

  const oneRow = sqlite(2, 'select 1 as one');

  it.each([
    [
      `select date '0044-03-15 BC' v, date '2024-03-15' e`,
      "v, e, date_diff('year', v, e) as years",
      ['0044-03-15 BC', '2024-03-15', 2067],
    ],
    [
      `select timestamp '0044-03-15 01:02:03.5 BC' v, timestamptz '0044-03-15 01:02:03+00 BC' w`,
      'v, w',
      ['0044-03-15 01:02:03.5 BC', '0044-03-15 01:02:03+00 BC'],
    ],
    [`select date 'infinity' v, timestamptz '-infinity' w`, 'v, w', ['infinity', '-infinity']],
    [
      "select v from (values (1234567890123456.7891::numeric(20,4)),('NaN')) t(v)",
      'v',
      ['1234567890123456.7891'],
    ],
    [
      'select 12345678901234567890.123456789012345678901234567890::numeric v',
      'v',
      ['12345678901234567890.123456789012345678901234567890'],
    ],
    [`select 'NaN'::float8 v, '-Infinity'::float8 w`, 'v, w', ['NaN', '-Infinity']],
    [`select '24:00:00'::time v, '12:00:00.5+14:30'::timetz w`, 'v, w', ['24:00:00', '12:00:00.5+14:30']],
    ['select (-2147483648)::int v, 2147483647::int w', 'v, w', [-2_147_483_648, 2_147_483_647]],
  ] as const)('change no value of %s', async (sql, selected, expected) => {
    const result = await run([postgres(1, sql), oneRow], `select ${selected} from step1, step2`);
    expect(
      (await rowsOf(result))[0]?.map((cell, at) =>
        typeof expected[at] === 'number' ? Number(cell) : String(cell),
      ),
    ).toEqual(expected);
  });

  it('return integers of SQLite as texts of any size, as a single step does', async () => {
    const steps = [
      sqlite(1, 'select max(id) + 9007199254740993 as big, id from customer'),
      postgres(2, 'select 1'),
    ];
    expect(await rowsOf(await run(steps, 'select big, id from step1'))).toEqual([['9007199254740995', '2']]);
  });

  it('refuse a value that cannot be represented, and name step, column and row', async () => {
    const rows =
      "select v from (values (date '2024-01-01'), (date '2024-01-02'), (date '5874897-12-31' )) t(v)";
    const dates = await run([postgres(1, rows), oneRow], 'select count(*) as n from step1, step2');
    expect(await rowsOf(dates)).toEqual([['3']]);
    const instants = "select v from (values (timestamp '2024-01-01'), (timestamp '294276-01-01')) t(v)";
    const refusal = await refusalOf(
      run([postgres(1, instants), oneRow], 'select v from step1, step2').then(rowsOf),
    );
    expect(refusal).toMatchObject({
      stepOrder: 1,
      message: expect.stringContaining('Row 2 has a value in the column v'),
    });
    expect(refusal.message).not.toContain('294276');
  });

  it('state why a column is text if the final query uses it as a number', async () => {
    const nan = "select v from (values (1.5::numeric), ('NaN')) t(v)";
    const refusal = await refusalOf(
      run([postgres(1, nan), oneRow], 'select sum(v) from step1, step2').then(rowsOf),
    );
    expect(refusal.message).toContain('The column v of step1 is text here: it has NaN');
  });

  it('accept several semicolons at the end of the statement of every step', async () => {
    const steps = [sqlite(1, 'select name from customer;;'), sqlite(2, 'select 1 as one ; ; -- end')];
    expect(await rowsOf(await run(steps, 'select count(*) from step1, step2;;'))).toEqual([['2']]);
  });

  it('retain the columns of a step without rows', async () => {
    const result = await run(
      [
        postgres(1, 'select 1 as id, now() as at where false'),
        sqlite(2, 'select id, name from customer where false'),
      ],
      'select a.id, a.at, b.name from step1 a full join step2 b using (id)',
    );
    expect(result.columns.map(({ kind }) => kind)).toEqual(['integer', 'timestamptz', 'text']);
    expect(await rowsOf(result)).toEqual([]);
  });

  it('without a final query return the rows of the last step, and run the others', async () => {
    const result = await run([sqlite(2, 'select name from customer'), postgres(1, 'select 1')], null);
    expect(await rowsOf(result)).toEqual([['Ann'], ['Bob']]);
    expect((await result.finished).stepResults).toMatchObject([{ rowCount: 1 }, { rowCount: 2 }]);
  });

  it('stop at the first step that fails, and name it', async () => {
    const refusal = await refusalOf(
      run([postgres(1, 'select 1'), sqlite(2, 'select nope'), postgres(3, 'select 1')], 'from step1'),
    );
    expect(refusal).toMatchObject({
      code: 'statement-failed',
      stepOrder: 2,
      stepResults: [{ outcome: 'Succeeded' }, { outcome: 'Failed' }, { outcome: 'NotRun' }],
    });
  });

  it('bind parameters in every step and in the final query', async () => {
    const parameters = { declared: [{ name: 'x', type: 'Number' as const }], values: { x: 2 } };
    const steps = [postgres(1, 'select {{x}} as a'), sqlite(2, 'select name from customer where id = {{x}}')];
    const result = await run(steps, 'select a + {{x}}, name from step1, step2 limit {{x}}', { parameters });
    expect(await rowsOf(result)).toEqual([['4', 'Bob']]);
  });

  it('process more rows than one batch contains, and return a large result', async () => {
    const result = await run(
      [postgres(1, "select i, 'row ' || i as t from generate_series(1, 300000) as g (i)")],
      'select a.i, a.t from step1 a join step1 b using (i)',
    );
    let count = 0;
    for await (const batch of result.batches) count += batch.rowCount;
    expect(count).toBe(300_000);
  });

  it('refuse a final query that is not a single read or accesses anything outside the steps', async () => {
    const final = (sql: string) => refusalOf(run([postgres(1, 'select 1 as a')], sql));
    for (const sql of [
      'drop table step1',
      "copy step1 to '/tmp/x.csv'",
      'select 1; select 2',
      "select * from read_csv('/etc/passwd')",
      "from '/etc/passwd'",
      'set threads = 1',
      "attach '/tmp/x.db'",
    ]) {
      expect(httpRefusalOf(await final(sql)).status, sql).toBe(400);
    }
    expect(await final('select a,\n nope from step1')).toMatchObject({ position: { line: 2, column: 2 } });
  });

  it('refuse duplicate order numbers and names', async () => {
    expect(await refusalOf(run([postgres(1, 'select 1'), postgres(1, 'select 2')], null))).toMatchObject({
      code: 'invalid-steps',
    });
    expect(
      await refusalOf(run([postgres(1, 'select 1', 'Step2'), postgres(2, 'select 2')], null)),
    ).toMatchObject({
      code: 'invalid-steps',
    });
  });

  it('end a long final query within their time limit', async () => {
    const long = 'select count(*) from step1 a, step1 b, step1 c where a.i + b.i + c.i = -1';
    const steps = [postgres(1, 'select i from generate_series(1, 20000) as g (i)')];
    expect(await refusalOf(run(steps, long, { limits: { timeoutMs: 1_500 } }).then(rowsOf))).toMatchObject({
      code: 'timed-out',
    });
  });
});

describe('text that cannot be stored', () => {
  const nul = "select id, name || char(0) || 'x' as name from customer";
  it('is replaced in the rows of a step and counted, in the result and in the preview', async () => {
    const result = await run([sqlite(1, nul)], null, { stepPreviewRows: 5 });
    expect(await rowsOf(result)).toEqual([
      ['1', 'Ann\ufffdx'],
      ['2', 'Bob\ufffdx'],
    ]);
    const { repairedCount, isComplete, stepResults } = await result.finished;
    expect({ repairedCount, isComplete }).toEqual({ repairedCount: 2, isComplete: true });
    expect(stepResults[0]?.preview?.rows.columns[1]).toEqual(['Ann\ufffdx', 'Bob\ufffdx']);
  });

  it('is replaced in joined rows, in their preview and in the result of the final query', async () => {
    const steps = [sqlite(1, nul, 'people'), postgres(2, 'select 1 as customer')];
    const final = "select name, chr(0) || 'y' as y from people join step2 on customer = id";
    const result = await run(steps, final, { stepPreviewRows: 5 });
    expect(await rowsOf(result)).toEqual([['Ann\ufffdx', '\ufffdy']]);
    const { repairedCount, stepResults } = await result.finished;
    expect(repairedCount).toBe(3);
    expect(stepResults[0]?.preview?.rows.columns[1]).toEqual(['Ann\ufffdx', 'Bob\ufffdx']);
  });
});
