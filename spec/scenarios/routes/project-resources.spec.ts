import { addUser, setUp } from '@svc/testkit/people/people.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { startSource } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const projects = '/svc/api/projects';

scenario(
  ['RT-2-07', 'RT-4.3-10'],
  'a project can be created, listed, changed and archived over REST, with all its parts',
  async ({ start, onEnd }) => {
    const svc = await start();
    const root = await setUp(svc);
    const made = await root.post(projects, { name: 'Shop' });
    expect(made.status, made.text).toBe(201);
    const path = `${projects}/${made.body.id}`;

    // List, change and read the record.
    const names = async () => (await root.get(projects)).body.items.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['Shop']);
    expect((await root.patch(path, { description: 'What is sold' })).status).toBe(200);
    expect((await root.get(path)).body).toMatchObject({ name: 'Shop', description: 'What is sold' });

    // Link, list and unlink data sources.
    const watched = await startSource();
    onEnd(watched.close);
    await watched.sql('create table orders (id int primary key)');
    const source = await root.post('/svc/api/data-sources', {
      name: 'Shop database',
      engine: 'PostgreSQL',
      connection: watched.connection,
    });
    const linked = async () => (await root.get(`${path}/data-sources`)).body.totalCount;
    const { status } = await root.post(`${path}/data-sources`, { dataSourceId: source.body.id });
    expect([status, await linked()]).toEqual([expect.any(Number), 1]);
    await root.post(`/svc/api/data-sources/${source.body.id}/refresh-metadata`);

    // Change the members and the access mode.
    await addUser(svc, 'joins', ['Viewer']);
    const member = await root.post(`${path}/members`, { userName: 'joins', role: 'Editor' });
    expect(member.status, member.text).toBe(201);
    expect((await root.get(`${path}/members`)).text).toContain('joins');
    expect((await root.put(`${path}/access-mode`, { accessMode: 'Restricted' })).status).toBe(204);
    expect((await root.get(path)).body.accessMode).toBe('Restricted');

    // Add, change, list and remove repositories.
    const repository = await root.post(`${path}/repositories`, { url: 'https://git.example.org/shop.git' });
    const one = `${projects}/repositories/${repository.body.id}`;
    expect((await root.patch(one, { branch: 'stable' })).body).toMatchObject({ branch: 'stable' });
    expect((await root.get(`${path}/repositories`)).body.items).toMatchObject([
      { name: 'shop', branch: 'stable' },
    ]);
    expect((await root.delete(one)).status).toBe(204);
    expect((await root.get(`${path}/repositories`)).body.totalCount).toBe(0);

    // Documentation: none, generated from metadata, written by hand.
    const documentation = async () => (await root.get(`${path}/documentation`)).body.sections;
    expect(await documentation()).toEqual([]);
    expect((await root.post(`${path}/generate-documentation`)).status).toBe(202);
    const model = await until('the documentation', async () => (await documentation())[0]);
    expect(model).toMatchObject({ kind: 'DataModel', content: expect.stringContaining('public.orders') });
    await root.put(`${path}/documentation/DataModel`, { content: 'One table.' });
    expect((await documentation())[0]).toMatchObject({ content: 'One table.' });

    // Documents that the host imports, and the context of MCP clients.
    const read = () => [{ path: 'terms.md', content: '# Terms' }];
    await svc.replica({}, { documents: [{ project: 'Shop', name: 'dictionary', read }] });
    expect((await root.get(`${path}/imported-documents`)).body.items).toMatchObject([{ title: 'Terms' }]);
    expect((await root.get(`${path}/mcp-context`)).body.context).toContain('orders');

    expect((await root.delete(`${path}/data-sources/${source.body.id}`)).status).toBe(204);
    expect(await linked()).toBe(0);
    expect((await root.delete(path)).status).toBe(204);
    expect([await names(), (await root.get(path)).status]).toEqual([[], 404]);
  },
);
