import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { addDataSource } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { createFixture, type Fixture } from '../../access/fixture.ts';
import type { CallerKind } from '../../access/index.ts';
import { scenario } from '../support/scenario.ts';
import { createCallerView } from '../support/visibility/caller-view.ts';
import { lists } from '../support/visibility/lists.ts';
import { compareFigures, createCountedRecords, figureNames } from '../support/visibility/visible-figures.ts';
import {
  createOtherRecords,
  createRecord,
  type RecordRoute,
  recordRoutes,
  type WatchedRecord,
  withoutList,
} from '../support/visibility/visible-records.ts';
import { compareProjects, compareRecords, readItems } from '../support/visibility/visible-rule.ts';

/** An Admin, a member, a user of another project, a key with a project list, and users with one permission. */
const callers: readonly CallerKind[] = [
  'superAdmin',
  'viewer',
  'memberOfAnotherProject',
  'readKey',
  'approver',
  'migrationOperator',
  'dataSourceAdmin',
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

/**
 * Compares lists, reads by id and counts for all callers.
 *
 * @returns the paths of the records that no caller reads, and the names of the figures above 0.
 */
async function expectOneRule(fixture: Fixture, records: readonly WatchedRecord[], state: string) {
  const gone = new Set<string>();
  for (const { path } of records) if ((await fixture.root.get(path)).status === 404) gone.add(path);
  const rows = await fixture.svc.sql('select id from svc.projects where archived_at is not null');
  const archived = new Set(rows.map(({ id }) => id));
  const compare = async (kind: CallerKind) => {
    const client = fixture.clients[kind];
    if (!client) throw new Error(`The fixture has no client of ${kind}.`);
    const view = createCallerView(client, kind);
    const itemsOfDetails = await compareRecords(fixture, view, records, gone);
    await readItems(fixture, view, records);
    await compareProjects(fixture, view, { archived, itemsOfDetails });
    const { wrong, positive } = await compareFigures(view);
    return { wrong: [...new Set([...view.wrong, ...wrong])], positive };
  };
  const results = await Promise.all(callers.map(compare));
  expect.soft([state, results.flatMap(({ wrong }) => wrong)]).toEqual([state, []]);
  return { gone, positive: new Set(results.flatMap(({ positive }) => positive)) };
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
    const counted = await createCountedRecords(fixture, routes);
    records.push(counted.recipient);
    removable.push(counted.subscription);
    await createOtherRecords(fixture, lists);
    const { gone: goneLive, positive } = await expectOneRule(fixture, [...records, ...removable], 'live');
    const live = [...records, ...removable].filter(({ path }) => !goneLive.has(path));
    expect(routes.filter((route) => !live.some((record) => record.route === route))).toEqual([]);
    expect(figureNames.filter((name) => !positive.has(name))).toEqual([]);

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
    const { gone: goneArchived } = await expectOneRule(fixture, all, 'of an archived project');
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
