import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { signIn, superAdmin } from '@svc/testkit/people/people.ts';
import {
  approvalsOn,
  approve,
  type ChangeDetail,
  changesPath,
  person,
  waitingChange,
} from '@svc/testkit/runs/approve.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addRecipient, addSubscription, finishedRun, runNow } from '@svc/testkit/runs/subscribe.ts';
import { encryptionKey, logLevel } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const route = '/svc/api/recipients';
const runRoute = (subscriptionId: number) => `/svc/api/subscriptions/${subscriptionId}/test-run`;

type Recipient = {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly destination: string;
  readonly pendingChange: { id: number; requestedByUserName: string; isOwn: boolean } | null;
};

const read = async (client: HttpClient, id: number): Promise<Recipient> =>
  (await client.get(`${route}/${id}`)).read<Recipient>();

/** Saves a webhook recipient with the given changes. */
const save = async (client: HttpClient, id: number, change: Readonly<Record<string, unknown>>) => {
  const { name, destination } = await read(client, id);
  return client.put(`${route}/${id}`, { notificationType: 'Webhook', name, destination, ...change });
};

const hook = (fixture: DeliveryFixture, path: string) => ({
  notificationType: 'Webhook' as const,
  destination: fixture.sink.url + path,
});

const arrived = (fixture: DeliveryFixture, path: string) =>
  fixture.sink.received.filter((request) => request.path === path).length;

scenario(
  [
    'DL-3.2-02',
    'DL-3.2-03',
    'DL-3.2-04',
    'DL-3.2-05',
    'DL-3.2-06',
    'DL-3.1-07',
    'DL-7-09',
    'RT-3-01',
    'RT-4.3-48',
    'ID-1-251',
    'RT-2-251',
  ],
  'a new or redirected recipient gets no messages until another user approves it',
  async ({ deliver }) => {
    const fixture = await deliver(approvalsOn);
    const { root, svc } = fixture;
    const approver = await person(fixture, 'Approver');
    const id = await addRecipient(root, hook(fixture, '/one'));
    expect(await read(root, id)).toMatchObject({ state: 'AwaitingApproval', pendingChange: { isOwn: true } });
    const queryId = await fixture.addQuery('select 1 as one');
    const subscription = await addSubscription(root, { queryId, recipientIds: [id] });

    const refused = await root.post(runRoute(subscription));
    expect(refused.status).toBe(409);
    expect(refused.text).toMatch(/Nobody was notified.*Approvals/);
    const own = await waitingChange(root, id);
    const body = { changeHash: own?.changeHash };
    expect((await root.post(`${changesPath}/${own?.id}/approve`, body)).status).toBe(403);
    expect((await root.post(`${changesPath}/${own?.id}/reject`, {})).status).toBe(403);
    const editor = await person(fixture, 'Editor', 'SecurityAdmin');
    expect((await editor.post(`${changesPath}/${own?.id}/approve`, body)).status).toBe(403);

    expect((await approve(approver, id)).status).toBe(204);
    expect(await read(root, id)).toMatchObject({ state: 'Approved', pendingChange: null });
    expect((await runNow(root, subscription)).status).toBe('Sent');
    expect(arrived(fixture, '/one')).toBe(1);

    const changes: Record<string, unknown>[] = [
      { destination: `${fixture.sink.url}/two` },
      { customHeaders: { Authorization: 'Bearer abc' } },
      { notificationType: 'ChatBlocks', destination: `${fixture.sink.url}/three` },
    ];
    for (const change of changes) {
      const saved = await save(root, id, change);
      expect(saved.body, saved.text).toMatchObject({ state: 'AwaitingApproval' });
      expect(await waitingChange(approver, id)).toMatchObject({
        status: 'Pending',
        requestedByUserName: 'The first administrator',
      });
      expect((await root.post(runRoute(subscription))).status).toBe(409);
      const admin = await person(fixture, 'Admin');
      const answer = await approve(admin, id, 'Asked.');
      expect(answer.status, answer.text).toBe(204);
      if (!('notificationType' in change)) expect((await runNow(root, subscription)).status).toBe('Sent');
    }
    expect(arrived(fixture, '/two')).toBe(2);
    const events = await svc.sql<{ event: string; count: number }>(
      `select event, count(*)::int as count from svc.audit_events where event like 'approvals.%' group by 1 order by 1`,
    );
    expect(events).toEqual([
      { event: 'approvals.change_approved', count: 4 },
      { event: 'approvals.change_submitted', count: 4 },
    ]);
  },
);

