import { createConnectors } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { addProject } from '@svc/testkit/people/project-records.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { type Call, person, type RouteApp, startRouteApp } from '@svc/testkit/service/route-app.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunSql, type RunSql } from '../../gateways/run-sql/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { createKeyRing, systemRandomness } from '../../platform/crypto/index.ts';
import { createDatabase, type Database, migrate, openPool, readMigrations } from '../../platform/db/index.ts';
import { createAudit } from '../audit/index.ts';
import {
  createDataSourcesService,
  createLinkedSources,
  createLoginNotes,
  createMetadataService,
  createOpenDataSources,
  dataSourceRoutes,
  type LoginNotes,
  type MetadataService,
  type OpenDataSource,
  targetOf,
  type Vault,
} from './index.ts';

const vault: Vault = {
  keys: createKeyRing({ encryptionKey: 'test key of at least thirty-two bytes' }),
  random: systemRandomness,
};
let own: TestDatabase;
let shop: TestDatabase;
let database: Database;
let app: RouteApp;
let call: Call;
let runSql: RunSql;
let logins: LoginNotes;
let metadata: MetadataService;
let project: number;
let closeConnectors: () => Promise<void>;
const warned: unknown[] = [];

const settingsOf = ({ port, user, password, database: name }: TestDatabase['connection'], change = {}) => ({
  host: testHost,
  port,
  user,
  password,
  database: name,
  tlsMode: 'Disable',
  ...change,
});
const ordinary = (change = {}) => settingsOf(shop.connection, change);
const superuser = (change = {}) => settingsOf(shop.adminConnection, change);
const accepted = { acceptPrivilegedLogin: true };

beforeAll(async () => {
  [own, shop] = await Promise.all([createMigratedDatabase(), createEmptyDatabase()]);
  database = createDatabase(openPool({ connection: own.connection }));
  const connectors = createConnectors();
  closeConnectors = connectors.close;
  runSql = createRunSql({ connectors, dial: databaseDial(shop.connection) });
  logins = createLoginNotes({ database, log: { warn: (about: unknown) => void warned.push(about) } });
  const audit = createAudit(systemClock);
  metadata = createMetadataService({ database, runSql, vault, logins });
  const dataSources = createDataSourcesService({ database, connectors, runSql, vault, audit, logins });
  app = await startRouteApp(dataSourceRoutes({ dataSources, metadata }));
  call = app.call;
  const [admin = 0, viewer = 0] = await Promise.all(
    ['admin', 'viewer'].map((name) => createUser(database, name)),
  );
  app.callers.set('admin', person(admin, { role: 'Admin' }));
  app.callers.set('viewer', person(viewer, { role: 'Viewer' }));
  project = await addProject(database, { name: 'Open' });
});
afterAll(async () => {
  await metadata.close();
  await app.close();
  await logins.settled();
  await closeConnectors();
  await database.pool.end();
  await Promise.all([own.drop(), shop.drop()]);
});

const pathOf = (id: number, rest = ''): `/svc/${string}` => `/svc/api/data-sources/${id}${rest}`;
const create = (name: string, connection: Record<string, unknown>) =>
  call('admin', 'POST /svc/api/data-sources', { body: { name, engine: 'PostgreSQL', connection } });
const created = async (name: string, connection: Record<string, unknown>): Promise<number> => {
  const { status, body } = await create(name, connection);
  expect(status, JSON.stringify(body)).toBe(201);
  await database.query('insert into svc.project_data_sources (project_id, data_source_id) values ($1, $2)', [
    project,
    body.id,
  ]);
  return body.id;
};
const change = (id: number, connection: Record<string, unknown>) =>
  call('admin', `PATCH ${pathOf(id)}`, { body: { connection } });
const read = async (id: number, as = 'admin') => (await call(as, `GET ${pathOf(id)}`)).body;
const auditOf = async (id: number) => {
  const { rows } = await database.query<{ detail: Record<string, unknown> }>(
    "select detail from svc.audit_events where subject_kind = 'data_source' and subject_id = $1 order by id",
    [id],
  );
  return rows.map(({ detail }) => detail);
};

/** Opens a source both by its id and through its project, as runs do. */
async function openBoth(id: number): Promise<OpenDataSource[]> {
  const byId = await createOpenDataSources({ vault, logins })(database, [id]);
  const linked = await createLinkedSources({ vault, logins }).of(database, project);
  return [...byId, ...linked.filter((source) => source.id === id).map((source) => source.open())];
}
async function run(source: OpenDataSource): Promise<void> {
  const steps = [{ order: 1, dataSource: targetOf(source), sql: 'select 1' }];
  const result = await runSql.run({
    steps,
    masking: { isEnabled: false },
    signal: new AbortController().signal,
  });
  for await (const _batch of result.batches);
  await logins.settled();
}
const refused = { code: 'privileged-login' };

