import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { createKey } from '@svc/testkit/people/users.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
let other: number;
let ownRun: number;
let people: Record<'viewer' | 'stranger' | 'securityAdmin' | 'noRole', HttpClient>;

beforeAll(async () => {
  fixture = await startRunFixture();
  const { root, projectId } = fixture;
  const queryId = await fixture.addQuery('select id from orders');
  const { id } = await fixture.addSubscription({ queryId, recipientIds: [await fixture.addRecipient()] });
  ownRun = (await fixture.runNow(id)).id;
  other = (await fixture.make('/svc/api/projects', { name: 'Another' })).id;
  people = {
    viewer: await fixture.person('viewer', 'Viewer'),
    stranger: await fixture.person('stranger', 'Editor'),
    securityAdmin: await fixture.person('security', ['Viewer', 'SecurityAdmin']),
    noRole: await fixture.person('nobody', []),
  };
  for (const userName of ['viewer', 'security']) await addMember(projectId, userName, 'Viewer');
  await addMember(other, 'stranger', 'Editor');
  for (const project of [projectId, other])
    await root.put(`/svc/api/projects/${project}/access-mode`, { accessMode: 'Restricted' });
});
afterAll(() => fixture.close());

async function addMember(projectId: number, userName: string, role: string): Promise<void> {
  await fixture.svc.database.query(
    'insert into svc.project_members (project_id, user_id, role) select $1, id, $3 from svc.users where user_name = $2',
    [projectId, userName, role],
  );
}

const listed = async (client: HttpClient): Promise<{ ids: number[]; totalCount: number }> => {
  const { body } = await client.get('/svc/api/notifications');
  return { ids: body.items.map(({ id }: { id: number }) => id), totalCount: body.totalCount };
};
const detail = (client: HttpClient, id = ownRun) => client.get(`/svc/api/notifications/${id}`);
const key = async (owner: string, projectIds: readonly number[]): Promise<HttpClient> => {
  const { rows } = await fixture.svc.database.query('select id from svc.users where user_name = $1', [owner]);
  return fixture.svc.client(
    (await createKey(fixture.svc.database, rows[0].id, { projectIds })).authorization,
  );
};

describe('200', () => {
  test('members of the project see its runs, and the list contains the names of the recipients', async () => {
    for (const client of [fixture.root, people.viewer, people.securityAdmin]) {
      expect(await listed(client)).toEqual({ ids: [ownRun], totalCount: 1 });
      expect((await detail(client)).status).toBe(200);
    }
    const { body } = await people.viewer.get('/svc/api/notifications');
    expect(body.items[0]).toMatchObject({
      status: 'Sent',
      origin: 'Test',
      recipientNames: [expect.any(String)],
    });
  });

  test('the list filters by status, subscription, query and name', async () => {
    const { subscriptionId, queryId, queryName } = (await detail(fixture.root)).body;
    const count = async (filter: string) =>
      (await fixture.root.get(`/svc/api/notifications?${filter}`)).body.totalCount;
    for (const filter of [
      'status=Sent',
      `subscriptionId=${subscriptionId}`,
      `queryId=${queryId}`,
      `search=${queryName}`,
    ])
      expect(await count(filter)).toBe(1);
    for (const filter of ['status=Failed', 'subscriptionId=99999', 'search=nothing%20like%20it'])
      expect(await count(filter)).toBe(0);
  });

  test('the HTTP class and the timing are visible to an Admin and a SecurityAdmin, and not to a Viewer', async () => {
    for (const client of [fixture.root, people.securityAdmin])
      expect((await detail(client)).body.deliveries[0]).toMatchObject({
        httpClass: '2xx',
        durationMs: expect.any(Number),
      });
    const [delivery] = (await detail(people.viewer)).body.deliveries;
    expect(Object.keys(delivery)).not.toEqual(expect.arrayContaining(['httpClass']));
    expect(Object.keys(delivery)).not.toEqual(expect.arrayContaining(['durationMs']));
  });

  test('a key sees the runs of its project, and so does the key of an administrator', async () => {
    expect((await listed(await key('viewer', [fixture.projectId]))).ids).toEqual([ownRun]);
    expect((await listed(await key('root', [fixture.projectId]))).ids).toEqual([ownRun]);
  });

  test('a run of a source in an open project is visible to every signed-in reader, but not to a key', async () => {
    const { id: open } = await fixture.make('/svc/api/projects', { name: 'Open' });
    await fixture.root.post(`/svc/api/projects/${open}/data-sources`, { dataSourceId: fixture.sourceId });
    try {
      expect((await listed(people.stranger)).ids).toEqual([ownRun]);
      expect((await detail(people.stranger)).status).toBe(200);
      expect((await listed(await key('stranger', [other]))).ids).toEqual([]);
    } finally {
      await fixture.root.delete(`/svc/api/projects/${open}/data-sources/${fixture.sourceId}`);
    }
  });

  test('an excessive page size is reduced, and an unknown sort name is ignored', async () => {
    const { status, body } = await fixture.root.get(
      '/svc/api/notifications?pageSize=9999&page=-3&sort=nothing,-id',
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ totalCount: 1, pageCount: 1 });
  });
});

