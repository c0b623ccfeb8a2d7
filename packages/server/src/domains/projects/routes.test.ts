import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { addProject, addSource } from '@svc/testkit/people/project-records.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { type Call, keyOf, person, type RouteApp, startRouteApp } from '@svc/testkit/service/route-app.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import { createAudit } from '../audit/index.ts';
import { createLinksService, createMembersService, createProjectsService, projectRoutes } from './index.ts';

const audit = createAudit(systemClock);
let testDatabase: TestDatabase;
let database: Database;
let app: RouteApp;
let call: Call;
const ids: Record<string, number> = {};
let open: number;
let restricted: number;
let source: number;

beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  database = createDatabase(openPool({ connection: testDatabase.connection }));
  app = await startRouteApp(
    projectRoutes({
      projects: createProjectsService({ database, audit, hasMembers: true }),
      members: createMembersService({ database, audit }),
      links: createLinksService({ database, audit }),
    }),
  );
  call = app.call;
  for (const name of [
    'admin',
    'editor',
    'viewer',
    'chief',
    'stranger',
    'userAdmin',
    'newcomer',
    'sourceAdmin',
  ])
    ids[name] = await createUser(database, name);
  const user = (name: string) => ids[name] ?? 0;
  const editor = person(user('editor'), { role: 'Editor' });
  for (const [name, caller] of Object.entries({
    admin: person(user('admin'), { role: 'Admin' }),
    editor,
    viewer: person(user('viewer'), { role: 'Viewer' }),
    chief: person(user('chief'), { role: 'Editor' }),
    stranger: person(user('stranger'), { role: 'Editor' }),
    userAdmin: person(user('userAdmin'), { permissions: new Set(['UserAdmin']) }),
    sourceAdmin: person(user('sourceAdmin'), { role: 'Editor', permissions: new Set(['DataSourceAdmin']) }),
    noRole: person(user('newcomer')),
  })) {
    app.callers.set(name, caller);
  }
  open = await addProject(database, { name: 'Open one' });
  restricted = await addProject(database, {
    name: 'Restricted one',
    accessMode: 'Restricted',
    members: [
      [user('editor'), 'Editor'],
      [user('viewer'), 'Viewer'],
      [user('chief'), 'ProjectAdmin'],
    ],
  });
  source = await addSource(database, 'held', [restricted]);
  app.callers.set('readKey', keyOf(editor, 'Read', [restricted]));
  app.callers.set('executeKey', keyOf(editor, 'Execute', [restricted]));
  app.callers.set('chiefKey', keyOf(person(user('chief'), { role: 'Editor' }), 'Execute', [restricted]));
  app.callers.set('adminKey', keyOf(person(user('admin'), { role: 'Admin' }), 'Execute', null));
});
afterAll(async () => {
  await app.close();
  await database.pool.end();
  await testDatabase.drop();
});

const namesOf = (body: { items: { name: string }[] }) => body.items.map((item) => item.name);