/** Creates a source as in an installation older than the rule. Its login may be privileged. */
async function older(name: string, connection: Record<string, unknown>): Promise<number> {
  const id = await created(name, { ...connection, ...accepted });
  // Removes the acceptance in the database only, which the API does not allow.
  const { sealConnection } = await import('./connection.ts');
  await database.query(
    "update svc.data_sources set connection_sealed = $2, connection_shown = connection_shown - 'acceptPrivilegedLogin', privileged_login = 'Unasked' where id = $1",
    [id, sealConnection(vault, id, connection)],
  );
  return id;
}

describe('status 400', () => {
  test('refuses to save a source with a privileged login, and returns the role to create', async () => {
    const { status, body } = await create('root', superuser());
    expect(status).toBe(400);
    expect(body).toMatchObject({ ...refused, detail: expect.stringContaining('superuser') });
    expect(body.remedy).toContain('create role svc_reader');
    expect(body.remedy).toContain(`"${shop.connection.database}"`);
    expect(body.remedy).not.toContain(shop.adminConnection.password);
    const { rows } = await database.query("select from svc.data_sources where name = 'root'");
    expect(rows).toEqual([]);
  });

  test('other refusals contain no role script', async () => {
    const { body } = await create('nowhere', ordinary({ host: '/var/run/postgresql' }));
    expect(body).toMatchObject({ code: 'invalid-settings' });
    expect(body).not.toHaveProperty('remedy');
  });

  test('refuses to change a source to a privileged login, or to withdraw the acceptance while it has one', async () => {
    const plain = await created('plain', ordinary());
    expect(await change(plain, superuser())).toMatchObject({ status: 400, body: refused });
    expect((await read(plain)).connection.user).toBe(shop.connection.user);
    const root = await created('accepted root', superuser(accepted));
    const { password } = shop.adminConnection;
    for (const value of [null, false]) {
      const back = await change(root, { acceptPrivilegedLogin: value, password });
      expect(back).toMatchObject({ status: 400, body: { ...refused, remedy: expect.any(String) } });
    }
    expect((await read(root)).connection).toMatchObject(accepted);
  });

  test('the acceptance of a privileged login requires the secret again', async () => {
    const id = await created('secret', ordinary());
    expect(await change(id, accepted)).toMatchObject({ status: 400, body: { code: 'secret-required' } });
  });
});

describe('status 200 and 201', () => {
  test('an accepted privileged login runs and is shown, and each change of the acceptance is in the audit log', async () => {
    const id = await created('accepted', superuser(accepted));
    expect(await read(id)).toMatchObject({ connection: accepted, warnings: [] });
    for (const source of await openBoth(id)) await run(source);
    expect((await change(id, ordinary({ acceptPrivilegedLogin: null }))).status).toBe(200);
    expect((await change(id, superuser(accepted))).status).toBe(200);
    const [first, second, third] = await auditOf(id);
    expect(first).toMatchObject({ connection: accepted });
    expect(second).toMatchObject({ acceptPrivilegedLogin: false });
    expect(third).toMatchObject({ acceptPrivilegedLogin: true });
  });

  test('a test refuses a privileged login with the role to create, and warns of an accepted privileged login', async () => {
    const unsaved = (connection: Record<string, unknown>) =>
      call('admin', 'POST /svc/api/data-sources/test-connection', {
        body: { engine: 'PostgreSQL', connection },
      });
    const no = await unsaved(superuser());
    expect(no.body).toMatchObject({ ok: false, ...refused, remedy: expect.stringContaining('create role') });
    const yes = await unsaved(superuser(accepted));
    expect(yes.body).toMatchObject({ ok: true, remedy: expect.stringContaining('create role') });
    expect(yes.body.warnings[0]).toMatchObject({ code: 'superuser' });
    expect((await unsaved(ordinary())).body).toMatchObject({ ok: true, remedy: null });
    const saved = await call(
      'admin',
      `POST ${pathOf(await created('tested', superuser(accepted)), '/test')}`,
    );
    expect(saved.body).toMatchObject({ ok: true, remedy: expect.stringContaining('create role') });
  });
});

