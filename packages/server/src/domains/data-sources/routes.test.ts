import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createConnectors, readDatabaseIdentity } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { addProject } from '@svc/testkit/people/project-records.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { type Call, keyOf, person, type RouteApp, startRouteApp } from '@svc/testkit/service/route-app.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunSql } from '../../gateways/run-sql/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { createKeyRing, systemRandomness } from '../../platform/crypto/index.ts';
import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import { createAudit } from '../audit/index.ts';
import {
  createDataSourcesService,
  createLoginNotes,
  createMetadataService,
  createOpenDataSources,
  dataSourceRoutes,
  type LoginNotes,
  type MetadataService,
  type Vault,
} from './index.ts';

const audit = createAudit(systemClock);
let own: TestDatabase;
let shop: TestDatabase;
let database: Database;
let app: RouteApp;
let folder: string;
const closing: (() => Promise<unknown>)[] = [];
let call: Call;
let metadata: MetadataService;
let logins: LoginNotes;
let open: number;
let restricted: number;
const vault: Vault = {
  keys: createKeyRing({ encryptionKey: 'test key of at least thirty-two bytes' }),
  random: systemRandomness,
};

const settings = (change: Record<string, unknown> = {}) => {
  const { port, user, password, database: name } = shop.connection;
  return { host: testHost, port, user, password, database: name, tlsMode: 'Disable', ...change };
};
const create = async (name: string, change: Record<string, unknown> = {}): Promise<number> => {
  const { body, status } = await call('sourceAdmin', 'POST /svc/api/data-sources', {
    body: { name, engine: 'PostgreSQL', connection: settings(), ...change },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
};
const link = (projectId: number, dataSourceId: number) =>
  database.query('insert into svc.project_data_sources (project_id, data_source_id) values ($1, $2)', [
    projectId,
    dataSourceId,
  ]);
const addQuery = async (projectId: number, name: string, dataSourceId: number) => {
  const { rows } = await database.query<{ id: number }>(
    'insert into svc.queries (project_id, name) values ($1, $2) returning id',
    [projectId, name],
  );
  await database.query(
    "insert into svc.query_steps (query_id, step_order, data_source_id, sql) values ($1, 1, $2, 'select 1')",
    [rows[0]?.id, dataSourceId],
  );
  return rows[0]?.id;
};

beforeAll(async () => {
  [own, shop] = await Promise.all([createMigratedDatabase(), createEmptyDatabase()]);
  folder = mkdtempSync(path.join(os.tmpdir(), 'svc-files-'));
  database = createDatabase(openPool({ connection: own.connection }));
  const client = new pg.Client(shop.connection);
  await client.connect();
  await client.query(
    'create table orders (id int primary key, customer text not null); create table lines (order_id int references orders, quantity int)',
  );
  await client.end();
  const identity = await readDatabaseIdentity(database.pool);
  const connectors = createConnectors({
    ownDatabases: [identity],
    files: { allowedFolders: [folder] },
  });
  closing.push(() => connectors.close());
  const runSql = createRunSql({ connectors, dial: databaseDial(shop.connection) });
  logins = createLoginNotes({ database, log: { warn: () => undefined } });
  metadata = createMetadataService({ database, runSql, vault, logins });
  const dataSources = createDataSourcesService({ database, connectors, runSql, vault, audit, logins });
  app = await startRouteApp(dataSourceRoutes({ dataSources, metadata }));
  call = app.call;
  const [admin, editor, viewer, stranger, sourceAdmin] = await Promise.all(
    ['admin', 'editor', 'viewer', 'stranger', 'sourceAdmin'].map((name) => createUser(database, name)),
  );
  const people = {
    admin: person(admin ?? 0, { role: 'Admin' }),
    editor: person(editor ?? 0, { role: 'Editor' }),
    viewer: person(viewer ?? 0, { role: 'Viewer' }),
    stranger: person(stranger ?? 0, { role: 'Editor' }),
    sourceAdmin: person(sourceAdmin ?? 0, { permissions: new Set(['DataSourceAdmin']) }),
    sourceAdminWhoReads: person(sourceAdmin ?? 0, {
      role: 'Viewer',
      permissions: new Set(['DataSourceAdmin']),
    }),
  } as const;
  for (const [name, caller] of Object.entries(people)) app.callers.set(name, caller);
  open = await addProject(database, { name: 'Open' });
  restricted = await addProject(database, {
    name: 'Restricted',
    accessMode: 'Restricted',
    members: [
      [editor ?? 0, 'Editor'],
      [viewer ?? 0, 'Viewer'],
    ],
  });
  app.callers.set('readKey', keyOf(people.editor, 'Read', [restricted]));
  app.callers.set('executeKey', keyOf(people.editor, 'Execute', [restricted]));
  app.callers.set('adminKey', keyOf(people.admin, 'Execute', null));
});
afterAll(async () => {
  await metadata.close();
  await app.close();
  for (const close of closing) await close();
  rmSync(folder, { recursive: true });
  await database.pool.end();
  await Promise.all([own.drop(), shop.drop()]);
});

const pathOf = (id: number, rest = ''): `/svc/${string}` => `/svc/api/data-sources/${id}${rest}`;

describe('status 200', () => {
  test('the list contains the sources of readable projects, and all sources for a DataSourceAdmin', async () => {
    const ids = {
      held: await create('list held'),
      open: await create('list open'),
      loose: await create('list loose'),
    };
    await link(restricted, ids.held);
    await link(open, ids.open);
    const seen = async (as: string, query = '') => {
      const { body } = await call(as, `GET /svc/api/data-sources?search=list${query}`);
      return [...body.items.map((item: { name: string }) => item.name), body.totalCount];
    };
    expect(await seen('editor')).toEqual(['list held', 'list open', 2]);
    expect(await seen('stranger')).toEqual(['list open', 1]);
    expect(await seen('readKey')).toEqual(['list held', 1]);
    expect(await seen('adminKey')).toEqual(['list open', 1]);
    expect(await seen('sourceAdmin')).toEqual(['list held', 'list loose', 'list open', 3]);
    expect(await seen('admin', `&projectId=${restricted}`)).toEqual(['list held', 1]);
    expect(await seen('stranger', `&projectId=${restricted}`)).toEqual([0]);
    expect(await seen('sourceAdmin', '&sort=-name&pageSize=1')).toEqual(['list open', 3]);
  });

  test('connection settings are shown only to administrators of data sources, and secrets to no user', async () => {
    const id = await create('shown');
    await link(open, id);
    const administrator = await call('admin', `GET ${pathOf(id)}`);
    const { password, ...shown } = settings();
    expect(administrator.body.connection).toEqual(shown);
    expect(administrator.body.savedSecrets).toEqual(['password']);
    expect(administrator.text).not.toContain(password);
    const viewer = await call('viewer', `GET ${pathOf(id)}`);
    expect(viewer.body).toMatchObject({ connection: null, savedSecrets: [], isOpenlyReachable: true });
    expect(viewer.text).not.toContain(shop.connection.user);
    expect(viewer.headers.get('etag')).toBe('"1"');
  });

  test('the query count includes only the queries that the caller can read', async () => {
    const id = await create('counted');
    await link(open, id);
    await link(restricted, id);
    await addQuery(open, 'one', id);
    await addQuery(restricted, 'two', id);
    expect((await call('editor', `GET ${pathOf(id)}`)).body.queryCount).toBe(2);
    expect((await call('stranger', `GET ${pathOf(id)}`)).body.queryCount).toBe(1);
  });

  test('a test returns its result with warnings, for stored and unsaved connections', async () => {
    const id = await create('tested');
    const stored = await call('sourceAdmin', `POST ${pathOf(id, '/test')}`);
    expect(stored).toMatchObject({ status: 200, body: { ok: true, code: null } });
    expect(stored.body.message).toMatch(/^Connected to PostgreSQL/);
    expect(stored.body.warnings.map((warning: { code: string }) => warning.code)).toContain('may-write');
    const wrong = await call('sourceAdmin', 'POST /svc/api/data-sources/test-connection', {
      body: { engine: 'PostgreSQL', connection: settings({ password: 'not-the-password' }) },
    });
    expect(wrong).toMatchObject({ status: 200, body: { ok: false, warnings: [] } });
    expect(wrong.text).not.toContain('not-the-password');
    const ourOwn = await call('sourceAdmin', 'POST /svc/api/data-sources/test-connection', {
      body: { engine: 'PostgreSQL', connection: settings({ database: own.connection.database }) },
    });
    expect(ourOwn.body).toMatchObject({ ok: false, code: 'own-database' });
  });

  test('a change retains the secrets while the connection stays the same', async () => {
    const id = await create('changed');
    const renamed = await call('sourceAdmin', `PATCH ${pathOf(id)}`, {
      body: { name: 'renamed', connection: { host: testHost } },
    });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'renamed', version: 2 } });
    expect((await call('sourceAdmin', `POST ${pathOf(id, '/test')}`)).body.ok).toBe(true);
    const moved = await call('sourceAdmin', `PATCH ${pathOf(id)}`, {
      body: { connection: { port: 1, password: 'again' } },
    });
    expect(moved).toMatchObject({ status: 200, body: { connection: { port: 1 }, version: 3 } });
  });

  test('engines are listed with the settings of their connections', async () => {
    const { body } = await call('sourceAdmin', 'GET /svc/api/data-sources/engines');
    expect(body.engines.map((entry: { engine: string }) => entry.engine)).toContain('PostgreSQL');
    expect(body.engines[0].settingsSchema.properties.host).toBeDefined();
    expect(body.engines[0].secretFields).toEqual(['password']);
  });

  test('metadata is read once and then cached until a refresh or a change of the source', async () => {
    const id = await create('described');
    await link(restricted, id);
    const first = await call('viewer', `GET ${pathOf(id, '/metadata')}`);
    expect(first.status).toBe(200);
    const orders = first.body.tables.find((table: { name: string }) => table.name === 'orders');
    expect(orders).toMatchObject({ primaryKey: ['id'], type: 'Table' });
    const again = await call('executeKey', `GET ${pathOf(id, '/metadata')}`);
    expect(again.text).toBe(first.text);
    const anew = await call('editor', `POST ${pathOf(id, '/refresh-metadata')}`);
    expect(anew.status).toBe(200);
    expect(anew.body.refreshedAt > first.body.refreshedAt).toBe(true);
    await call('sourceAdmin', `PATCH ${pathOf(id)}`, { body: { metadataOptions: { tableNamesOnly: true } } });
    const narrower = await call('viewer', `GET ${pathOf(id, '/metadata')}`);
    expect(narrower.body.tables.every((table: { columns: unknown[] }) => table.columns.length === 0)).toBe(
      true,
    );
  });

  test('disabled metadata is empty', async () => {
    const id = await create('off', { metadataOptions: { isEnabled: false } });
    await link(open, id);
    const { body } = await call('viewer', `GET ${pathOf(id, '/metadata')}`);
    expect(body).toMatchObject({ refreshedAt: null, tables: [] });
    expect((await call('editor', `POST ${pathOf(id, '/refresh-metadata')}`)).status).toBe(409);
  });

  test('a connection that can no longer be decrypted marks its own source and no other', async () => {
    const id = await create('broken');
    const other = await create('broken not');
    await database.query(
      'update svc.data_sources set connection_sealed = (select connection_sealed from svc.data_sources where id = $2) where id = $1',
      [id, other],
    );
    const { body } = await call('admin', 'GET /svc/api/data-sources?search=broken');
    expect(body.items).toMatchObject([{ needsConnection: true }, { needsConnection: false }]);
    expect((await call('admin', `POST ${pathOf(id, '/test')}`)).status).toBe(409);
    const mended = await call('admin', `PATCH ${pathOf(id)}`, { body: { connection: settings() } });
    expect(mended.body.needsConnection).toBe(false);
  });
});

