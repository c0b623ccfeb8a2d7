import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createConnectors } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunSql, type RunRequest, type RunSql, type RunStep } from '../index.ts';
import { rowsOf } from '../testing/results.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-masking-test-'));
const file = path.join(folder, 'people.db');
const connectors = createConnectors({ files: { allowedFolders: [folder] } });
const schema = `create table people (id int, name text, email text, address text);
  insert into people values (1, 'Ann', 'ann@example.com', '1 Main Street'), (2, 'Bob', null, 'b')`;
let database: TestDatabase;
let runSql: RunSql;

beforeAll(async () => {
  database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(schema);
  await client.end();
  runSql = createRunSql({ connectors, dial: databaseDial(database.connection) });
  const people = new DatabaseSync(file);
  people.exec(schema);
  people.close();
});

afterAll(async () => {
  await connectors.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const postgres = (sql: string, order = 1): RunStep => ({
  order,
  sql,
  dataSource: {
    id: 'pg',
    engine: 'PostgreSQL',
    connection: { ...database.connection, host: testHost, tlsMode: 'Disable' },
  },
});
const sqlite = (sql: string, order = 1): RunStep => ({
  order,
  sql,
  dataSource: { id: 'file', engine: 'SQLite', connection: { file } },
});

async function run(steps: RunStep[], change: Partial<RunRequest> = {}) {
  const signal = new AbortController().signal;
  const result = await runSql.run({ steps, signal, masking: { isEnabled: true }, ...change });
  const rows = await rowsOf(result);
  return { rows, columns: result.columns, finished: await result.finished };
}

describe('a masked run', () => {
  it.each([
    ['PostgreSQL', postgres],
    ['SQLite', sqlite],
  ] as const)('of %s finds personal columns under other names', async (_engine, step) => {
    const sql = `select id as a, email as b, x.c, upper(x.c) as d from
      (select id, email, address as c from people) as x order by id`;
    const { rows, finished, columns } = await run([step(sql)]);
    // An integer of SQLite is text: its columns have up to 64 bits.
    expect(rows.map(([id, ...others]) => [String(id), ...others])).toEqual([
      ['1', 'a***m', '1***t', '1***T'],
      ['2', null, '***', '***'],
    ]);
    expect(finished.maskedColumns).toEqual(['b', 'c', 'd']);
    expect(columns.map(({ kind }) => kind)).toEqual(['integer', 'text', 'text', 'text']);
  });

  it.each([
    ['a table', postgres, 'select t.v from people t (id, n, e, v) where t.id = 1'],
    ['VALUES', postgres, 'select x.column1 as v from people, lateral (values (address)) x where id = 1'],
    ['an array', postgres, 'select x.v from people p, unnest(array[p.address]) x(v) where id = 1'],
    [
      'an object',
      postgres,
      "select value as v from people p, json_each_text(to_json(p)) where id = 1 and key = 'address'",
    ],
    [
      'an array of SQLite',
      sqlite,
      'select value as v from people, json_each(json_array(address)) where people.id = 1',
    ],
  ] as const)('finds personal data under the names that FROM gives to %s', async (_what, step, sql) => {
    const { rows, finished } = await run([step(sql)]);
    expect(rows).toEqual([['1***t']]);
    expect(finished.maskedColumns).toEqual(['v']);
  });

  it('leaves counts and columns without personal data clear', async () => {
    const { rows, finished } = await run([
      postgres(
        'select name, count(email) as n from people where address is not null group by name order by name',
      ),
    ]);
    expect(rows).toEqual([
      ['Ann', '1'],
      ['Bob', '0'],
    ]);
    expect(finished.maskedColumns).toEqual([]);
  });

  it('masks values by their form, and rows used as values entirely', async () => {
    const { rows } = await run([
      postgres(
        "select 'mail ann@example.com' as note, p as row_of_it, p::text as as_text from people p where id = 1",
      ),
    ]);
    expect(rows).toEqual([['m***m', '(***)', '(***)']]);
  });

  it('joins by the true values and masks the result', async () => {
    const { rows, finished } = await run(
      [
        postgres('select id, email as contact from people'),
        sqlite('select id as other, email from people', 2),
      ],
      {
        finalQuery:
          'select step1.id, contact, upper(contact) as loud from step1 join step2 on step1.contact = step2.email',
        stepPreviewRows: 5,
      },
    );
    expect(rows).toEqual([[1, 'a***m', 'A***M']]);
    expect(finished.stepResults[0]?.preview?.rows.columns[1]).toEqual(['a***m', null]);
  });

  it('masks everything if a pattern of the operator is invalid', async () => {
    const { rows } = await run([postgres("select 'hello' as word, 12345 as n")], {
      masking: { isEnabled: true, customPatterns: ['(broken'] },
    });
    expect(rows).toEqual([['h***o', '1***5']]);
  });

  it('returns everything unmasked if masking is off', async () => {
    const { rows } = await run([postgres('select email from people where id = 1')], {
      masking: { isEnabled: false },
    });
    expect(rows).toEqual([['ann@example.com']]);
  });
});
