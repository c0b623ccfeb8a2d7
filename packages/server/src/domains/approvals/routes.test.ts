import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/approvals/changes';
const recipients = '/svc/api/recipients';
let fixture: RunFixture;
let root: HttpClient;
let approver: HttpClient;
let second: HttpClient;
let keeper: HttpClient;

beforeAll(async () => {
  fixture = await startRunFixture({
    config: { 'Svc:ApprovalWorkflow:Enabled': true, 'Svc:ApprovalWorkflow:CoversQueries': false },
  });
  root = fixture.root;
  approver = await fixture.person('approver', 'Approver');
  second = await fixture.person('second', 'Approver');
  keeper = await fixture.person('keeper', ['SecurityAdmin', 'Viewer']);
});
afterAll(() => fixture.close());

let count = 0;
const to = (place: string) => `${fixture.sink.url}/secret-${place}`;

/** Creates a recipient, which awaits approval. */
async function add(client = root, change: Readonly<Record<string, unknown>> = {}): Promise<number> {
  count += 1;
  const body = { notificationType: 'Webhook', name: `Hook ${count}`, destination: to(`${count}`), ...change };
  const answer = await client.post(recipients, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id;
}

const waiting = async (recipientId: number) => {
  const { items } = (await approver.get(`${path}?status=Pending&pageSize=200`)).body;
  const change = items.find(({ targetId }: { targetId: number }) => targetId === recipientId);
  return change && (await approver.get(`${path}/${change.id}`)).body;
};
const approve = async (recipientId: number, client = approver) => {
  const { id, changeHash } = await waiting(recipientId);
  return client.post(`${path}/${id}/approve`, { changeHash, comment: 'Asked.' });
};
const save = async (id: number, change: Readonly<Record<string, unknown>>, client = root) => {
  const { name, notificationType, destination } = (await client.get(`${recipients}/${id}`)).body;
  return client.put(`${recipients}/${id}`, { name, notificationType, destination, ...change });
};
const stateOf = async (id: number) => (await root.get(`${recipients}/${id}`)).body.state;

/** Creates a recipient that was approved and then redirected by `client`. */
async function addRedirected(client = root): Promise<number> {
  const id = await add();
  await approve(id);
  await save(id, { destination: to(`moved-${id}`) }, client);
  return id;
}

describe('status 200', () => {
  test('the list is paged, filtered, searched and sorted, and names the requester of each request', async () => {
    const name = 'Needle in the list';
    const id = await add(keeper, { name });
    const { id: changeId } = await waiting(id);
    const answer = await approver.get(`${path}?search=needle%20in&sort=targetName&pageSize=1`);
    expect(answer.body).toMatchObject({
      totalCount: 1,
      pageCount: 1,
      items: [
        {
          id: changeId,
          kind: 'Recipient',
          targetId: id,
          targetName: name,
          status: 'Pending',
          isNew: true,
          changedParts: [],
          requestedByUserName: 'keeper',
          isOwn: false,
          decidedAt: null,
        },
      ],
    });
    expect((await approver.get(`${path}?search=needle&status=Approved`)).body.totalCount).toBe(0);
    expect((await approver.get(`${path}?search=needle&kind=Recipient`)).body.totalCount).toBe(1);
    expect((await approver.get(`${path}?status=Nonsense`)).status).toBe(400);
    expect((await approver.get(`${path}?page=7&search=needle`)).body).toMatchObject({
      items: [],
      totalCount: 1,
    });
  });

  test('a request names the changed parts, and no response, audit event or log entry contains a secret', async () => {
    const id = await add();
    await approve(id);
    await save(id, { customHeaders: { Authorization: 'Bearer secret-header' } });
    expect(await waiting(id)).toMatchObject({
      isNew: false,
      changedParts: ['CustomHeaders'],
      looksEqual: false,
    });
    await save(id, {
      destination: to('elsewhere'),
      customHeaders: { Authorization: 'Bearer secret-header' },
    });
    const change = await waiting(id);
    expect(change.changedParts).toEqual(['Destination', 'CustomHeaders']);
    await approver.post(`${path}/${change.id}/reject`, { comment: 'No.' });
    const over = await approver.get(`${path}/${change.id}`);
    expect(over.body).toMatchObject({
      status: 'Rejected',
      comment: 'No.',
      before: change.before,
      after: change.after,
    });
    const { rows } = await fixture.svc.database.query(
      'select to_jsonb(a) as row from svc.audit_events a union all select to_jsonb(c) from svc.approval_requests c',
    );
    expect(JSON.stringify([over.body, change, rows, fixture.svc.log])).not.toContain('secret-');
  });

  test('a request is withdrawn with its content if the recipient is archived, or saved while the workflow is off', async () => {
    const archived = await add();
    const first = await waiting(archived);
    expect((await keeper.delete(`${recipients}/${archived}`)).status).toBe(204);
    expect((await approver.get(`${path}/${first.id}`)).body).toMatchObject({
      status: 'Withdrawn',
      after: first.after,
      changeHash: null,
    });
    const id = await addRedirected();
    const change = await waiting(id);
    const off = await startService({
      on: fixture.svc,
      config: { ...fixture.sink.settings, 'Svc:Jobs:Workers': 0 },
    });
    const there = await signIn(off, superAdmin);
    expect((await save(id, { name: `Only renamed ${id}` }, there)).status).toBe(200);
    expect(await stateOf(id)).toBe('AwaitingApproval');
    expect((await save(id, { destination: to('free') }, there)).status).toBe(200);
    await off.close();
    expect(await stateOf(id)).toBe('Approved');
    expect((await approver.get(`${path}/${change.id}`)).body).toMatchObject({ status: 'Withdrawn' });
  });
});

describe('status 204', () => {
  test('a withdrawal restores the approved type, destination and headers', async () => {
    const customHeaders = { Authorization: 'Bearer secret-header' };
    const id = await add(root, { customHeaders, destination: to('approved') });
    await approve(id);
    await save(id, {
      notificationType: 'ChatBlocks',
      destination: to('chat'),
      customHeaders: undefined,
      bodyTemplate: '{"text": "{{TotalRecords}}"}',
    });
    const { id: changeId } = await waiting(id);
    expect((await root.post(`${path}/${changeId}/withdraw`)).status).toBe(204);
    expect((await root.get(`${recipients}/${id}`)).body).toMatchObject({
      state: 'Approved',
      pendingChange: null,
      notificationType: 'Webhook',
      customHeaders: { Authorization: '********' },
      bodyTemplate: null,
    });
    const queryId = await fixture.addQuery('select 1 as one');
    const input = { queryId, recipientIds: [id], notificationTrigger: 'Always' };
    const { id: subscriptionId } = await fixture.addSubscription(input);
    expect((await fixture.runNow(subscriptionId)).status).toBe('Sent');
    const arrived = fixture.sink.received.at(-1);
    expect([arrived?.path, arrived?.headers['authorization']]).toEqual([
      '/secret-approved',
      'Bearer secret-header',
    ]);
  });
});

describe('status 400', () => {
  test.each([
    ['no hash', {}],
    ['an empty hash', { changeHash: '' }],
    ['a hash of another type', { changeHash: 1 }],
    ['an unknown member', { changeHash: 'x', force: true }],
    ['a comment that is too long', { changeHash: 'x', comment: 'x'.repeat(2_001) }],
  ])('refuses an approval with %s', async (_, body) => {
    const { id } = await waiting(await add());
    expect((await approver.post(`${path}/${id}/approve`, body)).status).toBe(400);
  });

  test('refuses a rejection with an unknown member', async () => {
    const { id } = await waiting(await add());
    expect((await approver.post(`${path}/${id}/reject`, { reason: 'x' })).status).toBe(400);
  });
});

describe('status 403', () => {
  test('the requester cannot approve or reject the request, even as an Admin', async () => {
    const id = await add();
    expect(await approve(id, root)).toMatchObject({ status: 403, body: { code: 'own-request' } });
    const { id: changeId } = await waiting(id);
    expect((await root.post(`${path}/${changeId}/reject`, {})).status).toBe(403);
    expect(await stateOf(id)).toBe('AwaitingApproval');
  });

  test('only the requester can withdraw a request', async () => {
    const { id } = await waiting(await addRedirected());
    expect(await keeper.post(`${path}/${id}/withdraw`)).toMatchObject({
      status: 403,
      body: { code: 'not-your-request' },
    });
    expect((await approver.post(`${path}/${id}/withdraw`)).status).toBe(403);
  });

  test('a withdrawal requires read access to each project that uses the recipient', async () => {
    const id = await addRedirected(keeper);
    const { id: changeId } = await waiting(id);
    const queryId = await fixture.addQuery('select 1 as one');
    await fixture.addSubscription({ queryId, recipientIds: [id] });
    const access = `/svc/api/projects/${fixture.projectId}/access-mode`;
    await root.put(access, { accessMode: 'Restricted' });
    const answer = await keeper.post(`${path}/${changeId}/withdraw`);
    await root.put(access, { accessMode: 'Open' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'recipient-elsewhere' } });
    expect(await stateOf(id)).toBe('AwaitingApproval');
  });

  test('users of the host are distinguished by the id from the host', async () => {
    const hostUser = (name: string) => createHttpClient(host.origin, `Host ${name}`);
    const host = await startService({
      on: fixture.svc,
      config: {
        ...fixture.sink.settings,
        'Svc:ApprovalWorkflow:Enabled': true,
        'Svc:ApprovalWorkflow:CoversQueries': false,
        'Svc:Jobs:Workers': 0,
      },
      svc: {
        principal: (request) => {
          const [, id] = /^Host (.+)$/.exec(request.headers.authorization ?? '') ?? [];
          return id === undefined ? undefined : { id, roles: ['Admin'] };
        },
      },
    });
    const id = await add(hostUser('anna'));
    const change = await waiting(id);
    const decide = (name: string) =>
      hostUser(name).post(`${path}/${change.id}/approve`, { changeHash: change.changeHash });
    expect((await decide('anna')).status).toBe(403);
    expect((await decide('bert')).status).toBe(204);
    expect((await approver.get(`${path}/${change.id}`)).body).toMatchObject({
      requestedByUserName: 'anna',
      decidedByUserName: 'bert',
    });
    await host.close();
  });
});