describe('200', () => {
  test('the list and its count contain only projects that the caller can read', async () => {
    const seen = async (as: string, query = '') => {
      const { body } = await call(as, `GET /svc/api/projects?sort=name${query}`);
      return [...namesOf(body), body.totalCount, body.pageCount];
    };
    expect(await seen('admin')).toEqual(['Open one', 'Restricted one', 2, 1]);
    expect(await seen('editor')).toEqual(['Open one', 'Restricted one', 2, 1]);
    expect(await seen('stranger')).toEqual(['Open one', 1, 1]);
    expect(await seen('readKey')).toEqual(['Restricted one', 1, 1]);
    expect(await seen('adminKey')).toEqual(['Open one', 1, 1]);
    expect(await seen('admin', '&forApiKey=true')).toEqual(['Open one', 1, 1]);
    expect(await seen('admin', '&search=RESTR')).toEqual(['Restricted one', 1, 1]);
    expect(await seen('admin', '&search=%25')).toEqual([0, 0]);
    expect(await seen('admin', `&dataSourceId=${source}`)).toEqual(['Restricted one', 1, 1]);
    expect(await seen('admin', `&dataSourceId=${source}&search=open`)).toEqual([0, 0]);
    expect(await seen('stranger', `&dataSourceId=${source}`)).toEqual([0, 0]);
    expect(await seen('admin', '&pageSize=1&page=1')).toEqual(['Restricted one', 2, 2]);
    expect(await seen('admin', '&pageSize=1&page=9')).toEqual([2, 2]);
  });

  test('the list contains the right of the caller in each project, and the number of linked sources', async () => {
    const { body } = await call('viewer', 'GET /svc/api/projects?sort=-name');
    expect(body.items).toMatchObject([
      { id: restricted, accessMode: 'Restricted', right: 'Read', dataSourceCount: 1, queryCount: 0 },
      { id: open, accessMode: 'Open', right: 'Read', dataSourceCount: 0 },
    ]);
    const chief = await call('chief', `GET /svc/api/projects/${restricted}`);
    expect(chief.body).toMatchObject({ id: restricted, right: 'Manage', version: 1 });
  });

  test('members and linked sources are listed in pages', async () => {
    const members = await call('chief', `GET /svc/api/projects/${restricted}/members?sort=-role,userName`);
    expect(members.body.items.map((member: { userName: string }) => member.userName)).toEqual([
      'viewer',
      'chief',
      'editor',
    ]);
    expect(members.body).toMatchObject({ totalCount: 3, pageCount: 1 });
    const matches = await call('userAdmin', `GET /svc/api/projects/${restricted}/members?search=EDIT`);
    expect(matches.body.items).toMatchObject([{ userName: 'editor', role: 'Editor', isEnabled: true }]);
    const sources = await call('readKey', `GET /svc/api/projects/${restricted}/data-sources`);
    expect(sources.body).toMatchObject({ totalCount: 1, items: [{ id: source, name: 'held' }] });
  });

  test('a change increments the version and returns its tag', async () => {
    const created = await call('stranger', 'POST /svc/api/projects', { body: { name: 'To change' } });
    const path = `/svc/api/projects/${created.body.id}` as const;
    const headers = { 'if-match': created.headers.get('etag') ?? '' };
    const changed = await call('stranger', `PATCH ${path}`, { body: { description: 'New' }, headers });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'To change', description: 'New', version: 2 },
    });
    expect(changed.headers.get('etag')).toBe('"2"');
    const cleared = await call('stranger', `PATCH ${path}`, { body: { description: null } });
    expect(cleared.body).toMatchObject({ description: null, version: 3 });
  });
});

