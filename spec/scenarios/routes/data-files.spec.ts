import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setUp } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const files = '/svc/api/data-sources/files';

scenario(
  ['RT-4.3-348', 'RT-4.3-349', 'RT-4.3-342'],
  'an uploaded file is listed, read by a data source, and overwritten by no other',
  async ({ start, onEnd }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-uploaded-'));
    onEnd(async () => rmSync(folder, { recursive: true }));
    const root = await setUp(await start({ 'Svc:Query:FileFolders': [folder] }));
    expect((await root.get(files)).body).toMatchObject({ items: [], isCut: false });

    const send = (rawBody: string) => root.post(`${files}?name=orders.csv`, undefined, { rawBody });
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
