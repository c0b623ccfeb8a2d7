import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const path = '/svc/api/recipients';
let fixture: RunFixture;
let securityAdmin: HttpClient;
let viewer: HttpClient;
let recipientId: number;
let openSubscription: number;

/** One recipient with two uses: a query of an open project, and a query of a project that only its Admin can read. */
beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 } });
  securityAdmin = await fixture.person('security', 'SecurityAdmin');
  viewer = await fixture.person('viewer', 'Viewer');
  recipientId = await fixture.addRecipient('/used');
  const queryId = await fixture.addQuery('select 1 as one');
  openSubscription = (await fixture.addSubscription({ queryId, recipientIds: [recipientId] })).id;
  const hidden = await fixture.make('/svc/api/projects', { name: 'Hidden project' });
  await fixture.root.post(`/svc/api/projects/${hidden.id}/data-sources`, { dataSourceId: fixture.sourceId });
  const { id: hiddenQuery } = await fixture.make('/svc/api/queries', {
    projectId: hidden.id,
    name: 'Hidden query',
    steps: [{ dataSourceId: fixture.sourceId, sql: 'select 1 as one' }],
  });
  await fixture.addSubscription({ queryId: hiddenQuery, recipientIds: [recipientId] });
  await fixture.root.put(`/svc/api/projects/${hidden.id}/access-mode`, { accessMode: 'Restricted' });
});
afterAll(() => fixture.close());

test('the subscriptions that use a recipient are listed if the caller can read them', async () => {
  const uses = `${path}/${recipientId}/uses`;
  const all = await fixture.root.get(`${uses}?sort=-queryName`);
  expect(all.body).toMatchObject({
    totalCount: 2,
    items: [{ queryName: 'Query 2' }, { queryName: 'Hidden query' }],
  });
  const some = await viewer.get(uses);
  expect(some.body).toMatchObject({
    totalCount: 1,
    items: [{ subscriptionId: openSubscription, projectName: 'Shop', projectId: fixture.projectId }],
  });
  expect(some.text).not.toContain('Hidden');
  expect((await securityAdmin.get(uses)).body).toMatchObject({ totalCount: 0, items: [] });
  expect((await viewer.get(`${uses}?pageSize=1&page=1`)).body).toMatchObject({ totalCount: 1, items: [] });
  expect((await viewer.get(`${path}/999999/uses`)).status).toBe(404);
});

test('deleting a used recipient names the readable queries, and only counts the others', async () => {
  const remove = async (client: HttpClient) => (await client.delete(`${path}/${recipientId}`)).body;
  expect(await remove(fixture.root)).toMatchObject({ status: 409, code: 'recipient-in-use' });
  expect((await remove(fixture.root)).detail).toContain('Hidden query, Query 2');
  const { detail } = await remove(securityAdmin);
  expect(detail).not.toContain('Hidden');
  expect(detail).toContain('2 that you cannot read');
});

test('a recipient that only an archived project uses can be redirected and archived', async () => {
  const { root } = fixture;
  const project = await fixture.make('/svc/api/projects', { name: 'Ending project' });
  await root.post(`/svc/api/projects/${project.id}/data-sources`, { dataSourceId: fixture.sourceId });
  const id = await fixture.addRecipient('/ending');
  const query = await fixture.make('/svc/api/queries', {
    projectId: project.id,
    name: 'Ending query',
    steps: [{ dataSourceId: fixture.sourceId, sql: 'select 1 as one' }],
  });
  await fixture.addSubscription({ queryId: query.id, recipientIds: [id] });
  const before = (await root.get(`${path}/${id}`)).body;
  expect(before.subscriptionCount).toBe(1);
  expect((await root.delete(`${path}/${id}`)).status).toBe(409);

  await root.delete(`/svc/api/projects/${project.id}`);
  expect((await root.get(`${path}/${id}`)).body.subscriptionCount).toBe(0);
  expect((await root.get(`${path}/${id}/uses`)).body).toMatchObject({ totalCount: 0, items: [] });
  const { notificationType, name } = before;
  const redirected = await root.put(`${path}/${id}`, {
    notificationType,
    name,
    destination: `${fixture.sink.url}/elsewhere`,
  });
  expect(redirected.status).toBe(200);
  expect((await root.delete(`${path}/${id}`)).status).toBe(204);
});

test('a recipient that was stored without encryption is marked until it is saved again', async () => {
  const id = await fixture.addRecipient('/kept');
  expect((await securityAdmin.get(`${path}/${id}`)).body).toMatchObject({ isEncrypted: true });
  await fixture.svc.database.query('update svc.recipients set destination_sealed = $2 where id = $1', [
    id,
    `${fixture.sink.url}/kept`,
  ]);
  const { body } = await securityAdmin.get(`${path}/${id}`);
  expect(body).toMatchObject({ isEncrypted: false, needsDestination: false });
  const { notificationType, name, destination } = body;
  const saved = await securityAdmin.put(`${path}/${id}`, { notificationType, name, destination });
  expect(saved.body).toMatchObject({ isEncrypted: true, destination });
});