describe('status 201', () => {
  test('a source is created even if its server does not respond, and its secret is stored sealed', async () => {
    const { status, body, headers } = await call('sourceAdmin', 'POST /svc/api/data-sources', {
      body: {
        name: ' Nobody there ',
        engine: 'postgresql',
        connection: settings({ host: 'localhost', port: 1, password: 'planted-secret' }),
      },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'Nobody there', engine: 'PostgreSQL', version: 1 });
    expect(headers.get('location')).toBe(pathOf(body.id));
    const { rows } = await database.query('select * from svc.data_sources where id = $1', [body.id]);
    expect(JSON.stringify(rows)).not.toContain('planted-secret');
    const [opened] = await createOpenDataSources({ vault, logins })(database, [body.id]);
    expect(opened?.connection).toMatchObject({ password: 'planted-secret' });
  });
});

test('files of an allowed folder can be a source, with their columns as metadata', async () => {
  const file = path.join(folder, 'targets.csv');
  writeFileSync(file, 'region,target\nnorth,10\nsouth,20\n');
  const id = await create('files', {
    engine: 'DuckDB',
    connection: { files: [{ name: 'targets', path: file }] },
  });
  await link(open, id);
  const { body } = await call('viewer', `GET ${pathOf(id, '/metadata')}`);
  expect(body.tables).toMatchObject([{ name: 'targets', columns: [{ name: 'region' }, { name: 'target' }] }]);
});

