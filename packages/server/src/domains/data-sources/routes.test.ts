import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { testHost } from '@svc/testkit/database/data-source-dial.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOpenDataSources } from './index.ts';
import { type RoutesFixture, startRoutesFixture } from './testing/routes-fixture.ts';

let fixture: RoutesFixture;

beforeAll(async () => {
  fixture = await startRoutesFixture();
});
afterAll(() => fixture.close());

const pathOf = (id: number, rest = ''): `/svc/${string}` => `/svc/api/data-sources/${id}${rest}`;

describe('status 200', () => {
  test('the list contains the sources of readable projects, and all sources for a DataSourceAdmin', async () => {
    const ids = {
      held: await fixture.create('list held'),
      open: await fixture.create('list open'),
      loose: await fixture.create('list loose'),
    };
    await fixture.link(fixture.restricted, ids.held);
    await fixture.link(fixture.open, ids.open);
    const seen = async (as: string, query = '') => {
      const { body } = await fixture.call(as, `GET /svc/api/data-sources?search=list${query}`);
      return [...body.items.map((item: { name: string }) => item.name), body.totalCount];
    };
    expect(await seen('editor')).toEqual(['list held', 'list open', 2]);
    expect(await seen('stranger')).toEqual(['list open', 1]);
    expect(await seen('readKey')).toEqual(['list held', 1]);
    expect(await seen('adminKey')).toEqual(['list open', 1]);
    expect(await seen('sourceAdmin')).toEqual(['list held', 'list loose', 'list open', 3]);
    expect(await seen('admin', `&projectId=${fixture.restricted}`)).toEqual(['list held', 1]);
    expect(await seen('stranger', `&projectId=${fixture.restricted}`)).toEqual([0]);
    expect(await seen('sourceAdmin', '&sort=-name&pageSize=1')).toEqual(['list open', 3]);
  });

  test('connection settings are shown only to administrators of data sources, and secrets to no user', async () => {
    const id = await fixture.create('shown');
    await fixture.link(fixture.open, id);
    const administrator = await fixture.call('admin', `GET ${pathOf(id)}`);
    const { password, ...shown } = fixture.settings();
    expect(administrator.body.connection).toEqual(shown);
    expect(administrator.body.savedSecrets).toEqual(['password']);
    expect(administrator.text).not.toContain(password);
    const viewer = await fixture.call('viewer', `GET ${pathOf(id)}`);
    expect(viewer.body).toMatchObject({ connection: null, savedSecrets: [], isOpenlyReachable: true });
    expect(viewer.text).not.toContain(fixture.shop.connection.user);
    expect(viewer.headers.get('etag')).toBe('"1"');
  });

  test('the query count includes only the queries that the caller can read', async () => {
    const id = await fixture.create('counted');
    await fixture.link(fixture.open, id);
    await fixture.link(fixture.restricted, id);
    await fixture.addQuery(fixture.open, 'one', id);
    await fixture.addQuery(fixture.restricted, 'two', id);
    expect((await fixture.call('editor', `GET ${pathOf(id)}`)).body.queryCount).toBe(2);
    expect((await fixture.call('stranger', `GET ${pathOf(id)}`)).body.queryCount).toBe(1);
  });

  test('a test returns its result with warnings, for stored and unsaved connections', async () => {
    const id = await fixture.create('tested');
    const stored = await fixture.call('sourceAdmin', `POST ${pathOf(id, '/test')}`);
    expect(stored).toMatchObject({ status: 200, body: { ok: true, code: null } });
    expect(stored.body.message).toMatch(/^Connected to PostgreSQL/);
    expect(stored.body.warnings.map((warning: { code: string }) => warning.code)).toContain('may-write');
    const wrong = await fixture.call('sourceAdmin', 'POST /svc/api/data-sources/test-connection', {
      body: { engine: 'PostgreSQL', connection: fixture.settings({ password: 'not-the-password' }) },
    });
    expect(wrong).toMatchObject({ status: 200, body: { ok: false, warnings: [] } });
    expect(wrong.text).not.toContain('not-the-password');
    const ourOwn = await fixture.call('sourceAdmin', 'POST /svc/api/data-sources/test-connection', {
      body: {
        engine: 'PostgreSQL',
        connection: fixture.settings({ database: fixture.own.connection.database }),
      },
    });
    expect(ourOwn.body).toMatchObject({ ok: false, code: 'own-database' });
  });

  test('a change retains the secrets while the connection stays the same', async () => {
    const id = await fixture.create('changed');
    const renamed = await fixture.call('sourceAdmin', `PATCH ${pathOf(id)}`, {
      body: { name: 'renamed', connection: { host: testHost } },
    });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'renamed', version: 2 } });
    expect((await fixture.call('sourceAdmin', `POST ${pathOf(id, '/test')}`)).body.ok).toBe(true);
    const moved = await fixture.call('sourceAdmin', `PATCH ${pathOf(id)}`, {
      body: { connection: { port: 1, password: 'again' } },
    });
    expect(moved).toMatchObject({ status: 200, body: { connection: { port: 1 }, version: 3 } });
  });

  test('engines are listed with the settings of their connections', async () => {
    const { body } = await fixture.call('sourceAdmin', 'GET /svc/api/data-sources/engines');
    expect(body.engines.map((entry: { engine: string }) => entry.engine)).toContain('PostgreSQL');
    expect(body.engines[0].settingsSchema.properties.host).toBeDefined();
    expect(body.engines[0].secretFields).toEqual(['password']);
  });

  test('metadata is read once and then cached until a refresh or a change of the source', async () => {
    const id = await fixture.create('described');
    await fixture.link(fixture.restricted, id);
    const first = await fixture.call('viewer', `GET ${pathOf(id, '/metadata')}`);
    expect(first.status).toBe(200);
    const orders = first.body.tables.find((table: { name: string }) => table.name === 'orders');
    expect(orders).toMatchObject({ primaryKey: ['id'], type: 'Table' });
    const again = await fixture.call('executeKey', `GET ${pathOf(id, '/metadata')}`);
    expect(again.text).toBe(first.text);
    const anew = await fixture.call('editor', `POST ${pathOf(id, '/refresh-metadata')}`);
    expect(anew.status).toBe(200);
    expect(anew.body.refreshedAt > first.body.refreshedAt).toBe(true);
    await fixture.call('sourceAdmin', `PATCH ${pathOf(id)}`, {
      body: { metadataOptions: { tableNamesOnly: true } },
    });
    const narrower = await fixture.call('viewer', `GET ${pathOf(id, '/metadata')}`);
    expect(narrower.body.tables.every((table: { columns: unknown[] }) => table.columns.length === 0)).toBe(
      true,
    );
  });

  test('disabled metadata is empty', async () => {
    const id = await fixture.create('off', { metadataOptions: { isEnabled: false } });
    await fixture.link(fixture.open, id);
    const { body } = await fixture.call('viewer', `GET ${pathOf(id, '/metadata')}`);
    expect(body).toMatchObject({ refreshedAt: null, tables: [] });
    expect((await fixture.call('editor', `POST ${pathOf(id, '/refresh-metadata')}`)).status).toBe(409);
  });

  test('a connection that can no longer be decrypted marks its own source and no other', async () => {
    const id = await fixture.create('broken');
    const other = await fixture.create('broken not');
    await fixture.database.query(
      'update svc.data_sources set connection_sealed = (select connection_sealed from svc.data_sources where id = $2) where id = $1',
      [id, other],
    );
    const { body } = await fixture.call('admin', 'GET /svc/api/data-sources?search=broken');
    expect(body.items).toMatchObject([{ needsConnection: true }, { needsConnection: false }]);
    expect((await fixture.call('admin', `POST ${pathOf(id, '/test')}`)).status).toBe(409);
    const mended = await fixture.call('admin', `PATCH ${pathOf(id)}`, {
      body: { connection: fixture.settings() },
    });
    expect(mended.body.needsConnection).toBe(false);
  });
});

