import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { writeXlsx } from 'hucre/xlsx';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const files = '/svc/api/data-sources/files';

scenario(
  ['RT-4.3-348', 'RT-4.3-349', 'RT-4.3-342', 'RT-7-14'],
  'an uploaded file is listed, can be read by a data source, and cannot be overwritten by another upload',
  async ({ start, onEnd }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-uploaded-'));
    onEnd(async () => rmSync(folder, { recursive: true }));
    const root = await setUp(await start({ 'Svc:Query:FileFolders': [folder] }));
    expect((await root.get(files)).body).toMatchObject({ items: [], isCut: false });

    const send = (rawBody: string, contentType = 'application/octet-stream') => {
      const headers = { 'content-type': contentType };
      return root.post(`${files}?name=orders.csv`, undefined, { rawBody, headers });
    };
    const undeclared = await send('customer,amount\nAda,10.5\n', 'text/csv');
    expect([undeclared.status, undeclared.body.code]).toEqual([415, 'bytes-required']);
    const uploaded = await send('customer,amount\nAda,10.5\nBo,20\n');
    expect(uploaded.status, uploaded.text).toBe(201);
    const {
      path: at,
      tableName,
      engine,
    } = uploaded.read<{ path: string; tableName: string; engine: string }>();
    expect((await root.get(files)).body.items).toEqual([uploaded.body]);

    const source = await root.post('/svc/api/data-sources', {
      name: 'Orders',
      engine,
      connection: { files: [{ name: tableName, path: at }] },
    });
    expect(source.status, source.text).toBe(201);
    const { id } = source.read<{ id: number }>();
    const { body } = await root.get(`/svc/api/data-sources/${id}/metadata`);
    expect(body.tables).toMatchObject([
      { name: 'orders', columns: [{ name: 'customer' }, { name: 'amount' }] },
    ]);

    const second = await send('something,else\n');
    expect([second.status, second.body.code]).toEqual([409, 'file-exists']);
    expect(readFileSync(at, 'utf8')).toBe('customer,amount\nAda,10.5\nBo,20\n');
  },
);

scenario(
  ['RT-4.3-1098'],
  'a file can be read only by the name of its table, so a statement cannot rename a masked column',
  async ({ start, onEnd }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-by-name-'));
    onEnd(async () => rmSync(folder, { recursive: true }));
    const root = await setUp(await start({ 'Svc:Query:FileFolders': [folder] }));
    const place = path.join(folder, 'people.csv');
    writeFileSync(place, 'id,password\n1,in-the-clear\n');
    const source = await root.post('/svc/api/data-sources', {
      name: 'People',
      engine: 'DuckDB',
      connection: { files: [{ name: 'people', path: place }] },
    });
    const dataSourceId = source.read<{ id: number }>().id;
    const project = await root.post('/svc/api/projects', { name: 'People', description: null });
    const projectId = project.read<{ id: number }>().id;
    await root.post(`/svc/api/projects/${projectId}/data-sources`, { dataSourceId });
    const preview = (sql: string) =>
      root.post('/svc/api/queries/preview', { projectId, steps: [{ dataSourceId, sql }] });
    for (const sql of [
      `select * from read_csv('${place}', header = false, skip = 1)`,
      `select * from read_csv_auto('${place}') as t (a, b)`,
      `select * from read_text('${place}')`,
      `select * from sniff_csv('${place}')`,
      `select b from query_table('people') as t (a, b)`,
      `select b from '${place}' as t (a, b)`,
      `select b from "${place}" as t (a, b)`,
      `with t (a, b) as (from '${place}') select b from t`,
    ]) {
      const refused = await preview(sql);
      expect([sql, refused.status], refused.text).toEqual([sql, 400]);
      expect(refused.text).not.toContain('in-the-clear');
    }
    const named = await preview('select id, password from people');
    expect(named.status, named.text).toBe(200);
    expect(named.text).not.toContain('in-the-clear');
  },
);