describe('status 204', () => {
  test('an Admin can allow writes by data migration, and each change is a version and an audit event', async () => {
    const id = await create('written to');
    for (const isAllowed of [true, true, false]) {
      const { status } = await call('admin', `PUT ${pathOf(id, '/migration-writes')}`, {
        body: { isAllowed },
      });
      expect(status).toBe(204);
    }
    const { body } = await call('admin', `GET ${pathOf(id)}`);
    expect(body).toMatchObject({ areMigrationWritesAllowed: false, version: 3 });
    const { rows } = await database.query(
      `select event from svc.audit_events where subject_id = $1 and event like '%migration%' order by id`,
      [id],
    );
    expect(rows.map(({ event }) => event)).toEqual([
      'data_sources.migration_writes_allowed',
      'data_sources.migration_writes_closed',
    ]);
  });

  test('an archived source is no longer in lists, pages and runs', async () => {
    const id = await create('short-lived');
    await link(open, id);
    expect((await call('sourceAdmin', `DELETE ${pathOf(id)}`)).status).toBe(204);
    expect((await call('admin', `GET ${pathOf(id)}`)).status).toBe(404);
    expect((await call('admin', 'GET /svc/api/data-sources?search=short-lived')).body.totalCount).toBe(0);
    expect(await createOpenDataSources({ vault, logins })(database, [id])).toEqual([]);
  });
});

