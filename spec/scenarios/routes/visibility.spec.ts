import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { addDataSource } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { createFixture, type Fixture } from '../../access/fixture.ts';
import type { CallerKind } from '../../access/index.ts';
import { lists } from '../support/lists.ts';
import { scenario } from '../support/scenario.ts';
import {
  createListReader,
  createOtherRecords,
  createRecord,
  detailsOf,
  isListed,
  type ListReader,
  type RecordRoute,
  recordRoutes,
  type WatchedRecord,
  withoutList,
} from '../support/visible-records.ts';

/** An Admin, a member, a user of another project, a key with a project list, and users with one permission. */
const callers: readonly CallerKind[] = [
  ...(['superAdmin', 'viewer', 'memberOfAnotherProject', 'readKey'] as const),
  ...(['approver', 'migrationOperator', 'dataSourceAdmin'] as const),
];

/** A permission that shows a list whose records only users with project access read. */
const listedOnly: Partial<Record<CallerKind, string>> = { dataSourceAdmin: '/svc/api/data-sources/{id}' };

/**
 * Lists that show records of hidden projects: past events of projects that are archived now, and runs, which a user reads
 * through any project with their data sources.
 */
const acrossProjects = [
  ...['/svc/api/mcp/audit', '/svc/api/mcp/settings/history', '/svc/api/notices'],
  '/svc/api/notifications',
];

/** Owners of the records: each user reads only the own conversations. */
const ownersOf = (byId: string): readonly CallerKind[] =>
  byId.startsWith('/svc/api/ask/') ? ['superAdmin', 'viewer', 'readKey'] : ['superAdmin'];

/** Creates a record per route and owner. Only some routes have a record for the method DELETE. */
async function createRecords(
  fixture: Fixture,
  routes: readonly RecordRoute[],
  method: 'GET' | 'DELETE',
): Promise<WatchedRecord[]> {
  const records: WatchedRecord[] = [];
  for (const route of routes)
    for (const owner of ownersOf(route.byId)) {
      const record = await createRecord(route, method, fixture, owner);
      if (record) records.push(record);
    }
  return records;
}

/** Compares the reads by id with the lists, as one caller. Returns a sentence per difference. */
async function differences(
  fixture: Fixture,
  kind: CallerKind,
  records: readonly WatchedRecord[],
  goneForAll: ReadonlySet<string>,
): Promise<string[]> {
  const client = fixture.clients[kind];
  if (!client) throw new Error(`The fixture has no client of ${kind}.`);
  const read = createListReader(client);
  const wrong: string[] = [];
  for (const record of records) {
    const { status } = await client.get(record.path);
    const isShown = await isListed(record, read, fixture);
    if (isShown !== (status === 200) && !(status === 403 && listedOnly[kind] === record.route.byId))
      wrong.push(`${kind}: ${record.path} answers ${status}, and its list ${isShown ? 'shows' : 'hides'} it`);
    if (status !== 404 && (status === 200 || !goneForAll.has(record.path))) continue;
    for (const detail of detailsOf(record))
      if ((await client.get(detail)).status === 200)
        wrong.push(`${kind}: ${detail} answers 200, and ${record.path} ${status}`);
  }
  return [...wrong, ...(await wrongProjects(client, kind, read)), ...(await wrongCounts(client, kind, read))];
}

/** Answer for a list that needs a filter. */
const noItems = { items: [] };

/** Returns the lists that show a record of a project that the caller cannot read. */
async function wrongProjects(client: HttpClient, kind: CallerKind, read: ListReader): Promise<string[]> {
  const wrong: string[] = [];
  const statuses = new Map<unknown, number>();
  for (const path of lists) {
    if (path.includes('{') || acrossProjects.includes(path)) continue;
    const { items } = await read(path, '').catch(() => noItems);
    for (const { projectId } of items) {
      if (typeof projectId !== 'number') continue;
      const status = statuses.get(projectId) ?? (await client.get(`/svc/api/projects/${projectId}`)).status;
      statuses.set(projectId, status);
      if (status === 404) wrong.push(`${kind}: ${path} shows a record of the hidden project ${projectId}`);
    }
  }
  return [...new Set(wrong)];
}

/** Figures of overview pages: the path, the member, the list with the same records, and its filter. */
const figures: readonly (readonly [path: string, member: string, list: string, filter: string])[] = [
  ['/svc/api/home/kpis', 'projects', '/svc/api/projects', ''],
  ['/svc/api/home/kpis', 'queries', '/svc/api/queries', ''],
  ['/svc/api/home/kpis', 'dataSources', '/svc/api/data-sources', ''],
  ['/svc/api/home/kpis', 'activeSubscriptions', '/svc/api/subscriptions', 'state=Active'],
  ['/svc/api/home/kpis', 'openTasks', '/svc/api/tasks', 'state=Open'],
  ['/svc/api/home/kpis', 'runs', '/svc/api/notifications', ''],
  ['/svc/api/home/kpis', 'failedRuns', '/svc/api/notifications', 'status=Failed'],
  ['/svc/api/home/task-summary', 'open', '/svc/api/tasks', 'state=Open'],
  ['/svc/api/home/task-summary', 'snoozed', '/svc/api/tasks', 'state=Snoozed'],
  ['/svc/api/data-quality/overview', 'contractCount', '/svc/api/data-quality/contracts', ''],
  ['/svc/api/control-tower/statistics', 'total', '/svc/api/control-tower/health', ''],
  ['/svc/api/control-tower/statistics', 'openTasks', '/svc/api/tasks', 'state=Open'],
  ['/svc/api/control-tower/health?kind=Subscription', 'totalCount', '/svc/api/subscriptions', 'state=Active'],
  ['/svc/api/control-tower/health?kind=Contract', 'totalCount', '/svc/api/data-quality/contracts', ''],
  ['/svc/api/home/migration-summary', 'jobs', '/svc/api/migrations/jobs', ''],
];

