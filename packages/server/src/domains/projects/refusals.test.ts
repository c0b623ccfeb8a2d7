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

describe('400', () => {
  test('a project without a name, with a name that is too long, or with an unknown field is refused', async () => {
    for (const body of [{}, { name: ' ' }, { name: 'x'.repeat(201) }, { name: 'x', accessMode: 'Open' }])
      expect((await call('editor', 'POST /svc/api/projects', { body })).status).toBe(400);
  });

  test('a member needs exactly one of id and name, an existing user, and a known role', async () => {
    for (const body of [
      { role: 'Viewer' },
      { userId: 1, userName: 'viewer', role: 'Viewer' },
      { userName: 'nobody at all', role: 'Viewer' },
      { userId: ids['stranger'], role: 'Owner' },
    ]) {
      const { status } = await call('chief', `POST /svc/api/projects/${restricted}/members`, { body });
      expect(status, JSON.stringify(body)).toBe(400);
    }
  });
});

describe('401', () => {
  test('a caller without credentials can read nothing', async () => {
    expect((await call(undefined, 'GET /svc/api/projects')).status).toBe(401);
    expect((await call(undefined, `GET /svc/api/projects/${open}`)).status).toBe(401);
  });
});

describe('403', () => {
  test('a caller without a global role can read nothing', async () => {
    expect((await call('noRole', 'GET /svc/api/projects')).status).toBe(403);
    expect((await call('noRole', `GET /svc/api/projects/${open}`)).status).toBe(403);
  });

  test.each([
    ['viewer', 'PATCH', '', { name: 'x' }],
    ['readKey', 'PATCH', '', { name: 'x' }],
    ['editor', 'DELETE', '', undefined],
    ['chiefKey', 'DELETE', '', undefined],
    ['editor', 'GET', '/members', undefined],
    ['executeKey', 'GET', '/members', undefined],
    ['chiefKey', 'GET', '/members', undefined],
    ['chiefKey', 'POST', '/members', { userId: 1, role: 'Viewer' }],
    ['editor', 'POST', '/members', { userId: 1, role: 'Viewer' }],
    ['chief', 'PUT', '/access-mode', { accessMode: 'Open' }],
    ['adminKey', 'PUT', '/access-mode', { accessMode: 'Open' }],
    ['chief', 'DELETE', '/data-sources/1', undefined],
  ])('%s may not %s %s in a project that it reads', async (as, method, path, body) => {
    const { status } = await call(as, `${method} /svc/api/projects/${restricted}${path}`, {
      ...(body && { body }),
    });
    expect(status).toBe(403);
  });

  test('an editor may not link a source that only a restricted project has', async () => {
    const { body: project } = await call('editor', 'POST /svc/api/projects', { body: { name: 'Mine' } });
    const { status } = await call('editor', `POST /svc/api/projects/${project.id}/data-sources`, {
      body: { dataSourceId: source },
    });
    expect(status).toBe(403);
  });
});