describe('status 404', () => {
  test.each(['999999', '0', 'x', '-1'])('returns 404 for the unknown request %s', async (id) => {
    expect((await approver.get(`${path}/${id}`)).status).toBe(404);
    expect((await approver.post(`${path}/${id}/approve`, { changeHash: 'x' })).status).toBe(404);
    expect((await approver.post(`${path}/${id}/reject`, {})).status).toBe(404);
    expect((await keeper.post(`${path}/${id}/withdraw`)).status).toBe(404);
  });
});

describe('status 409', () => {
  test('a decided request cannot be decided again or withdrawn', async () => {
    const id = await add();
    const { id: changeId, changeHash } = await waiting(id);
    await approver.post(`${path}/${changeId}/reject`, {});
    for (const act of ['approve', 'reject'])
      expect(
        await second.post(`${path}/${changeId}/${act}`, act === 'approve' ? { changeHash } : {}),
      ).toMatchObject({ status: 409, body: { code: 'change-over' } });
    expect((await root.post(`${path}/${changeId}/withdraw`)).status).toBe(409);
    expect(await stateOf(id)).toBe('Rejected');
  });

  test('refuses to withdraw a new recipient, because it has no earlier state', async () => {
    const { id } = await waiting(await add());
    expect(await root.post(`${path}/${id}/withdraw`)).toMatchObject({
      status: 409,
      body: { code: 'nothing-to-restore' },
    });
  });

  test('refuses an approval after a direct change in the database, and if the destination cannot be read', async () => {
    const [id, other] = [await add(), await add()];
    const put = (from: string) =>
      fixture.svc.database.query(`update svc.recipients set destination_sealed = ${from} where id = $1`, [
        id,
      ]);
    await put(`'${to('planted')}'`);
    const planted = await waiting(id);
    expect(
      await approver.post(`${path}/${planted.id}/approve`, { changeHash: planted.changeHash }),
    ).toMatchObject({ status: 409, body: { code: 'change-stale' } });
    await put(`(select destination_sealed from svc.recipients where id = ${other})`);
    const unreadable = await waiting(id);
    expect(unreadable.after.isReadable).toBe(false);
    expect(
      await approver.post(`${path}/${unreadable.id}/approve`, { changeHash: unreadable.changeHash }),
    ).toMatchObject({ status: 409, body: { code: 'destination-unreadable' } });
    expect(await stateOf(id)).toBe('AwaitingApproval');
  });
});