scenario(
  ['DL-3.1-04', 'DL-3.1-05', 'DL-3.1-06', 'DL-3.1-08', 'DL-6-04', 'DL-5.6-01', 'DL-5.6-02', 'DL-5.6-03'],
  'a run skips and names recipients that await approval, and never sends to an unapproved destination',
  async ({ deliver }) => {
    // No worker exists until the recipients have changed, so each run starts while its recipients are approved.
    const fixture = await deliver({ ...approvalsOn, 'Svc:Jobs:Workers': 0 });
    const { root, svc } = fixture;
    const approver = await person(fixture, 'Approver');
    const queryId = await fixture.addQuery('select 1 as one');
    const ids: number[] = [];
    for (const path of ['/kept', '/moved', '/archived']) {
      const id = await addRecipient(root, hook(fixture, path));
      await approve(approver, id);
      ids.push(id);
    }
    const [, moved = 0, archived = 0] = ids;
    const mixed = await addSubscription(root, { queryId, recipientIds: ids });
    const alone = await addSubscription(root, { queryId, recipientIds: [moved] });
    const start = async (subscription: number) =>
      (await root.post(runRoute(subscription))).read<{ id: number }>().id;
    const runs = [await start(mixed), await start(alone)];
    await save(root, moved, { destination: `${fixture.sink.url}/elsewhere` });
    await svc.sql('update svc.recipients set archived_at = now() where id = $1', [archived]);
    const worker = await svc.replica({ 'Svc:Jobs:Workers': 2 });

    const [partly, nobody] = await Promise.all(runs.map((id) => finishedRun(root, id)));
    expect(partly?.status).toBe('Sent');
    expect(partly?.comment).toContain(`Recipient ${moved} was skipped`);
    expect(nobody?.status).toBe('Skipped');
    expect(nobody?.comment).toMatch(/Nobody was notified.*Approvals page/);
    expect(fixture.sink.received.map(({ path }) => path)).toEqual(['/kept']);
    const warnings = worker.log.filter(({ level }) => level === logLevel.warn);
    expect(warnings).toContainEqual(expect.objectContaining({ runId: runs[1], subscriptionId: alone }));
    expect(warnings).toContainEqual(
      expect.objectContaining({ recipientId: moved, state: 'Skipped', reason: 'AwaitingApproval' }),
    );
    const names = (await root.get(`${route}?pageSize=200`)).body.items.map(({ name }: Recipient) => name);
    expect(names.length).toBeGreaterThan(1);
    for (const secretText of [fixture.sink.url, 'select 1 as one', ...names])
      expect(JSON.stringify(warnings)).not.toContain(secretText);
  },
);

scenario(
  ['DL-3.2-08', 'DL-7-05', 'DL-3.2-09', 'DL-7-06', 'DL-3.2-07', 'DL-7-07', 'RT-7-05'],
  'a stale approval, a second pending change and an approval of invisible changes without a comment are refused',
  async ({ deliver }) => {
    const fixture = await deliver(approvalsOn);
    const { root } = fixture;
    const approver = await person(fixture, 'Approver');
    const keeper = await person(fixture, 'SecurityAdmin', 'Viewer');
    const id = await addRecipient(root, hook(fixture, '/secret-one'));
    const opened = await waitingChange(approver, id);
    expect((await save(root, id, { destination: `${fixture.sink.url}/secret-two` })).status).toBe(200);
    const decide = (change: ChangeDetail | undefined, comment?: string) =>
      approver.post(`${changesPath}/${change?.id}/approve`, { changeHash: change?.changeHash, comment });
    expect((await decide(opened)).status).toBe(409);
    expect(await read(root, id)).toMatchObject({ state: 'AwaitingApproval' });

    const second = await save(keeper, id, { destination: `${fixture.sink.url}/secret-three` });
    expect(second.status).toBe(409);
    expect(await read(root, id)).toMatchObject({ state: 'AwaitingApproval' });
    expect((await save(keeper, id, { name: 'Renamed by somebody else' })).status).toBe(200);
    expect((await decide(await waitingChange(approver, id))).status).toBe(204);
    expect((await decide(opened)).status).toBe(409);

    expect((await save(keeper, id, { destination: `${fixture.sink.url}/secret-four` })).status).toBe(200);
    const alike = await waitingChange(approver, id);
    expect(alike).toMatchObject({ looksEqual: true });
    expect(alike?.before?.parts).toEqual(alike?.after.parts);
    expect(alike?.before?.fingerprint).not.toBe(alike?.after.fingerprint);
    expect((await decide(alike)).status).toBe(400);
    expect((await decide(alike, '   ')).status).toBe(400);
    expect((await decide(alike, 'Called the owner of the endpoint.')).status).toBe(204);
    expect((await approver.get(`${changesPath}/${alike?.id}`)).body).toMatchObject({
      status: 'Approved',
      comment: 'Called the owner of the endpoint.',
      changeHash: null,
      before: alike?.before,
      after: alike?.after,
    });

    expect((await save(keeper, id, { customHeaders: { Authorization: 'one' } })).status).toBe(200);
    expect((await decide(await waitingChange(approver, id))).status).toBe(204);
    expect((await save(keeper, id, { customHeaders: { Authorization: 'two' } })).status).toBe(200);
    const value = await waitingChange(approver, id);
    expect(value).toMatchObject({ looksEqual: true });
    expect((await decide(value)).status).toBe(400);
  },
);