describe('status 400', () => {
  test.each([
    ['an unknown engine', { engine: 'Paper' }, '/engine'],
    ['a missing host', { connection: { database: 'x', user: 'y' } }, '/connection/host'],
    [
      'an unknown setting',
      { connection: { host: 'h', database: 'd', user: 'u', socket: '/x' } },
      '/connection/socket',
    ],
    ['a file elsewhere', { engine: 'SQLite', connection: { file: '/etc/passwd' } }, undefined],
    ['a Unix socket', { connection: { host: '/run/pg', database: 'd', user: 'u' } }, '/connection/host'],
  ])('refuses %s with 400', async (_what, change, where) => {
    const { status, body } = await call('sourceAdmin', 'POST /svc/api/data-sources', {
      body: { name: 'x', engine: 'PostgreSQL', connection: settings(), ...change },
    });
    expect(status).toBe(400);
    if (where) expect(body.errors.map((error: { path: string }) => error.path)).toContain(where);
  });

  test('refuses the database of the service as a source, for a new and for a changed source', async () => {
    const connection = settings({ database: own.connection.database });
    const created = await call('sourceAdmin', 'POST /svc/api/data-sources', {
      body: { name: 'own', engine: 'PostgreSQL', connection },
    });
    expect(created).toMatchObject({ status: 400, body: { code: 'own-database' } });
    const id = await create('other');
    const changed = await call('sourceAdmin', `PATCH ${pathOf(id)}`, { body: { connection } });
    expect(changed).toMatchObject({ status: 400, body: { code: 'own-database' } });
  });

  test.each([
    { host: 'elsewhere.test' },
    { port: 5433 },
    { database: 'another' },
    { user: 'another' },
    { tlsMode: 'Require' },
  ])('refuses to send a stored secret to a changed connection: %o', async (connection) => {
    const id = await create('kept');
    const { status, body } = await call('sourceAdmin', `PATCH ${pathOf(id)}`, { body: { connection } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'secret-required', errors: [{ path: '/connection/password' }] });
  });
});

