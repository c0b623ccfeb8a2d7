import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { writeXlsx } from 'hucre/xlsx';
import { expect } from 'vitest';
import { type ScenarioContext, scenario } from '../support/scenario.ts';

const queries = '/svc/api/queries';
type Answer = {
  readonly columns: readonly { readonly name: string; readonly databaseType: string }[];
  readonly rows: readonly (readonly unknown[])[];
};
const preview = async (root: HttpClient, id: number, options = '') => {
  const answer = await root.post(`${queries}/${id}/preview${options}`, {});
  expect(answer.status, answer.text).toBe(200);
  return { ...answer.read<Answer>(), text: answer.text };
};

scenario(
  ['RT-4.3-1301', 'RT-4.3-1302', 'RT-4.3-1303', 'RT-4.3-1304', 'RT-4.3-1305'],
  'each column has one JSON type, and numbers preserve all digits',
  async ({ deliver }) => {
    const { root, source, addQuery } = await deliver();
    await source.sql("create type mood as enum ('ok')");
    const statement = `select b, n, i, m, r, a from (values
      (1::bigint, 1.10::numeric(10, 2), 7, 'ok'::mood, '[1,10)'::int4range, array['2020-01-01'::date]),
      (9223372036854775807, 12345678.90, null, null, null, null)) t (b, n, i, m, r, a)`;
    const id = await addQuery(statement, 'Values');
    const texts = await preview(root, id);
    expect(texts.rows).toEqual([
      ['1', '1.10', 7, 'ok', '[1,10)', '{2020-01-01}'],
      ['9223372036854775807', '12345678.90', null, null, null, null],
    ]);
    expect(texts.columns.map(({ databaseType }) => databaseType)).toEqual([
      'bigint',
      'numeric',
      'integer',
      'mood',
      'int4range',
      'date[]',
    ]);
    const kept = { queryId: id, recipientIds: [], createTasks: true, storeResults: true };
    const run = await runNow(root, await addSubscription(root, kept));
    expect(run.results?.rows).toEqual(texts.rows);
    const numbers = await preview(root, id, '?numbers=Number');
    expect(numbers.text).toContain('[1,1.10,7,"ok"');
    expect(numbers.text).toContain('[9223372036854775807,12345678.90,null');
    const file = async (body: object) => (await root.post(`${queries}/${id}/export`, body)).text;
    expect(await file({ format: 'Json' })).toContain('{"b":"1","n":"1.10","i":7,');
    expect(await file({ format: 'Json', numbers: 'Number' })).toContain('{"b":1,"n":1.10,"i":7,');
    expect(await file({ format: 'Csv' })).toContain('9223372036854775807,12345678.90,');
    expect((await root.post(`${queries}/${id}/preview?numbers=Float`, {})).status).toBe(400);
    const mixed = `select * from (values
      (true, 1::smallint, 1.5::float8, 5::numeric, '{"a": 1}'::jsonb, timestamp '2024-02-29', '\\x01'::bytea),
      (false, 2, 2, 0.1, '7', 'infinity', '')) t (b, s, f, d, j, t, y)`;
    const { rows } = await preview(root, await addQuery(mixed, 'Kinds'));
    const typesOf = (row: readonly unknown[]) => row.map((cell) => typeof cell);
    const types = ['boolean', 'number', 'number', 'string', 'string', 'string', 'string'];
    expect(rows.map(typesOf)).toEqual([types, types]);
  },
);

scenario(
  ['RT-4.3-1306', 'RT-4.3-1311'],
  'empty statements at the end are accepted, and a column name from the statement is preserved',
  async ({ deliver }) => {
    const { root, addQuery } = await deliver();
    const { columns, rows } = await preview(root, await addQuery('select 1 a, 2 a, 3 a_2 ;;', 'Names'));
    const cells = Object.fromEntries(columns.map(({ name }, index) => [name, rows[0]?.[index]]));
    expect(cells).toEqual({ a: 1, a_2: 3, a_3: 2 });
  },
);