scenario(
  ['DL-3.2-10', 'DL-3.2-11', 'DL-3.2-12', 'RT-3-01'],
  'restoring a destination withdraws its change, a rejection applies until the next save, and renaming needs no approval',
  async ({ deliver }) => {
    const fixture = await deliver(approvalsOn);
    const { root } = fixture;
    const approver = await person(fixture, 'Approver');
    const id = await addRecipient(root, hook(fixture, '/good'));
    await approve(approver, id);
    const subscription = await addSubscription(root, {
      queryId: await fixture.addQuery('select 1 as one'),
      recipientIds: [id],
    });

    expect((await save(root, id, { destination: `${fixture.sink.url}/other` })).body).toMatchObject({
      state: 'AwaitingApproval',
    });
    const waiting = await waitingChange(approver, id);
    expect((await save(root, id, { destination: `${fixture.sink.url}/good` })).body).toMatchObject({
      state: 'Approved',
      pendingChange: null,
    });
    expect((await approver.get(`${changesPath}/${waiting?.id}`)).body).toMatchObject({ status: 'Withdrawn' });
    const late = { changeHash: waiting?.changeHash };
    expect((await approver.post(`${changesPath}/${waiting?.id}/approve`, late)).status).toBe(409);
    expect((await runNow(root, subscription)).status).toBe('Sent');

    await save(root, id, { destination: `${fixture.sink.url}/other` });
    const rejected = await waitingChange(approver, id);
    const reject = () => approver.post(`${changesPath}/${rejected?.id}/reject`, { comment: 'Not ours.' });
    expect((await reject()).status).toBe(204);
    expect((await reject()).status).toBe(409);
    expect((await approver.get(`${changesPath}/${rejected?.id}`)).body).toMatchObject({ status: 'Rejected' });
    expect(await read(root, id)).toMatchObject({ state: 'Rejected', pendingChange: null });
    expect((await root.post(runRoute(subscription))).status).toBe(409);
    expect((await save(root, id, { destination: `${fixture.sink.url}/good` })).body).toMatchObject({
      state: 'Approved',
    });
    expect((await runNow(root, subscription)).status).toBe('Sent');

    await save(root, id, { destination: `${fixture.sink.url}/other` });
    const again = await waitingChange(approver, id);
    await approver.post(`${changesPath}/${again?.id}/reject`, {});
    expect((await save(root, id, {})).body).toMatchObject({ state: 'AwaitingApproval' });
    expect((await approve(approver, id, 'Asked.')).status).toBe(204);
    expect((await runNow(root, subscription)).status).toBe('Sent');
    expect(arrived(fixture, '/other')).toBe(1);

    const count = async () => (await approver.get(changesPath)).read<{ totalCount: number }>().totalCount;
    const before = await count();
    const template = '{"total": {{TotalRecords}}}';
    const renamed = await save(root, id, { name: 'Renamed', description: 'New', bodyTemplate: template });
    expect(renamed.body).toMatchObject({ state: 'Approved', name: 'Renamed', bodyTemplate: template });
    expect(await count()).toBe(before);
  },
);

