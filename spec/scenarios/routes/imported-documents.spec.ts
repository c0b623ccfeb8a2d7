import { setUp } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.3-301'],
  'what the host imports into a project is listed and read there, and nowhere else',
  async ({ start }) => {
    const svc = await start();
    const root = await setUp(svc);
    const [shop, other] = [await addProject(root, 'Shop'), await addProject(root, 'Other')];
    const read = () => [{ path: 'terms.md', content: '# Terms\n\nAn order is late after 3 days.\n' }];
    await svc.replica({}, { documents: [{ project: 'Shop', name: 'dictionary', read }] });
    const list = (project: number) => `/svc/api/projects/${project}/imported-documents`;
    const { items, totalCount } = (await root.get(list(shop))).body;
    expect(items).toMatchObject([{ title: 'Terms', path: 'terms.md', source: 'dictionary' }]);
    expect([totalCount, (await root.get(list(other))).body.totalCount]).toEqual([1, 0]);
    const [{ id }] = items;
    expect((await root.get(`${list(shop)}/${id}`)).body.content).toContain('late after 3 days');
    expect((await root.get(`${list(other)}/${id}`)).status).toBe(404);
  },
);
