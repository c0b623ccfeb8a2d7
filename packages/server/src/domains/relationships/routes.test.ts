import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const end = (table: string, ...columns: string[]) => ({ schema: 'public', table, columns });
const customers = end('customers', 'id');
let fixture: RunFixture;
let base: string;
let path: string;

beforeAll(async () => {
  fixture = await startRunFixture();
  await fixture.shop.query(`create table customers (id int primary key, name text);
    create table items (id int primary key, order_id int, customer_id int references customers)`);
  base = `/svc/api/data-sources/${fixture.sourceId}`;
  path = `${base}/relationships`;
  await refresh();
});
afterAll(() => fixture.close());

async function refresh(): Promise<void> {
  // Removes the limit of one forced refresh in 30 s.
  await fixture.svc.database.query('update svc.data_sources set metadata_refresh_asked_at = null');
  const { status, text } = await fixture.root.post(`${base}/refresh-metadata`);
  expect(status, text).toBe(200);
}
type Listed = { id: number; label: string; origin: string; version: number };
const listed = async (filter = ''): Promise<Listed[]> =>
  (await fixture.root.get(`${path}${filter}`)).body.items;

describe('declared keys', () => {
  test('disappear when they are no longer declared, and return with their label', async () => {
    const [declared] = await listed('?origin=ForeignKey');
    await fixture.root.patch(`${path}/${declared?.id}`, { label: 'buyer' });
    await fixture.shop.query('alter table items drop constraint items_customer_id_fkey');
    await refresh();
    expect(await listed('?origin=ForeignKey')).toEqual([]);
    await fixture.shop.query('alter table items add foreign key (customer_id) references customers');
    await refresh();
    expect(await listed('?origin=ForeignKey')).toMatchObject([{ id: declared?.id, label: 'buyer' }]);
  });

  test('stay deleted even if they are still declared', async () => {
    const [declared] = await listed('?origin=ForeignKey');
    expect((await fixture.root.delete(`${path}/${declared?.id}`)).status).toBe(204);
    await refresh();
    expect(await listed('?origin=ForeignKey')).toEqual([]);
    const again = await fixture.root.post(path, { source: end('items', 'customer_id'), target: customers });
    expect([again.status, again.body.code]).toEqual([409, 'relationship-exists']);
    await fixture.svc.database.query('delete from svc.relationships');
    await refresh();
  });

  test('cannot be verified: 409', async () => {
    const [declared] = await listed('?origin=ForeignKey');
    const { status, body } = await fixture.root.post(`${path}/${declared?.id}/verify`, { isVerified: false });
    expect([status, body.code]).toEqual([409, 'relationship-declared']);
  });
});

describe('400', () => {
  const orders = end('orders', 'id');
  test.each([
    ['/source/table', { source: end('nowhere', 'id'), target: orders }],
    ['/source/table', { source: { ...orders, schema: 'other' }, target: orders }],
    ['/target/columns/0', { source: orders, target: end('customers', 'nothing') }],
    ['/target/columns', { source: orders, target: end('items', 'id', 'order_id') }],
    ['/source/columns/1', { source: end('items', 'id', 'id'), target: end('items', 'id', 'order_id') }],
    ['/target/columns/0', { source: orders, target: end('customers', 'name') }],
  ])('names %s in the error', async (member, ends) => {
    const { status, body } = await fixture.root.post(path, ends);
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, 'invalid-relationship', member]);
  });

  test('an end without a column, and an end with more than 32 columns, are refused', async () => {
    for (const columns of [[], Array.from({ length: 33 }, (_, n) => `c${n}`)])
      expect((await fixture.root.post(path, { source: { ...orders, columns }, target: orders })).status).toBe(
        400,
      );
  });

  test('a relationship that was not proposed cannot be accepted', async () => {
    const proposals = [{ source: orders, target: customers }];
    const { status, body } = await fixture.root.post(`${path}/discover/accept`, { proposals });
    expect([status, body.code]).toEqual([400, 'relationship-not-proposed']);
    expect(await listed('?origin=Inferred')).toEqual([]);
  });
});

describe('404', () => {
  test('a relationship of another source, a deleted relationship and an unreadable source do not exist', async () => {
    const [one] = await listed();
    const { connection } = (await fixture.root.get(base)).body;
    const other = await fixture.make('/svc/api/data-sources', {
      name: 'Another source',
      engine: 'PostgreSQL',
      connection: { ...connection, password: 'none' },
    });
    await fixture.root.post(`/svc/api/projects/${fixture.projectId}/data-sources`, {
      dataSourceId: other.id,
    });
    for (const [method, rest, body] of [
      ['patch', '', { label: 'x' }],
      ['delete', '', undefined],
      ['post', '/verify', { isVerified: true }],
      ['post', '/check', undefined],
    ] as const) {
      const at = `/svc/api/data-sources/${other.id}/relationships/${one?.id}${rest}`;
      const { status } =
        method === 'delete' ? await fixture.root.delete(at) : await fixture.root[method](at, body);
      expect([method, rest, status]).toEqual([method, rest, 404]);
    }
    const stranger = await signIn(fixture.svc, await addUser(fixture.svc, 'stranger', ['Editor']));
    await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, {
      accessMode: 'Restricted',
    });
    for (const at of [path, `${base}/schema-health`]) expect((await stranger.get(at)).status).toBe(404);
    await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Open' });
  });
});

test('a DataSourceAdmin without a project gets 403 for the schema', async () => {
  const keeper = await signIn(
    fixture.svc,
    await addUser(fixture.svc, 'keeper', ['Viewer', 'DataSourceAdmin']),
  );
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
  const { status, body } = await keeper.get(path);
  expect([status, body.code]).toEqual([403, 'project-right-required']);
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Open' });
});

test('an outdated version changes and deletes nothing, and gets 412', async () => {
  const [one] = await listed();
  const stale = { headers: { 'if-match': '"999"' } };
  expect((await fixture.root.patch(`${path}/${one?.id}`, { label: 'x' }, stale)).status).toBe(412);
  expect((await fixture.root.delete(`${path}/${one?.id}`, stale)).status).toBe(412);
  expect(await listed()).toContainEqual(one);
});

test('several requests that add the same relationship at the same time create one', async () => {
  const ends = { source: end('items', 'order_id'), target: end('orders', 'id') };
  const answers = await Promise.all([1, 2, 3, 4].map(() => fixture.root.post(path, ends)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});