/** Returns the figures that differ from the total of their list for this caller. */
async function wrongCounts(client: HttpClient, kind: CallerKind, read: ListReader): Promise<string[]> {
  const wrong: string[] = [];
  for (const [path, member, list, filter] of figures) {
    const { status, body } = await client.get(path);
    const { totalCount, status: listStatus } = await read(list, filter);
    if (status === 200 && listStatus === 200 && body[member] !== totalCount)
      wrong.push(`${kind}: ${member} of ${path} is ${body[member]}, and ${list} shows ${totalCount}`);
  }
  return wrong;
}

/** Compares lists, reads by id and counts for all callers. */
async function expectOneRule(fixture: Fixture, records: readonly WatchedRecord[], state: string) {
  const gone = new Set<string>();
  for (const { path } of records) if ((await fixture.root.get(path)).status === 404) gone.add(path);
  const wrong = await Promise.all(callers.map((kind) => differences(fixture, kind, records, gone)));
  expect([state, wrong.flat()]).toEqual([state, []]);
  return gone;
}

/** Unlinks a data source from the project and removes it. */
async function removeSource({ root, project }: Fixture, id: number): Promise<void> {
  for (const path of [`/svc/api/projects/${project}/data-sources/${id}`, `/svc/api/data-sources/${id}`]) {
    const { status, text } = await root.delete(path);
    expect(status, `${path} ${text}`).toBe(204);
  }
}

/** Returns the id of the only item that a list shows for a search. */
async function onlyId({ root }: Fixture, list: string, search: string): Promise<number> {
  const { items } = (await root.get(`${list}?search=${encodeURIComponent(search)}`)).body;
  expect(items, `${list} ${search}`).toHaveLength(1);
  return items[0].projectId ?? items[0].id;
}

scenario(
  ['RT-4.3-1216', 'RT-4.3-1462'],
  'lists, reads by id and counts agree for every kind of record, caller and state',
  async ({ onEnd }) => {
    const fixture = await createFixture();
    onEnd(fixture.close);
    const { root, project, dataSource, connection } = fixture;
    const routes = recordRoutes(fixture);
    expect(routes.filter(({ list }) => list === '').map(({ byId }) => byId)).toEqual([]);
    expect(Object.keys(withoutList).filter((path) => !fixture.built.has(`GET ${path}`))).toEqual([]);

    const records = await createRecords(fixture, routes, 'GET');
    const removable = await createRecords(fixture, routes, 'DELETE');
    await createOtherRecords(fixture, lists);
    const goneLive = await expectOneRule(fixture, [...records, ...removable], 'live');
    const live = [...records, ...removable].filter(({ path }) => !goneLive.has(path));
    expect(routes.filter((route) => !live.some((record) => record.route === route))).toEqual([]);
    const { queries, activeSubscriptions, openTasks, runs } = (await root.get('/svc/api/home/kpis')).body;
    expect([queries, activeSubscriptions, openTasks, runs].filter((count) => !(count > 0))).toEqual([]);

    const other = await onlyId(fixture, '/svc/api/projects', 'Another project');
    const link = { dataSourceId: dataSource };
    expect((await root.post(`/svc/api/projects/${other}/data-sources`, link)).status).toBe(201);
    await expectOneRule(fixture, records, 'with a data source that is linked to a second project');

    for (const { route, path } of removable)
      if (!route.byId.startsWith('/svc/api/ask/')) expect((await root.delete(path)).status, path).toBe(204);
    await expectOneRule(fixture, removable, 'removed');

    const second = await addDataSource(root, project, connection, 'matrix-removed');
    // A data source that a query reads cannot be removed. The contracts of the matrix have a data source of their own.
    const kinds = routes.filter(({ byId }) => !/\/(approvals|ask|data-quality)\//.test(byId));
    const ofSecond = await createRecords({ ...fixture, dataSource: second }, kinds, 'GET');
    const contracts = records.filter(({ route }) => route.byId.includes('/data-quality/'));
    await removeSource(fixture, second);
    await removeSource(fixture, await onlyId(fixture, '/svc/api/data-sources', 'matrix-contracts'));
    await expectOneRule(fixture, [...ofSecond, ...contracts], 'of a removed data source');

    const all = [...records, ...removable, ...ofSecond];
    expect((await root.delete(`/svc/api/projects/${project}`)).status).toBe(204);
    const goneArchived = await expectOneRule(fixture, all, 'of an archived project');
    expect([...goneArchived]).toEqual(
      expect.arrayContaining([`/svc/api/projects/${project}`, `/svc/api/queries/${fixture.query}`]),
    );
  },
  // Thousands of requests: a busy machine needs more than the limit of other scenarios.
  { timeout: 600_000 },
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