describe('hidden runs', () => {
  test('get the same 404 as missing runs, and are not listed, for members of another project', async () => {
    expect(await listed(people.stranger)).toEqual({ ids: [], totalCount: 0 });
    const hidden = await detail(people.stranger);
    const missing = await detail(people.stranger, 2_000_000);
    expect(hidden.status).toBe(404);
    const { traceId: _, instance: __, ...shown } = hidden.body;
    expect(missing.body).toMatchObject(shown);
  });

  test.each([
    ['a key of another project', 'stranger', () => [other]],
    ['a key without a project', 'viewer', () => []],
    ['an administrator’s key of another project', 'root', () => [other]],
  ] as const)('get 404, and are not listed, for %s', async (_, owner, projectIds) => {
    const client = await key(owner, projectIds());
    expect(await listed(client)).toEqual({ ids: [], totalCount: 0 });
    expect((await detail(client)).status).toBe(404);
  });

  test('a run without stored sources is hidden from keys and visible to members', async () => {
    const { rows } = await fixture.svc.database.query(
      'select data_source_ids as ids from svc.runs where id = $1',
      [ownRun],
    );
    await fixture.svc.database.query('update svc.runs set data_source_ids = null where id = $1', [ownRun]);
    try {
      expect((await detail(await key('viewer', [fixture.projectId]))).status).toBe(404);
      expect((await detail(people.viewer)).status).toBe(200);
      expect((await detail(people.stranger)).status).toBe(404);
    } finally {
      await fixture.svc.database.query('update svc.runs set data_source_ids = $2 where id = $1', [
        ownRun,
        rows[0].ids,
      ]);
    }
  });

  test('a run that read no source is visible in its project, also to keys', async () => {
    const queryId = await fixture.addQuery('select 1 as one');
    const { id } = await fixture.addSubscription({ queryId, recipientIds: [await fixture.addRecipient()] });
    const { rows } = await fixture.svc.database.query(
      'select recipient_id as "recipientId" from svc.subscription_recipients where subscription_id = $1',
      [id],
    );
    await fixture.root.delete(`/svc/api/subscriptions/${id}/recipients/${rows[0].recipientId}`);
    expect((await fixture.root.post(`/svc/api/subscriptions/${id}/test-run`)).status).toBe(409);
    const { body } = await fixture.root.get(`/svc/api/notifications?subscriptionId=${id}`);
    const [{ id: skipped, status }] = body.items;
    expect(status).toBe('Skipped');
    const ofProject = await key('viewer', [fixture.projectId]);
    expect((await detail(ofProject, skipped)).status).toBe(200);
    expect((await listed(ofProject)).ids).toContain(skipped);
    expect((await listed(ofProject)).totalCount).toBe(2);
    for (const client of [people.stranger, await key('stranger', [other]), await key('viewer', [])])
      expect((await detail(client, skipped)).status).toBe(404);
  });

  test('a run that read two sources is hidden if no single project of the caller has both', async () => {
    const { rows } = await fixture.svc.database.query(
      `insert into svc.data_sources (name, engine, connection_shown, connection_sealed) values ('Second', 'PostgreSQL', '{}', 'none') returning id`,
    );
    const second = rows[0].id;
    await fixture.svc.database.query(
      'update svc.runs set data_source_ids = array_append(data_source_ids, $2) where id = $1',
      [ownRun, second],
    );
    try {
      expect((await detail(people.viewer)).status).toBe(404);
      const { subscriptionId } = (await detail(fixture.root)).body;
      const lastRunFor = async (client: HttpClient) =>
        (await client.get(`/svc/api/subscriptions/${subscriptionId}`)).body.lastRun;
      expect((await lastRunFor(fixture.root)).id).toBe(ownRun);
      expect((await lastRunFor(people.viewer))?.id).not.toBe(ownRun);
    } finally {
      await fixture.svc.database.query(
        'update svc.runs set data_source_ids = array_remove(data_source_ids, $2) where id = $1',
        [ownRun, second],
      );
    }
  });
});

describe('401 and 403', () => {
  test('a caller without valid credentials gets 401, and a user without a role gets 403', async () => {
    expect((await fixture.svc.client('Bearer nothing').get('/svc/api/notifications')).status).toBe(401);
    expect((await people.noRole.get('/svc/api/notifications')).status).toBe(403);
  });
});