describe('status 201', () => {
  test('a source is created even if its server does not respond, and its secret is stored sealed', async () => {
    const { status, body, headers } = await fixture.call('sourceAdmin', 'POST /svc/api/data-sources', {
      body: {
        name: ' Nobody there ',
        engine: 'postgresql',
        connection: fixture.settings({ host: 'localhost', port: 1, password: 'planted-secret' }),
      },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'Nobody there', engine: 'PostgreSQL', version: 1 });
    expect(headers.get('location')).toBe(pathOf(body.id));
    const { rows } = await fixture.database.query('select * from svc.data_sources where id = $1', [body.id]);
    expect(JSON.stringify(rows)).not.toContain('planted-secret');
    const [opened] = await createOpenDataSources({ vault: fixture.vault, logins: fixture.logins })(
      fixture.database,
      [body.id],
    );
    expect(opened?.connection).toMatchObject({ password: 'planted-secret' });
  });
});

test('files of an allowed folder can be a source, with their columns as metadata', async () => {
  const file = path.join(fixture.folder, 'targets.csv');
  writeFileSync(file, 'region,target\nnorth,10\nsouth,20\n');
  const id = await fixture.create('files', {
    engine: 'DuckDB',
    connection: { files: [{ name: 'targets', path: file }] },
  });
  await fixture.link(fixture.open, id);
  const { body } = await fixture.call('viewer', `GET ${pathOf(id, '/metadata')}`);
  expect(body.tables).toMatchObject([{ name: 'targets', columns: [{ name: 'region' }, { name: 'target' }] }]);
});

describe('status 204', () => {
  test('an Admin can allow writes by data migration, and each change is a version and an audit event', async () => {
    const id = await fixture.create('written to');
    for (const isAllowed of [true, true, false]) {
      const { status } = await fixture.call('admin', `PUT ${pathOf(id, '/migration-writes')}`, {
        body: { isAllowed },
      });
      expect(status).toBe(204);
    }
    const { body } = await fixture.call('admin', `GET ${pathOf(id)}`);
    expect(body).toMatchObject({ areMigrationWritesAllowed: false, version: 3 });
    const { rows } = await fixture.database.query(
      `select event from svc.audit_events where subject_id = $1 and event like '%migration%' order by id`,
      [id],
    );
    expect(rows.map(({ event }) => event)).toEqual([
      'data_sources.migration_writes_allowed',
      'data_sources.migration_writes_closed',
    ]);
  });

  test('an archived source is no longer in lists, pages and runs', async () => {
    const id = await fixture.create('short-lived');
    await fixture.link(fixture.open, id);
    expect((await fixture.call('sourceAdmin', `DELETE ${pathOf(id)}`)).status).toBe(204);
    expect((await fixture.call('admin', `GET ${pathOf(id)}`)).status).toBe(404);
    expect(
      (await fixture.call('admin', 'GET /svc/api/data-sources?search=short-lived')).body.totalCount,
    ).toBe(0);
    expect(
      await createOpenDataSources({ vault: fixture.vault, logins: fixture.logins })(fixture.database, [id]),
    ).toEqual([]);
  });
});