scenario(
  ['RT-4.3-1307', 'RT-4.3-1310'],
  'steps preserve intervals, dates BC and decimals next to NaN',
  async ({ deliver }) => {
    const { root, projectId, dataSourceId } = await deliver();
    const sql = [
      "select date '0044-03-15 BC' d, interval '1 day 2 hours' i",
      "select v from (values (1234567890123456.7891::numeric(20,4)), (0.1), ('NaN')) t (v)",
    ];
    const steps = sql.map((text) => ({ dataSourceId, sql: text }));
    const run = async (finalQuery: string) => {
      const { id } = (
        await root.post(queries, { projectId, name: `Joined ${finalQuery}`, steps, finalQuery })
      ).body;
      return preview(root, id);
    };
    const joined = await run(
      "select d, interval 1 day + interval 2 hours as i, date_diff('year', d, date '2024-03-15') y from step1",
    );
    expect(joined.rows).toEqual([['0044-03-15 BC', 'P1DT2H', '2067']]);
    expect((await run('select v from step2 order by v')).rows.flat()).toContain('1234567890123456.7891');
  },
);

/** Connects files as one data source. Returns functions that run a query on it. */
async function readFiles(
  { deliver, onEnd }: Pick<ScenarioContext, 'deliver' | 'onEnd'>,
  contents: Readonly<Record<string, string | Buffer>>,
) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-values-'));
  onEnd(async () => rmSync(folder, { recursive: true }));
  const { root, projectId } = await deliver({ 'Svc:Query:FileFolders': [folder] });
  const files = Object.entries(contents).map(([name, content]) => {
    writeFileSync(path.join(folder, name), content);
    return { name: name.split('.')[0], path: path.join(folder, name) };
  });
  const source = await root.post('/svc/api/data-sources', {
    name: 'Files',
    engine: 'DuckDB',
    connection: { files },
  });
  expect(source.status, source.text).toBe(201);
  const dataSourceId = source.read<{ id: number }>().id;
  const linked = await root.post(`/svc/api/projects/${projectId}/data-sources`, { dataSourceId });
  expect(linked.status).toBeLessThan(300);
  const answerOf = async (sql: string) => {
    const { body } = await root.post(queries, { projectId, name: sql, steps: [{ dataSourceId, sql }] });
    return root.post(`${queries}/${body.id}/preview`, {});
  };
  return { answerOf, rows: async (sql: string) => (await answerOf(sql)).read<Answer>().rows };
}

scenario(
  ['RT-4.3-1308', 'RT-4.3-1309'],
  'files preserve leading zeros, the scale of decimals and the digits of nested numbers',
  async ({ deliver, onEnd }) => {
    const { rows } = await readFiles(
      { deliver, onEnd },
      {
        'codes.csv': 'plz,ean,ver\n01067,4006381333931,1.10\n10115,0012345678905,2.00\n',
        'late.csv': `code\n${'10115\n'.repeat(25_000)}01067\n`,
        'nested.json': '[{"id":1,"o":{"x":1,"big":9007199254740993},"a":[1,2]}]',
      },
    );
    expect(await rows('select plz, ean, ver from codes')).toEqual([
      ['01067', '4006381333931', '1.10'],
      ['10115', '0012345678905', '2.00'],
    ]);
    expect(await rows("select code from late where code = '01067'")).toEqual([['01067']]);
    expect(await rows('select o, a from nested')).toEqual([['{"x":1,"big":9007199254740993}', '[1,2]']]);
  },
);

scenario(
  ['RT-4.3-1459', 'RT-4.3-1460', 'RT-4.3-1461'],
  'text and numbers of JSON files and sheets are returned unchanged',
  async ({ deliver, onEnd }) => {
    const sheet = {
      name: 'Prices',
      columns: [{ key: 'price', header: 'price', numFmt: '#,##0.00\\ [$Kčs d-405]' }],
      data: [{ price: 1234.5 }],
    };
    const { rows, answerOf } = await readFiles(
      { deliver, onEnd },
      {
        'texts.json': '[{"id":"0A0EEBC9-9C0B-4EF8-BB6D-6BB9BD380A11","clock":"1:2:3"}]',
        'numbers.json': '[{"n":9007199254740993},{"n":0.5}]',
        'fractions.json': '[{"n":0.5},{"n":0.1234567890123456789}]',
        'prices.xlsx': Buffer.from(await writeXlsx({ sheets: [sheet] })),
      },
    );
    expect(await rows('select id, clock from texts')).toEqual([
      ['0A0EEBC9-9C0B-4EF8-BB6D-6BB9BD380A11', '1:2:3'],
    ]);
    expect(await rows('select n from numbers')).toEqual([['9007199254740993'], ['0.5']]);
    const refused = await answerOf('select n from fractions');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(
      'Row 2 of fractions.json has a number with more digits than a double has.',
    );
    expect(await rows('select price from prices')).toEqual([[1234.5]]);
  },
);