describe('404', () => {
  test.each([
    ['GET', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['GET', '/members', undefined],
    ['POST', '/members', { userId: 1, role: 'Viewer' }],
    ['PUT', '/members/1', { role: 'Viewer' }],
    ['DELETE', '/members/1', undefined],
    ['GET', '/data-sources', undefined],
    ['POST', '/data-sources', { dataSourceId: 1 }],
  ])(
    '%s %s on an unreadable project gets the same response as for a missing project',
    async (method, path, body) => {
      const on = (id: number) =>
        call('stranger', `${method} /svc/api/projects/${id}${path}`, { ...(body && { body }) });
      const [hidden, missing] = [await on(restricted), await on(999_999)];
      expect(hidden.status).toBe(404);
      expect(hidden.text).toBe(missing.text);
    },
  );

  test('a key cannot see projects outside its list', async () => {
    expect((await call('executeKey', `GET /svc/api/projects/${open}`)).status).toBe(404);
  });

  test('a source that the caller cannot read cannot be linked, and gets the same response as a missing source', async () => {
    const { body: project } = await call('stranger', 'POST /svc/api/projects', { body: { name: 'Probe' } });
    const link = (dataSourceId: number) =>
      call('stranger', `POST /svc/api/projects/${project.id}/data-sources`, { body: { dataSourceId } });
    const [hidden, missing] = [await link(source), await link(999_999)];
    expect(hidden.status).toBe(404);
    expect(hidden.text).toBe(missing.text);
  });
});

describe('409', () => {
  test('if several requests add the same member at the same time, one succeeds and the others get a conflict', async () => {
    const { body: project } = await call('editor', 'POST /svc/api/projects', { body: { name: 'Race' } });
    const add = () =>
      call('editor', `POST /svc/api/projects/${project.id}/members`, {
        body: { userId: ids['viewer'], role: 'Viewer' },
      });
    const statuses = (await Promise.all([add(), add(), add()])).map((answer) => answer.status);
    expect(statuses.sort()).toEqual([201, 409, 409]);
  });

  test('of two project admins who remove each other at the same time, one remains', async () => {
    const id = await addProject(database, {
      name: 'Duel',
      accessMode: 'Restricted',
      members: [
        [ids['chief'] ?? 0, 'ProjectAdmin'],
        [ids['editor'] ?? 0, 'ProjectAdmin'],
      ],
    });
    const remove = (as: string, whom: string) =>
      call(as, `DELETE /svc/api/projects/${id}/members/${ids[whom]}`);
    const statuses = (await Promise.all([remove('chief', 'editor'), remove('editor', 'chief')])).map(
      (answer) => answer.status,
    );
    expect(statuses.sort()).toEqual([204, 404]);
  });

  test('the last ProjectAdmin of a restricted project can be demoted only by a UserAdmin', async () => {
    const chief = `/svc/api/projects/${restricted}/members/${ids['chief']}` as const;
    const demoted = await call('chief', `PUT ${chief}`, { body: { role: 'Editor' } });
    expect(demoted).toMatchObject({ status: 409, body: { code: 'last-project-admin' } });
    expect((await call('chief', `DELETE ${chief}`)).status).toBe(409);
    expect((await call('userAdmin', `PUT ${chief}`, { body: { role: 'Editor' } })).status).toBe(200);
    expect((await call('userAdmin', `PUT ${chief}`, { body: { role: 'ProjectAdmin' } })).status).toBe(200);
  });

  test('a source cannot be linked twice', async () => {
    const { status } = await call('admin', `POST /svc/api/projects/${restricted}/data-sources`, {
      body: { dataSourceId: source },
    });
    expect(status).toBe(409);
  });

  test('a source that an active query of the project uses cannot be unlinked, and the message names the query', async () => {
    const id = await addProject(database, { name: 'In use' });
    const used = await addSource(database, 'used', [id]);
    const { rows } = await database.query<{ id: number }>(
      'insert into svc.queries (project_id, name) values ($1, $2) returning id',
      [id, 'Late orders'],
    );
    await database.query(
      "insert into svc.query_steps (query_id, step_order, data_source_id, sql) values ($1, 1, $2, 'select 1')",
      [rows[0]?.id, used],
    );
    const refused = await call('admin', `DELETE /svc/api/projects/${id}/data-sources/${used}`);
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toContain('Late orders');
    const { body } = await call('admin', `GET /svc/api/projects/${id}/data-sources`);
    expect(body.totalCount).toBe(1);
  });
});

describe('412', () => {
  test('a change of an outdated version is refused', async () => {
    const { body } = await call('editor', 'POST /svc/api/projects', { body: { name: 'Versions' } });
    const path = `/svc/api/projects/${body.id}` as const;
    await call('editor', `PATCH ${path}`, { body: { name: 'Second' } });
    const headers = { 'if-match': '"1"' };
    expect((await call('editor', `PATCH ${path}`, { body: { name: 'Third' }, headers })).status).toBe(412);
    expect((await call('editor', `DELETE ${path}`, { headers })).status).toBe(412);
    const member = `${path}/members/${ids['editor']}` as const;
    const stale = await call('userAdmin', `PUT ${member}`, {
      body: { role: 'Viewer' },
      headers: { 'if-match': '"7"' },
    });
    expect(stale.status).toBe(412);
    const anyVersion = await call('editor', `PATCH ${path}`, {
      body: { name: 'T' },
      headers: { 'if-match': '*' },
    });
    expect(anyVersion.status).toBe(200);
  });
});
