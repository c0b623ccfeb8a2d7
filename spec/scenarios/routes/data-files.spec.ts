import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setUp } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const files = '/svc/api/data-sources/files';

scenario(
  ['RT-4.3-348', 'RT-4.3-349', 'RT-4.3-342', 'RT-7-14'],
  'an uploaded file is listed, read by a data source, and overwritten by no other',
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
      ...{ name: 'Orders', engine },
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
  'a file is read by the name of its table alone, so that no other reading renames a column that is masked',
  async ({ start, onEnd }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-by-name-'));
    onEnd(async () => rmSync(folder, { recursive: true }));
    const root = await setUp(await start({ 'Svc:Query:FileFolders': [folder] }));
    const place = path.join(folder, 'people.csv');
    writeFileSync(place, 'id,password\n1,in-the-clear\n');
    const source = await root.post('/svc/api/data-sources', {
      ...{ name: 'People', engine: 'DuckDB' },
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
  'a carriage return hides no COPY from the gate: the uploaded file stays as it is',
  async ({ start, onEnd }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-unchanged-'));
    onEnd(async () => rmSync(folder, { recursive: true }));
    const root = await setUp(await start({ 'Svc:Query:FileFolders': [folder] }));
    const content = 'customer,amount\nAda,10.5\n';
    const headers = { 'content-type': 'application/octet-stream' };
    const uploaded = await root.post(`${files}?name=orders.csv`, undefined, { rawBody: content, headers });
    const file = uploaded.read<{ path: string; tableName: string; engine: string }>();
    const source = await root.post('/svc/api/data-sources', {
      ...{ name: 'Orders', engine: file.engine },
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
