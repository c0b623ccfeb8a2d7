import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { lists, notLists } from '../support/lists.ts';
import { scenario } from '../support/scenario.ts';

/** Filters that make a list show records of every state, by the path of the list. */
const filters: Readonly<Record<string, string>> = {
  '/svc/api/subscriptions': 'state=All',
  '/svc/api/tasks': 'state=All',
};
const walked = lists.filter((path) => notLists.includes(`${path}/{id}`));

/** Returns the ids of the records that a list shows. Expects the list to fit on one page. */
async function listed(client: HttpClient, path: string): Promise<readonly number[]> {
  const { status, body, text } = await client.get(`${path}?pageSize=200&${filters[path] ?? ''}`);
  expect(status, `${path} ${text}`).toBe(200);
  const ids = body.items.flatMap(({ id }: { id?: unknown }) => (typeof id === 'number' ? [id] : []));
  expect(body.totalCount, path).toBe(body.items.length);
  return ids;
}

/** Creates a record of each kind that is simple to create. */
async function addRecords({ root, svc, source, addQuery, projectId, dataSourceId }: DeliveryFixture) {
  await source.sql('create table orders (id int primary key)');
  await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
  const queryId = await addQuery('select id from orders');
  const subscription = await addSubscription(root, { queryId, recipientIds: [], createTasks: true });
  await runNow(root, subscription);
  const place = { projectId, dataSourceId };
  for (const [path, body] of [
    ['/svc/api/query-folders', { projectId, name: 'Folder' }],
    ['/svc/api/eval/golden', { ...place, question: 'Which orders?', sql: 'select id from orders' }],
    [
      '/svc/api/data-quality/contracts',
      {
        ...{ ...place, schemaName: 'public', tableName: 'orders', name: 'Orders' },
        rules: [{ name: 'Orders exist', type: 'Volume', config: { minRows: 1 } }],
      },
    ],
  ] as const) {
    const { status, text } = await root.post(path, body);
    expect(status, `${path} ${text}`).toBe(201);
  }
  await svc.sql('insert into svc.tasks (subscription_id, project_id, latest_count) values ($1, $2, 1)', [
    subscription,
    projectId,
  ]);
  await svc.sql(
    `insert into svc.learned_patterns (project_id, data_source_id, kind, identity, table_name, content, signal_count,
       caller_count)
     values ($1, $2, 'DocumentationGap', 'orders', 'orders', '{"kind":"DocumentationGap","columns":[],"joined":[]}', 5, 2)`,
    [projectId, dataSourceId],
  );
}

scenario(
  ['RT-4.3-1216'],
  'a list contains exactly the records that can be read by id, also after their project is archived',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:Migrations:Enabled': true });
    const { root, projectId } = fixture;
    await addRecords(fixture);
    const before = new Map<string, readonly number[]>();
    for (const path of walked) {
      const ids = await listed(root, path);
      before.set(path, ids);
      for (const id of ids) expect((await root.get(`${path}/${id}`)).status, `${path}/${id}`).toBe(200);
    }
    const filled = [...before].flatMap(([path, ids]) => (ids.length > 0 ? [path] : []));
    expect(filled).toEqual(
      expect.arrayContaining(
        ['queries', 'subscriptions', 'tasks', 'projects', 'query-folders', 'eval/golden', 'notifications']
          .concat('data-quality/contracts', 'mcp/learned-patterns')
          .map((name) => `/svc/api/${name}`),
      ),
    );

    expect((await root.delete(`/svc/api/projects/${projectId}`)).status).toBe(204);
    for (const [path, ids] of before) {
      const shown = await listed(root, path);
      for (const id of ids) {
        const { status } = await root.get(`${path}/${id}`);
        expect([path, id, status]).toEqual([path, id, shown.includes(id) ? 200 : 404]);
      }
    }
    expect(await listed(root, '/svc/api/subscriptions')).toEqual([]);
    expect(await listed(root, '/svc/api/data-quality/contracts')).toEqual([]);
  },
);

scenario(
  ['RT-4.3-1217'],
  'a key with a list of projects cannot create a project, and its owner can',
  async ({ svc, root }) => {
    const projectId = await addProject(root, 'Listed');
    const editor = await signIn(svc, await addUser(svc, 'confined', ['Editor']));
    const { text } = await addKey(editor, { scopes: ['Execute'], projects: [projectId] });
    const refused = await svc.client(`Bearer ${text}`).post('/svc/api/projects', { name: 'Unseen' });
    expect([refused.status, refused.body.code]).toEqual([403, 'confined-to-projects']);
    expect(refused.body.detail).toMatch(/reaches only the projects of its list/);
    expect((await editor.post('/svc/api/projects', { name: 'Seen' })).status).toBe(201);
  },
);
