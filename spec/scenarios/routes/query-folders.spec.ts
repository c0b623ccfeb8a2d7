import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const folders = '/svc/api/query-folders';
type Folders = { items: { id: number; path: string; queryCount: number }[] };

scenario(
  ['RT-4.3-29', 'RT-4.3-30', 'RT-4.3-220', 'RT-4.3-221', 'RT-4.3-222', 'RT-2-420'],
  'folders can be created, listed, renamed, moved and deleted, and a query can be moved into and out of a folder',
  async ({ deliver }) => {
    const { root, projectId, dataSourceId } = await deliver();
    const make = async (name: string, parentId: number | null = null) => {
      const made = await root.post(folders, { projectId, parentId, name });
      expect(made.status, made.text).toBe(201);
      return made.read<{ id: number }>().id;
    };
    const listed = async () => {
      const { items } = (await root.get(`${folders}?projectId=${projectId}`)).read<Folders>();
      return items.map(({ path, queryCount }) => [path, queryCount]);
    };
    const sales = await make('Sales');
    const late = await make('Late', sales);
    const archive = await make('Archive');
    expect((await root.post(folders, { projectId, name: 'SALES' })).body.code).toBe('folder-exists');

    const query = await root.post('/svc/api/queries', {
      projectId,
      name: 'Late orders',
      folderId: late,
      steps: [{ dataSourceId, sql: 'select 1 as n' }],
    });
    const { id } = query.read<{ id: number }>();
    expect(query.body).toMatchObject({ folderId: late, folderPath: 'Sales/Late' });
    expect(await listed()).toEqual([
      ['Archive', 0],
      ['Sales', 1],
      ['Sales/Late', 1],
    ]);

    const circle = await root.patch(`${folders}/${sales}`, { parentId: late });
    expect([circle.status, circle.body.code]).toEqual([400, 'folder-below-itself']);
    await root.patch(`${folders}/${sales}`, { name: 'Orders', parentId: archive });
    expect((await root.get(`/svc/api/queries/${id}`)).body.folderPath).toBe('Archive/Orders/Late');

    const moved = await root.put(`/svc/api/queries/${id}/folder`, { folderId: sales });
    expect(moved.body).toMatchObject({ folderPath: 'Archive/Orders', versionNumber: 1 });
    const held = await root.delete(`${folders}/${sales}`);
    expect([held.status, held.body.code]).toEqual([409, 'folder-not-empty']);
    expect((await root.delete(`${folders}/${sales}?moveContents=true`)).status).toBe(204);
    expect(await listed()).toEqual([
      ['Archive', 1],
      ['Archive/Late', 0],
    ]);
    expect((await root.put(`/svc/api/queries/${id}/folder`, { folderId: null })).body).toMatchObject({
      folderId: null,
      folderPath: null,
    });
  },
);
