import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunWorld, startRunWorld } from '../../../../../tools/test/run-world.ts';
import type { TestClient } from '../../testing.ts';

const path = '/svc/api/recipients';
let world: RunWorld;
let securityAdmin: TestClient;
let viewer: TestClient;
let recipientId: number;
let openSubscription: number;

/** One recipient, used by a query of an open project and by one of a project that only its Admin reads. */
beforeAll(async () => {
  world = await startRunWorld({ config: { 'Svc:Jobs:Workers': 0 } });
  securityAdmin = await world.person('security', 'SecurityAdmin');
  viewer = await world.person('viewer', 'Viewer');
  recipientId = await world.addRecipient('/used');
  const queryId = await world.addQuery('select 1 as one');
  openSubscription = (await world.addSubscription({ queryId, recipientIds: [recipientId] })).id;
  const hidden = await world.make('/svc/api/projects', { name: 'Hidden project' });
  await world.root.post(`/svc/api/projects/${hidden.id}/data-sources`, { dataSourceId: world.sourceId });
  const { id: hiddenQuery } = await world.make('/svc/api/queries', {
    projectId: hidden.id,
    name: 'Hidden query',
    steps: [{ dataSourceId: world.sourceId, sql: 'select 1 as one' }],
  });
  await world.addSubscription({ queryId: hiddenQuery, recipientIds: [recipientId] });
  await world.root.put(`/svc/api/projects/${hidden.id}/access-mode`, { accessMode: 'Restricted' });
});
afterAll(() => world.close());

test('the subscriptions that use a recipient are listed, as far as the caller can read them', async () => {
  const uses = `${path}/${recipientId}/uses`;
  const all = await world.root.get(`${uses}?sort=-queryName`);
  expect(all.body).toMatchObject({
    totalCount: 2,
    items: [{ queryName: 'Query 2' }, { queryName: 'Hidden query' }],
  });
  const some = await viewer.get(uses);
  expect(some.body).toMatchObject({
    totalCount: 1,
    items: [{ subscriptionId: openSubscription, projectName: 'Shop', projectId: world.projectId }],
  });
  expect(some.text).not.toContain('Hidden');
  expect((await securityAdmin.get(uses)).body).toMatchObject({ totalCount: 0, items: [] });
  expect((await viewer.get(`${uses}?pageSize=1&page=1`)).body).toMatchObject({ totalCount: 1, items: [] });
  expect((await viewer.get(`${path}/999999/uses`)).status).toBe(404);
});

test('deleting what is used names what the caller can read, and only counts the rest', async () => {
  const remove = async (client: TestClient) => (await client.delete(`${path}/${recipientId}`)).body;
  expect(await remove(world.root)).toMatchObject({ status: 409, code: 'recipient-in-use' });
  expect((await remove(world.root)).detail).toContain('Hidden query, Query 2');
  const { detail } = await remove(securityAdmin);
  expect(detail).not.toContain('Hidden');
  expect(detail).toContain('2 that you cannot read');
});

test('a recipient kept from before encryption says so until it is saved again', async () => {
  const id = await world.addRecipient('/kept');
  expect((await securityAdmin.get(`${path}/${id}`)).body).toMatchObject({ isEncrypted: true });
  await world.svc.database.query('update svc.recipients set destination_sealed = $2 where id = $1', [
    id,
    `${world.sink.url}/kept`,
  ]);
  const { body } = await securityAdmin.get(`${path}/${id}`);
  expect(body).toMatchObject({ isEncrypted: false, needsDestination: false });
  const { notificationType, name, destination } = body;
  const saved = await securityAdmin.put(`${path}/${id}`, { notificationType, name, destination });
  expect(saved.body).toMatchObject({ isEncrypted: true, destination });
});