scenario(
  ['RT-4.3-1090', 'RT-4.3-1091'],
  'a carriage return cannot hide a COPY from the check, and the uploaded file remains unchanged',
  async ({ start, onEnd }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-unchanged-'));
    onEnd(async () => rmSync(folder, { recursive: true }));
    const root = await setUp(await start({ 'Svc:Query:FileFolders': [folder] }));
    const content = 'customer,amount\nAda,10.5\n';
    const headers = { 'content-type': 'application/octet-stream' };
    const uploaded = await root.post(`${files}?name=orders.csv`, undefined, { rawBody: content, headers });
    const file = uploaded.read<{ path: string; tableName: string; engine: string }>();
    const source = await root.post('/svc/api/data-sources', {
      name: 'Orders',
      engine: file.engine,
      connection: { files: [{ name: file.tableName, path: file.path }] },
    });
    const dataSourceId = source.read<{ id: number }>().id;
    const project = await root.post('/svc/api/projects', { name: 'Orders', description: null });
    const projectId = project.read<{ id: number }>().id;
    await root.post(`/svc/api/projects/${projectId}/data-sources`, { dataSourceId });
    const preview = (sql: string) =>
      root.post('/svc/api/queries/preview', { projectId, steps: [{ dataSourceId, sql }] });
    const copy = `copy (select 0 as "\nselect 1--") to '${file.path}' (use_tmp_file false)`;

    const hidden = await preview(`explain --\r analyze ${copy}`);
    expect([hidden.status, hidden.body.code], hidden.text).toEqual([400, 'syntax-refused']);
    expect(hidden.text).toContain('line 1, column 11');
    for (const control of ['\v', '\f', '\u0085', '\u2028', '\u00a0', '\ufeff']) {
      const refused = await preview(`select 1${control}from orders`);
      expect([control, refused.status, refused.body.code]).toEqual([control, 400, 'syntax-refused']);
    }
    for (const sql of [`explain analyze ${copy}`, `explain\r\n analyze ${copy}`, copy]) {
      expect((await preview(sql)).status, sql).toBe(400);
    }
    expect((await preview('select\r\n count(*) from orders')).status).toBe(200);
    expect(readFileSync(file.path, 'utf8')).toBe(content);
  },
);

const bytes = { 'content-type': 'application/octet-stream' };

/** Connects files as one data source, and runs a statement on it in a new project. Returns the rows. */
async function readFiles(root: HttpClient, connected: readonly object[], sql: string): Promise<unknown[][]> {
  const name = `Files ${connected.length} ${sql}`;
  const source = await root.post('/svc/api/data-sources', {
    name,
    engine: 'DuckDB',
    connection: { files: connected },
  });
  expect(source.status, source.text).toBe(201);
  const dataSourceId = source.read<{ id: number }>().id;
  const project = await root.post('/svc/api/projects', { name, description: null });
  const projectId = project.read<{ id: number }>().id;
  await root.post(`/svc/api/projects/${projectId}/data-sources`, { dataSourceId });
  const run = await root.post('/svc/api/queries/preview', { projectId, steps: [{ dataSourceId, sql }] });
  expect(run.status, run.text).toBe(200);
  return run.body.rows;
}

scenario(
  ['RT-4.3-1451', 'RT-4.3-1452', 'RT-4.3-1453', 'RT-4.3-1454', 'RT-4.3-1458'],
  'the settings of a file control how it is read, and a preview shows the result before they are saved',
  async ({ start, onEnd }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-settings-'));
    onEnd(async () => rmSync(folder, { recursive: true }));
    const root = await setUp(await start({ 'Svc:Query:FileFolders': [folder] }));
    expect((await root.get(files)).body.folders).toEqual([folder]);
    const place = path.join(folder, 'orders.csv');
    writeFileSync(
      place,
      Buffer.from("! exported\n1|'M\u00fcller|Sohn'|1,50|ana@example.org\n2|n/a|2,25\n", 'latin1'),
    );
    const settings = {
      encoding: 'Latin-1',
      delimiter: '|',
      quote: "'",
      hasHeader: false,
      comment: '!',
      decimalSeparator: ',',
      nullText: 'n/a',
      shortLines: 'Null',
      types: [{ column: 'column0', type: 'VARCHAR' }],
    };
    const preview = (more: object) =>
      root.post(`${files}/preview`, { file: { path: place, ...settings, ...more } });
    const shown = await preview({});
    expect(shown.status, shown.text).toBe(200);
    expect(shown.body).toMatchObject({
      reading: {
        encoding: 'Latin-1',
        delimiter: '|',
        quote: "'",
        comment: '!',
        hasHeader: false,
      },
      columns: [
        { name: 'column0', type: 'VARCHAR' },
        { name: 'column1', type: 'VARCHAR' },
        { name: 'column2', type: 'DECIMAL(18,2)' },
        { name: 'column3', type: 'VARCHAR', isMasked: true },
      ],
    });
    expect(shown.body.rows.map((row: unknown[]) => row.slice(0, 3))).toEqual([
      ['1', 'M\u00fcller|Sohn', '1.50'],
      ['2', null, '2.25'],
    ]);
    expect(shown.body.rows[1][3]).toBeNull();
    expect(shown.text).not.toContain('ana@example.org');
    const audited = await root.get('/svc/api/mcp/audit?event=data_sources.file_previewed');
    expect(audited.body.items[0]).toMatchObject({ detail: { path: place } });
    expect(
      await readFiles(root, [{ name: 'orders', path: place, ...settings }], 'select column2 from orders'),
    ).toEqual([['1.50'], ['2.25']]);

    for (const [field, wrong] of [
      ['sheet', { sheet: 'Orders' }],
      ['decimalSeparator', { delimiter: ',' }],
      ['quote', { quote: '|' }],
      ['encoding', { encoding: 'EBCDIC' }],
    ] as const) {
      const refused = await preview(wrong);
      expect([refused.status, refused.body.code, refused.body.errors?.[0]?.path]).toEqual([
        400,
        'invalid-settings',
        `/file/${field}`,
      ]);
    }
    const misfit = await preview({ types: [{ column: 'column1', type: 'BIGINT' }] });
    expect([misfit.status, misfit.body.code]).toEqual([400, 'file-unreadable']);
    expect(misfit.body.detail).toContain(
      'Line 2 of orders.csv has a value in the column column1 that changes as BIGINT.',
    );
    const short = await preview({ shortLines: 'Refuse' });
    expect([short.status, short.body.code]).toEqual([400, 'file-unreadable']);
    expect(short.body.detail).toContain(
      'Line 3 of orders.csv has another number of values than its header: 3, not 4.',
    );
    const elsewhere = await root.post(`${files}/preview`, { file: { path: '/etc/passwd.csv' } });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, 'file-not-allowed']);
  },
);