scenario(
  ['RT-4.3-1470'],
  'a JSON file with a name that no column can have is refused by its row and the name',
  async ({ deliver, onEnd }) => {
    const files = { 'unnamed.json': '[{"a":1},{"a":2,"":3}]', 'cut.json': '[{"a":{"b\\u0000c":1}}]' };
    const { answerOf } = await readFiles({ deliver, onEnd }, files);
    const unnamed = await answerOf('select * from unnamed');
    expect(unnamed.status).toBe(400);
    expect(unnamed.text).toContain(
      String.raw`Row 2 of unnamed.json has a member with the name \"\", which no column can have.`,
    );
    const cut = await answerOf('select * from cut');
    expect(cut.status).toBe(400);
    expect(cut.text).toContain(
      String.raw`Row 1 of cut.json has a member with the name \"b\\u0000c\" in its member a`,
    );
  },
);

scenario(
  ['RT-4.3-1471'],
  'a sheet with a cell in the last column and many rows is refused by row and column, unless another sheet is read',
  async ({ deliver, onEnd }) => {
    const rows: (number | null)[][] = Array.from({ length: 40_000 }, () => [1]);
    rows[6] = [...Array.from({ length: 16_383 }, () => null), 1];
    const near = { name: 'Near', rows: [['id'], [7]] };
    const sheets = [{ name: 'Far', rows }, near];
    const files = {
      'far.xlsx': Buffer.from(await writeXlsx({ sheets })),
      'near.xlsx': Buffer.from(await writeXlsx({ sheets: sheets.toReversed() })),
    };
    const { answerOf, rows: rowsOf } = await readFiles({ deliver, onEnd }, files);
    const refused = await answerOf('select * from far');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(
      'Row 7 of the sheet Far in the file far.xlsx has a cell in the column XFD.',
    );
    expect(await rowsOf('select id from near')).toEqual([['7']]);
  },
);

scenario(
  ['RT-4.3-1312', 'RT-4.3-1313'],
  'files in other encodings can be read, and a line of another length is refused by its number',
  async ({ deliver, onEnd }) => {
    const { rows, answerOf } = await readFiles(
      { deliver, onEnd },
      {
        'latin.csv': Buffer.from('id;city\n1;Köln\n2;Zürich\n', 'latin1'),
        'euro.csv': Buffer.concat([Buffer.from('id,price\n1,"5 '), Buffer.from([0x80, 0x22, 0x0a])]),
        'wide.csv': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('id,name\n1,Zoë\n', 'utf16le')]),
        'ragged.csv': 'id,a,b\n1,x,y\n2,x\n3,p,q\n',
      },
    );
    expect(await rows('select city from latin order by id')).toEqual([['Köln'], ['Zürich']]);
    expect(await rows('select price from euro')).toEqual([['5 €']]);
    expect(await rows('select name from wide')).toEqual([['Zoë']]);
    const refused = await answerOf('select * from ragged');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(
      'Line 3 of ragged.csv has another number of values than its header: 2, not 3.',
    );
  },
);

scenario(
  ['RT-4.3-1314'],
  'in CSV, numbers with a sign get no apostrophe, and formulas get one',
  async ({ deliver }) => {
    const { root, addQuery } = await deliver();
    const texts = ['-5', '-1.5', '+1', '=1+1', '-1+1', '@a', '-Infinity']
      .map((text) => `'${text}'`)
      .join(', ');
    const id = await addQuery(`select unnest(array[${texts}]) as t, float8 '-Infinity' as n`, 'Signed');
    const file = await root.post(`${queries}/${id}/export`, { format: 'Csv' });
    expect(file.text.replace(/^\ufeff/, '').split('\r\n')).toEqual([
      't,n',
      ...['-5', '-1.5', '+1', "'=1+1", "'-1+1", "'@a", "'-Infinity"].map((cell) => `${cell},-Infinity`),
      '',
    ]);
  },
);