describe('201', () => {
  test('creating a project returns its id, and its creator is its ProjectAdmin', async () => {
    const { status, body, headers } = await call('editor', 'POST /svc/api/projects', {
      body: { name: '  Fresh  ', description: 'What for' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'Fresh', accessMode: 'Open', right: 'Manage', version: 1 });
    expect(body.projectId).toBe(body.id);
    expect(headers.get('location')).toBe(`/svc/api/projects/${body.id}`);
    const members = await call('editor', `GET /svc/api/projects/${body.id}/members`);
    expect(members.body.items).toMatchObject([{ userId: ids['editor'], role: 'ProjectAdmin' }]);
  });

  test('a member is added by id or by name', async () => {
    const { body: project } = await call('editor', 'POST /svc/api/projects', { body: { name: 'Team' } });
    const path = `/svc/api/projects/${project.id}/members` as const;
    const byName = await call('editor', `POST ${path}`, { body: { userName: 'VIEWER', role: 'Editor' } });
    expect(byName).toMatchObject({
      status: 201,
      body: { userId: ids['viewer'], role: 'Editor', version: 1 },
    });
    const byId = await call('userAdmin', `POST ${path}`, { body: { userId: ids['chief'], role: 'Viewer' } });
    expect(byId).toMatchObject({ status: 201, body: { userName: 'chief', addedByUserId: ids['userAdmin'] } });
  });

  test('a source is linked by a source administrator, by a manager of a project with this source, or if an open project has it', async () => {
    const { body: project } = await call('chief', 'POST /svc/api/projects', { body: { name: 'Linking' } });
    const path = `/svc/api/projects/${project.id}/data-sources` as const;
    expect((await call('chief', `POST ${path}`, { body: { dataSourceId: source } })).status).toBe(201);
    const unlinked = await addSource(database, 'unlinked');
    expect((await call('sourceAdmin', `POST ${path}`, { body: { dataSourceId: unlinked } })).status).toBe(
      201,
    );
    // An open project contains it now.
    const other = await call('stranger', 'POST /svc/api/projects', { body: { name: 'Other' } });
    const linked = await call('stranger', `POST /svc/api/projects/${other.body.id}/data-sources`, {
      body: { dataSourceId: unlinked },
    });
    expect(linked).toMatchObject({
      status: 201,
      body: { id: unlinked, name: 'unlinked', engine: 'PostgreSQL' },
    });
    await database.query('delete from svc.project_data_sources where project_id = $1', [project.id]);
  });
});

describe('204', () => {
  test('an archived project no longer exists for any user', async () => {
    const { body } = await call('editor', 'POST /svc/api/projects', { body: { name: 'Short-lived' } });
    expect((await call('editor', `DELETE /svc/api/projects/${body.id}`)).status).toBe(204);
    for (const as of ['editor', 'admin'])
      expect((await call(as, `GET /svc/api/projects/${body.id}`)).status).toBe(404);
    const list = await call('admin', 'GET /svc/api/projects?search=short-lived');
    expect(list.body.totalCount).toBe(0);
  });

  test('a UserAdmin can restrict a project, and only an Admin can open it again', async () => {
    const id = await addProject(database, { name: 'Modes' });
    const set = (as: string, accessMode: string) =>
      call(as, `PUT /svc/api/projects/${id}/access-mode`, { body: { accessMode } });
    expect((await set('userAdmin', 'Restricted')).status).toBe(204);
    expect((await call('stranger', `GET /svc/api/projects/${id}`)).status).toBe(404);
    expect((await set('userAdmin', 'Open')).status).toBe(403);
    expect((await set('admin', 'Open')).status).toBe(204);
    expect((await call('stranger', `GET /svc/api/projects/${id}`)).status).toBe(200);
  });

  test('a removed member can no longer read the project', async () => {
    const id = await addProject(database, {
      name: 'Leaving',
      accessMode: 'Restricted',
      members: [
        [ids['chief'] ?? 0, 'ProjectAdmin'],
        [ids['stranger'] ?? 0, 'Viewer'],
      ],
    });
    expect((await call('stranger', `GET /svc/api/projects/${id}`)).status).toBe(200);
    const removed = await call('chief', `DELETE /svc/api/projects/${id}/members/${ids['stranger']}`);
    expect(removed.status).toBe(204);
    expect((await call('stranger', `GET /svc/api/projects/${id}`)).status).toBe(404);
  });

  test('an Admin unlinks a source that no query of the project uses', async () => {
    const id = await addProject(database, { name: 'Unlinking' });
    const spare = await addSource(database, 'spare', [id]);
    expect((await call('admin', `DELETE /svc/api/projects/${id}/data-sources/${spare}`)).status).toBe(204);
    expect((await call('admin', `DELETE /svc/api/projects/${id}/data-sources/${spare}`)).status).toBe(404);
  });
});

test('changes of members, modes and links are in the audit log with the user who made them', async () => {
  const { body } = await call('editor', 'POST /svc/api/projects', { body: { name: 'Audited' } });
  const path = `/svc/api/projects/${body.id}` as const;
  await call('editor', `POST ${path}/members`, { body: { userId: ids['viewer'], role: 'Viewer' } });
  await call('editor', `PUT ${path}/members/${ids['viewer']}`, { body: { role: 'Editor' } });
  await call('editor', `DELETE ${path}/members/${ids['viewer']}`);
  await call('userAdmin', `PUT ${path}/access-mode`, { body: { accessMode: 'Restricted' } });
  await call('admin', `POST ${path}/data-sources`, { body: { dataSourceId: source } });
  await call('admin', `DELETE ${path}/data-sources/${source}`);
  const { rows } = await database.query<{ event: string; actor_user_id: number }>(
    'select event, actor_user_id from svc.audit_events where project_id = $1 order by id',
    [body.id],
  );
  expect(rows.map((row) => [row.event, row.actor_user_id])).toEqual([
    ['projects.project_created', ids['editor']],
    ['projects.member_added', ids['editor']],
    ['projects.member_role_changed', ids['editor']],
    ['projects.member_removed', ids['editor']],
    ['projects.access_mode_changed', ids['userAdmin']],
    ['projects.data_source_linked', ids['admin']],
    ['projects.data_source_unlinked', ids['admin']],
  ]);
});