describe('status 403', () => {
  test.each([
    ['editor', 'POST', '', { name: 'x', engine: 'PostgreSQL', connection: {} }],
    ['executeKey', 'POST', '', { name: 'x', engine: 'PostgreSQL', connection: {} }],
    ['adminKey', 'POST', '/test-connection', { engine: 'PostgreSQL', connection: {} }],
    ['editor', 'POST', '/test-connection', { engine: 'PostgreSQL', connection: {} }],
    ['editor', 'GET', '/engines', undefined],
    ['sourceAdmin', 'PUT', '/1/migration-writes', { isAllowed: true }],
    ['adminKey', 'PUT', '/1/migration-writes', { isAllowed: true }],
  ])('refuses the caller %s with 403 for %s %s', async (as, method, rest, body) => {
    const { status } = await call(as, `${method} /svc/api/data-sources${rest}`, { ...(body && { body }) });
    expect(status).toBe(403);
  });

  test('refuses changes by a user who can only read a source, and connections by a Viewer or a Read key', async () => {
    const id = await create('readable');
    await link(restricted, id);
    const statusOf = async (as: string, operation: string, body?: unknown) =>
      (await call(as, operation as `${string} /${string}`, { ...(body !== undefined && { body }) })).status;
    expect(await statusOf('editor', `PATCH ${pathOf(id)}`, { name: 'x' })).toBe(403);
    expect(await statusOf('editor', `DELETE ${pathOf(id)}`)).toBe(403);
    expect(await statusOf('editor', `POST ${pathOf(id, '/test')}`)).toBe(403);
    expect(await statusOf('readKey', `GET ${pathOf(id, '/metadata')}`)).toBe(403);
    expect(await statusOf('viewer', `POST ${pathOf(id, '/refresh-metadata')}`)).toBe(403);
    expect(await statusOf('readKey', `POST ${pathOf(id, '/refresh-metadata')}`)).toBe(403);
  });

  test('a DataSourceAdmin with a read role sees the detail of each source, but metadata only in a readable project', async () => {
    const id = await create('not in reach');
    await link(restricted, id);
    expect((await call('sourceAdminWhoReads', `GET ${pathOf(id)}`)).status).toBe(200);
    expect((await call('sourceAdminWhoReads', `GET ${pathOf(id, '/metadata')}`)).status).toBe(403);
    // The permission alone grants no access to project data.
    expect((await call('sourceAdmin', `GET ${pathOf(id)}`)).status).toBe(403);
    expect((await call('sourceAdmin', `GET ${pathOf(id, '/metadata')}`)).status).toBe(403);
  });
});

describe('status 404', () => {
  test('returns 404 for the migration writes of an unknown source', async () => {
    const body = { isAllowed: true };
    expect((await call('admin', `PUT ${pathOf(999_999, '/migration-writes')}`, { body })).status).toBe(404);
  });

  test.each([
    ['GET', ''],
    ['GET', '/metadata'],
    ['POST', '/refresh-metadata'],
  ])('%s %s returns the same 404 for an unreadable source as for an unknown source', async (method, rest) => {
    const id = await create('hidden');
    await link(restricted, id);
    const [hidden, missing] = [
      await call('stranger', `${method} ${pathOf(id, rest)}`),
      await call('stranger', `${method} ${pathOf(999_999, rest)}`),
    ];
    expect(hidden.status).toBe(404);
    expect(hidden.text).toBe(missing.text);
  });
});

describe('status 409', () => {
  test('refuses to archive a source with live queries, names the readable queries and counts the others', async () => {
    const id = await create('in use');
    await link(restricted, id);
    const queryId = await addQuery(restricted, 'Late orders', id);
    const named = await call('admin', `DELETE ${pathOf(id)}`);
    expect(named.status).toBe(409);
    expect(named.body.detail).toContain('“Late orders”');
    const counted = await call('sourceAdmin', `DELETE ${pathOf(id)}`);
    expect(counted.status).toBe(409);
    expect(counted.text).not.toContain('Late orders');
    expect(counted.body.detail).toContain('1 that you cannot see');
    await database.query('update svc.queries set archived_at = now() where id = $1', [queryId]);
    expect((await call('sourceAdmin', `DELETE ${pathOf(id)}`)).status).toBe(204);
  });
});

describe('status 412', () => {
  test('refuses a change or an archive of an outdated version with 412', async () => {
    const id = await create('versions');
    const headers = { 'if-match': '"9"' };
    expect((await call('admin', `PATCH ${pathOf(id)}`, { body: { name: 'x' }, headers })).status).toBe(412);
    expect((await call('admin', `DELETE ${pathOf(id)}`, { headers })).status).toBe(412);
  });
});

describe('status 424', () => {
  test('returns 424 for the metadata of a source that refuses the connection', async () => {
    const id = await create('down', { connection: settings({ host: 'localhost', port: 1 }) });
    await link(open, id);
    const { status, body } = await call('viewer', `GET ${pathOf(id, '/metadata')}`);
    expect(status).toBe(424);
    expect(body.code).toBe('connection-failed');
  });
});

describe('status 429', () => {
  test('refuses a second forced refresh within the limit with 429 and states when to retry', async () => {
    const id = await create('limited');
    await link(restricted, id);
    expect((await call('editor', `POST ${pathOf(id, '/refresh-metadata')}`)).status).toBe(200);
    const second = await call('editor', `POST ${pathOf(id, '/refresh-metadata')}`);
    expect(second.status).toBe(429);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(second.headers.get('retry-after'))).toBeLessThanOrEqual(30);
    await database.query(
      "update svc.data_sources set metadata_refresh_asked_at = now() - interval '30 s' where id = $1",
      [id],
    );
    expect((await call('editor', `POST ${pathOf(id, '/refresh-metadata')}`)).status).toBe(200);
  });
});