describe('a login that became privileged after it was saved', () => {
  test('is refused by metadata, by runs and by the test of the source', async () => {
    const role = `late_${shop.connection.database}`;
    const admin = new pg.Client(shop.adminConnection);
    await admin.connect();
    try {
      await admin.query(`create role ${role} login password 'pw'`);
      const id = await created('late', ordinary({ user: role, password: 'pw' }));
      await admin.query(`grant pg_execute_server_program to ${role}`);
      const tables = await call('viewer', `GET ${pathOf(id, '/metadata')}`);
      expect(tables).toMatchObject({ status: 400, body: refused });
      expect(tables.text).not.toContain('create role');
      for (const source of await openBoth(id)) await expect(run(source)).rejects.toMatchObject(refused);
      const tested = await call('admin', `POST ${pathOf(id, '/test')}`);
      expect(tested.body).toMatchObject({ ok: false, ...refused, remedy: expect.any(String) });
      expect(await read(id)).toMatchObject({ warnings: [] });
    } finally {
      await admin.query(`drop owned by ${role}; drop role ${role}`);
      await admin.end();
    }
  });
});

describe('a data source that was saved before the check of logins', () => {
  test.each(['run', 'test', 'metadata'])(
    'still runs after a %s, with a warning for its administrators',
    async (use) => {
      const id = await older(`old ${use}`, superuser());
      expect(await read(id)).toMatchObject({ warnings: [] });
      if (use === 'run') for (const source of await openBoth(id)) await run(source);
      else if (use === 'test')
        expect((await call('admin', `POST ${pathOf(id, '/test')}`)).body.ok).toBe(true);
      else expect((await call('viewer', `GET ${pathOf(id, '/metadata')}`)).status).toBe(200);
      await logins.settled();
      const [warning, ...more] = (await read(id)).warnings;
      expect(warning).toMatchObject({
        code: 'privileged-login',
        remedy: expect.stringContaining('create role'),
      });
      expect(more).toEqual([]);
      expect((await read(id, 'viewer')).warnings).toEqual([]);
      expect(
        warned.filter((about) => JSON.stringify(about) === JSON.stringify({ dataSourceId: id })),
      ).toHaveLength(1);
      for (const source of await openBoth(id)) await run(source);
    },
  );

  test('is no longer tolerated after its login was recognized as ordinary', async () => {
    const id = await older('old and ordinary', ordinary());
    for (const source of await openBoth(id)) await run(source);
    expect((await read(id)).warnings).toEqual([]);
    const [source] = await openBoth(id);
    expect(source?.noteLogin).toBeUndefined();
  });

  test('still runs after a change of its name, while a new connection is checked', async () => {
    const id = await older('old name', superuser());
    await call('admin', `POST ${pathOf(id, '/test')}`);
    const renamed = await call('admin', `PATCH ${pathOf(id)}`, { body: { name: 'new name' } });
    expect(renamed.body.warnings).toHaveLength(1);
    const { password } = shop.adminConnection;
    expect(await change(id, { password })).toMatchObject({ status: 400, body: refused });
    expect((await read(id)).warnings).toHaveLength(1);
    const accepting = await change(id, { ...accepted, password });
    expect(accepting).toMatchObject({ status: 200, body: { warnings: [] } });
  });

  test('is listed by its warning only for administrators of data sources', async () => {
    const id = await older('listed old', superuser());
    const other = await created('listed new', ordinary());
    await call('admin', `POST ${pathOf(id, '/test')}`);
    const listed = async (as: string, hasWarnings: boolean) => {
      const { body } = await call(as, `GET /svc/api/data-sources?search=listed&hasWarnings=${hasWarnings}`);
      return [body.totalCount, ...body.items.map((item: { id: number }) => item.id)];
    };
    expect(await listed('admin', true)).toEqual([1, id]);
    expect(await listed('admin', false)).toEqual([1, other]);
    expect(await listed('viewer', true)).toEqual([0]);
    expect(await listed('viewer', false)).toEqual([2, other, id]);
  });

  test('is marked by the migrations if the service checks the logins of its engine', async () => {
    const before = await createEmptyDatabase();
    const client = new pg.Client(before.connection);
    await client.connect();
    try {
      const all = readMigrations();
      const at = all.findIndex(({ name }) => name.includes('privileged-logins'));
      await migrate(client, all.slice(0, at));
      await client.query(
        "insert into svc.data_sources (name, engine, connection_shown, connection_sealed) values ('a', 'PostgreSQL', '{}', ''), ('b', 'MySQL', '{}', '')",
      );
      await migrate(client, all);
      await client.query(
        "insert into svc.data_sources (name, engine, connection_shown, connection_sealed) values ('c', 'PostgreSQL', '{}', '')",
      );
      const { rows } = await client.query(
        'select name, privileged_login from svc.data_sources order by name',
      );
      expect(rows.map((row) => row.privileged_login)).toEqual(['Unasked', 'Unasked', null]);
    } finally {
      await client.end();
      await before.drop();
    }
  });
});