scenario(
  ['RT-4.3-1455', 'RT-4.3-1456', 'RT-4.3-1457'],
  'databases and sheets can be uploaded if their content matches, and are read by the table that the settings name',
  async ({ start, onEnd }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-databases-'));
    const made = mkdtempSync(path.join(os.tmpdir(), 'svc-made-'));
    onEnd(async () => {
      for (const each of [folder, made]) rmSync(each, { recursive: true });
    });
    const root = await setUp(await start({ 'Svc:Query:FileFolders': [folder] }));
    const upload = async (name: string, content: Uint8Array) =>
      root.post(`${files}?name=${name}`, undefined, { rawBody: new Uint8Array(content), headers: bytes });

    const sqlite = new DatabaseSync(path.join(made, 'shop.sqlite'));
    sqlite.exec("create table orders (id int, name text); insert into orders values (1, 'Ada')");
    sqlite.close();
    const duckdb = await DuckDBInstance.create(path.join(made, 'sales.duckdb'));
    const connection = await duckdb.connect();
    await connection.run('create table orders as select 7 as id');
    await connection.run('create table returns as select 8 as id');
    connection.closeSync();
    duckdb.closeSync();
    const sheets = await writeXlsx({
      sheets: [
        {
          name: 'First',
          rows: [
            ['id', 'amount', 'on'],
            [1, 1.5, new Date('2026-02-03T00:00:00Z')],
          ],
        },
        { name: 'Second', rows: [['id'], ['007']] },
      ],
    });
    const uploaded: Record<string, string> = {};
    for (const [name, content] of [
      ['shop.sqlite', readFileSync(path.join(made, 'shop.sqlite'))],
      ['sales.duckdb', readFileSync(path.join(made, 'sales.duckdb'))],
      ['book.xlsx', sheets],
    ] as const) {
      const answer = await upload(name, content);
      expect(answer.status, answer.text).toBe(201);
      uploaded[name] = answer.read<{ path: string }>().path;
      for (const other of ['a.sqlite', 'a.duckdb', 'a.xlsx', 'a.csv'])
        if (path.extname(other) !== path.extname(name)) {
          const refused = await upload(other, content);
          expect([other, refused.status, refused.body.code]).toEqual([other, 400, 'file-content-refused']);
        }
    }
    for (const other of ['a.sqlite', 'a.duckdb', 'a.xlsx'])
      for (const content of ['id,name\n1,Ada\n', 'PK\u0003\u0004 without sheets']) {
        const refused = await upload(other, Buffer.from(content));
        expect([other, refused.status, refused.body.code]).toEqual([other, 400, 'file-content-refused']);
      }
    const names = (await root.get(files)).body.items.map((file: { name: string }) => file.name);
    expect(names.toSorted()).toEqual(['book.xlsx', 'sales.duckdb', 'shop.sqlite']);
    const book = { name: 'book', path: uploaded['book.xlsx'] };
    expect(await readFiles(root, [book], 'select id, amount, "on" from book')).toEqual([
      ['1', 1.5, '2026-02-03'],
    ]);
    expect(await readFiles(root, [{ ...book, sheet: 'Second' }], 'select id from book')).toEqual([['007']]);
    const sales = { name: 'sales', path: uploaded['sales.duckdb'] };
    expect(await readFiles(root, [{ ...sales, table: 'returns' }], 'select id from sales')).toEqual([[8]]);
    const several = await root.post(`${files}/preview`, { file: sales });
    expect([several.status, several.body.code]).toEqual([400, 'file-unreadable']);
    expect(several.body.detail).toContain('Name one in the settings of the file: orders, returns.');
    const missing = await root.post(`${files}/preview`, { file: { ...book, sheet: 'Third' } });
    expect(missing.body.detail).toContain('has no sheet Third. Its sheets are: First, Second.');
    const shop = await root.post('/svc/api/data-sources/test-connection', {
      engine: 'SQLite',
      connection: { file: uploaded['shop.sqlite'] },
    });
    expect(shop.body).toMatchObject({ ok: true });
  },
);