scenario(
  ['DL-3.2-01', 'DL-3.2-13', 'DL-3.2-14', 'DL-3.2-15'],
  'approval applies only while it is enabled for recipients, and only to recipients created or redirected meanwhile',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, svc } = fixture;
    const old = await addRecipient(root, hook(fixture, '/old'));
    expect(await read(root, old)).toMatchObject({ state: 'Approved', pendingChange: null });
    const queryId = await fixture.addQuery('select 1 as one');
    const subscription = await addSubscription(root, { queryId, recipientIds: [old] });

    const on = await svc.replica(approvalsOn);
    const rootOn = await signIn(on, superAdmin);
    expect(await read(rootOn, old)).toMatchObject({ state: 'Approved' });
    expect((await runNow(rootOn, subscription)).status).toBe('Sent');
    expect((await save(rootOn, old, { name: 'Renamed' })).body).toMatchObject({ state: 'Approved' });
    const fresh = await addRecipient(rootOn, hook(fixture, '/fresh'));
    expect((await save(rootOn, old, { destination: `${fixture.sink.url}/new` })).body).toMatchObject({
      state: 'AwaitingApproval',
    });
    const approver = await person({ svc: on }, 'Approver');
    expect((await waitingChange(approver, old))?.before?.isReadable).toBe(true);
    expect((await waitingChange(approver, fresh))?.before).toBeNull();
    const rejected = await addRecipient(rootOn, hook(fixture, '/rejected'));
    const change = await waitingChange(approver, rejected);
    await approver.post(`${changesPath}/${change?.id}/reject`, {});
    expect((await rootOn.post(runRoute(subscription))).status).toBe(409);
    await on.close();

    // With approval off in either way, these recipients get messages, and the start logs their number.
    for (const settings of [
      {},
      { ...approvalsOn, 'Svc:ApprovalWorkflow:CoversRecipientDestinations': false },
    ]) {
      const off = await svc.replica(settings);
      const warned = off.log.filter(({ recipients }) => recipients === 3);
      expect(warned).toMatchObject([{ level: logLevel.warn }]);
      const rootOff = await signIn(off, superAdmin);
      const all = await addSubscription(rootOff, { queryId, recipientIds: [old, fresh, rejected] });
      expect((await runNow(rootOff, all)).status).toBe('Sent');
      const free = await addRecipient(rootOff, hook(fixture, '/free'));
      expect(await read(rootOff, free)).toMatchObject({ state: 'Approved' });
      await off.close();
    }
    expect([arrived(fixture, '/new'), arrived(fixture, '/fresh'), arrived(fixture, '/rejected')]).toEqual([
      2, 2, 2,
    ]);
  },
);

scenario(
  ['DL-5.5-01', 'DL-5.5-02', 'DL-5.5-03', 'DL-5.5-04', 'DL-5.5-05', 'DL-5.5-06'],
  'reviewers see the type of a recipient and the parts of its destination that are not secret',
  async ({ deliver }) => {
    const fixture = await deliver(
      { ...approvalsOn, 'Svc:Notifications:AllowedHosts:IssueTracker': ['tracker.example.com'] },
      { email: async () => undefined },
    );
    const { root } = fixture;
    const approver = await person(fixture, 'Approver');
    const partsOf = (change: ChangeDetail | undefined) =>
      Object.fromEntries(change?.after.parts.map(({ label, value }) => [label, value]) ?? []);
    const seen = async (notificationType: string, destination: string) => {
      const type = notificationType as 'Webhook';
      const id = await addRecipient(root, { notificationType: type, destination });
      const change = await waitingChange(approver, id);
      expect(change?.after.notificationType).toBe(notificationType);
      expect(JSON.stringify(change)).not.toMatch(/topsecret/);
      return partsOf(change);
    };
    const webhook = await seen(
      'Webhook',
      'https://hooks.example.com:8443/topsecret1/topsecret2?token=topsecret3&topsecret5#topsecret4',
    );
    expect(Object.values(webhook).join(' ')).toMatch(/https.*hooks\.example\.com.*8443/);
    expect(webhook['Path']).toMatch(/^\/\*+\/\*+$/);
    expect(webhook['Query']).toMatch(/^token=\*+&\*+$/);
    expect(webhook['Fragment']).toMatch(/^\*+$/);
    const blocks = await seen(
      'ChatBlocks',
      'https://hooks.slack.com/services/topsecretT/topsecretB/topsecretX',
    );
    expect(blocks['Path']).toMatch(/^\/services\/\*+\/\*+\/\*+$/);
    const cards = await seen(
      'ChatCards',
      'https://prod-01.westeurope.logic.azure.com/workflows/topsecretid/triggers/manual/paths/invoke?sig=topsecret',
    );
    expect(cards['Path']).toMatch(/^\/workflows\/\*+\/triggers\/manual\/paths\/invoke$/);
    expect(Object.values(await seen('Email', 'anna@example.org'))).toEqual(['anna@example.org']);
    expect(
      await seen('IssueTracker', 'https://tracker.example.com;OPS;bot@example.org;topsecrettoken'),
    ).toEqual({
      Site: 'https://tracker.example.com',
      Project: 'OPS',
      Account: 'bot@example.org',
    });

    const id = await addRecipient(root, { notificationType: 'Email', destination: 'anna@example.org' });
    await approve(approver, id);
    await save(root, id, { notificationType: 'Webhook', destination: 'https://hooks.example.com/in' });
    const change = await waitingChange(approver, id);
    expect([change?.before?.notificationType, change?.after.notificationType]).toEqual(['Email', 'Webhook']);

    // No route accepts user info in a URL, so SQL stores it.
    await fixture.svc.sql('update svc.recipients set destination_sealed = $2 where id = $1', [
      id,
      'https://topsecretname:topsecretword@hooks.example.com/topsecretpath',
    ]);
    const withUserInfo = await waitingChange(approver, id);
    expect(JSON.stringify(withUserInfo)).not.toMatch(/topsecret/);
    expect(partsOf(withUserInfo)).toEqual({
      Scheme: 'https',
      Host: 'hooks.example.com',
      Port: '443',
      'User info': expect.stringMatching(/^\*+$/),
      Path: expect.stringMatching(/^\/\*+$/),
    });
  },
);

