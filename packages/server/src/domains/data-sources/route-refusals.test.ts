import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RoutesFixture, startRoutesFixture } from './testing/routes-fixture.ts';

let fixture: RoutesFixture;

beforeAll(async () => {
  fixture = await startRoutesFixture();
});
afterAll(() => fixture.close());

const pathOf = (id: number, rest = ''): `/svc/${string}` => `/svc/api/data-sources/${id}${rest}`;

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
    const { status, body } = await fixture.call('sourceAdmin', 'POST /svc/api/data-sources', {
      body: { name: 'x', engine: 'PostgreSQL', connection: fixture.settings(), ...change },
    });
    expect(status).toBe(400);
    if (where) expect(body.errors.map((error: { path: string }) => error.path)).toContain(where);
  });

  test('refuses the database of the service as a source, for a new and for a changed source', async () => {
    const connection = fixture.settings({ database: fixture.own.connection.database });
    const created = await fixture.call('sourceAdmin', 'POST /svc/api/data-sources', {
      body: { name: 'own', engine: 'PostgreSQL', connection },
    });
    expect(created).toMatchObject({ status: 400, body: { code: 'own-database' } });
    const id = await fixture.create('other');
    const changed = await fixture.call('sourceAdmin', `PATCH ${pathOf(id)}`, { body: { connection } });
    expect(changed).toMatchObject({ status: 400, body: { code: 'own-database' } });
  });

  test.each([
    { host: 'elsewhere.test' },
    { port: 5433 },
    { database: 'another' },
    { user: 'another' },
    { tlsMode: 'Require' },
  ])('refuses to send a stored secret to a changed connection: %o', async (connection) => {
    const id = await fixture.create('kept');
    const { status, body } = await fixture.call('sourceAdmin', `PATCH ${pathOf(id)}`, {
      body: { connection },
    });
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
    const { status } = await fixture.call(as, `${method} /svc/api/data-sources${rest}`, {
      ...(body && { body }),
    });
    expect(status).toBe(403);
  });

  test('refuses changes by a user who can only read a source, and connections by a Viewer or a Read key', async () => {
    const id = await fixture.create('readable');
    await fixture.link(fixture.restricted, id);
    const statusOf = async (as: string, operation: string, body?: unknown) =>
      (await fixture.call(as, operation as `${string} /${string}`, { ...(body !== undefined && { body }) }))
        .status;
    expect(await statusOf('editor', `PATCH ${pathOf(id)}`, { name: 'x' })).toBe(403);
    expect(await statusOf('editor', `DELETE ${pathOf(id)}`)).toBe(403);
    expect(await statusOf('editor', `POST ${pathOf(id, '/test')}`)).toBe(403);
    expect(await statusOf('readKey', `GET ${pathOf(id, '/metadata')}`)).toBe(403);
    expect(await statusOf('viewer', `POST ${pathOf(id, '/refresh-metadata')}`)).toBe(403);
    expect(await statusOf('readKey', `POST ${pathOf(id, '/refresh-metadata')}`)).toBe(403);
  });

  test('a DataSourceAdmin with a read role sees the detail of each source, but metadata only in a readable project', async () => {
    const id = await fixture.create('not in reach');
    await fixture.link(fixture.restricted, id);
    expect((await fixture.call('sourceAdminWhoReads', `GET ${pathOf(id)}`)).status).toBe(200);
    expect((await fixture.call('sourceAdminWhoReads', `GET ${pathOf(id, '/metadata')}`)).status).toBe(403);
    // The permission alone grants no access to project data.
    expect((await fixture.call('sourceAdmin', `GET ${pathOf(id)}`)).status).toBe(403);
    expect((await fixture.call('sourceAdmin', `GET ${pathOf(id, '/metadata')}`)).status).toBe(403);
  });
});

describe('status 404', () => {
  test('returns 404 for the migration writes of an unknown source', async () => {
    const body = { isAllowed: true };
    expect(
      (await fixture.call('admin', `PUT ${pathOf(999_999, '/migration-writes')}`, { body })).status,
    ).toBe(404);
  });

  test.each([
    ['GET', ''],
    ['GET', '/metadata'],
    ['POST', '/refresh-metadata'],
  ])('%s %s returns the same 404 for an unreadable source as for an unknown source', async (method, rest) => {
    const id = await fixture.create('hidden');
    await fixture.link(fixture.restricted, id);
    const [hidden, missing] = [
      await fixture.call('stranger', `${method} ${pathOf(id, rest)}`),
      await fixture.call('stranger', `${method} ${pathOf(999_999, rest)}`),
    ];
    expect(hidden.status).toBe(404);
    expect(hidden.text).toBe(missing.text);
  });
});

describe('status 409', () => {
  test('refuses to archive a source with live queries, names the readable queries and counts the others', async () => {
    const id = await fixture.create('in use');
    await fixture.link(fixture.restricted, id);
    const queryId = await fixture.addQuery(fixture.restricted, 'Late orders', id);
    const named = await fixture.call('admin', `DELETE ${pathOf(id)}`);
    expect(named.status).toBe(409);
    expect(named.body.detail).toContain('“Late orders”');
    const counted = await fixture.call('sourceAdmin', `DELETE ${pathOf(id)}`);
    expect(counted.status).toBe(409);
    expect(counted.text).not.toContain('Late orders');
    expect(counted.body.detail).toContain('1 that you cannot see');
    await fixture.database.query('update svc.queries set archived_at = now() where id = $1', [queryId]);
    expect((await fixture.call('sourceAdmin', `DELETE ${pathOf(id)}`)).status).toBe(204);
  });
});

describe('status 412', () => {
  test('refuses a change or an archive of an outdated version with 412', async () => {
    const id = await fixture.create('versions');
    const headers = { 'if-match': '"9"' };
    expect(
      (await fixture.call('admin', `PATCH ${pathOf(id)}`, { body: { name: 'x' }, headers })).status,
    ).toBe(412);
    expect((await fixture.call('admin', `DELETE ${pathOf(id)}`, { headers })).status).toBe(412);
  });
});

describe('status 424', () => {
  test('returns 424 for the metadata of a source that refuses the connection', async () => {
    const id = await fixture.create('down', { connection: fixture.settings({ host: 'localhost', port: 1 }) });
    await fixture.link(fixture.open, id);
    const { status, body } = await fixture.call('viewer', `GET ${pathOf(id, '/metadata')}`);
    expect(status).toBe(424);
    expect(body.code).toBe('connection-failed');
  });
});

describe('status 429', () => {
  test('refuses a second forced refresh within the limit with 429 and states when to retry', async () => {
    const id = await fixture.create('limited');
    await fixture.link(fixture.restricted, id);
    expect((await fixture.call('editor', `POST ${pathOf(id, '/refresh-metadata')}`)).status).toBe(200);
    const second = await fixture.call('editor', `POST ${pathOf(id, '/refresh-metadata')}`);
    expect(second.status).toBe(429);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(second.headers.get('retry-after'))).toBeLessThanOrEqual(30);
    await fixture.database.query(
      "update svc.data_sources set metadata_refresh_asked_at = now() - interval '30 s' where id = $1",
      [id],
    );
    expect((await fixture.call('editor', `POST ${pathOf(id, '/refresh-metadata')}`)).status).toBe(200);
  });
});