scenario(
  ['DL-5.5-07', 'DL-5.5-08', 'DL-5.5-09', 'DL-8-07'],
  'a change request shows header values and the definition as fingerprints that depend on the key',
  async ({ deliver }) => {
    const fixture = await deliver(approvalsOn);
    const { root, svc } = fixture;
    const approver = await person(fixture, 'Approver');
    const customHeaders = { 'X-Api-Key': 'topsecret-one', Authorization: 'topsecret-two' };
    const id = await addRecipient(root, { ...hook(fixture, '/in'), customHeaders });
    await approve(approver, id);
    await save(root, id, { customHeaders: { 'X-Api-Key': 'topsecret-three', Authorization: '********' } });
    const change = await waitingChange(approver, id);
    const hex = /^[0-9a-f]{12}$/;
    expect(change?.before?.fingerprint).toMatch(hex);
    expect(change?.after.fingerprint).toMatch(hex);
    expect(change?.before?.fingerprint).not.toBe(change?.after.fingerprint);
    expect(change?.before?.headers.map(({ name }) => name)).toEqual(['Authorization', 'X-Api-Key']);
    for (const { fingerprint } of change?.after.headers ?? []) expect(fingerprint).toMatch(hex);
    expect(change?.after.headers[0]).toEqual(change?.before?.headers[0]);
    expect(change?.after.headers[1]?.fingerprint).not.toBe(change?.before?.headers[1]?.fingerprint);
    expect(JSON.stringify(change)).not.toMatch(/topsecret/);

    const rotated = await svc.replica({
      'Svc:EncryptionKey': 'another-encryption-key-0123456789-0123456789',
      'Svc:PreviousEncryptionKeys': [encryptionKey],
    });
    const elsewhere = await waitingChange(await person({ svc: rotated }, 'Approver'), id);
    expect(elsewhere?.after.fingerprint).toMatch(hex);
    expect(elsewhere?.after.fingerprint).not.toBe(change?.after.fingerprint);
  },
);

scenario(
  ['DL-5.5-10', 'RT-4.3-47'],
  'only Approvers and Admins can see change requests',
  async ({ deliver }) => {
    const fixture = await deliver(approvalsOn);
    const { root } = fixture;
    const id = await addRecipient(root, hook(fixture, '/in'));
    const change = await waitingChange(root, id);
    for (const role of ['Approver', 'Admin'] as const) {
      const client = await person(fixture, role);
      expect((await client.get(changesPath)).body).toMatchObject({ totalCount: 1 });
      expect((await client.get(`${changesPath}/${change?.id}`)).status).toBe(200);
      expect((await client.get(`${changesPath}/999`)).status).toBe(404);
    }
    for (const role of ['Viewer', 'Editor', 'SecurityAdmin', 'Auditor', 'UserAdmin'] as const) {
      const client = await person(fixture, role);
      expect((await client.get(changesPath)).status).toBe(403);
      expect((await client.get(`${changesPath}/${change?.id}`)).status).toBe(403);
    }
  },
);
