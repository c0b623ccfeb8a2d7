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
import { logLevel } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import {
  hook,
  type Recipient,
  readRecipient,
  recipientsPath,
  saveRecipient,
} from '../support/webhook-recipient.ts';

const runRoute = (subscriptionId: number) => `/svc/api/subscriptions/${subscriptionId}/test-run`;

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
    expect(await readRecipient(root, id)).toMatchObject({
      state: 'AwaitingApproval',
      pendingChange: { isOwn: true },
    });
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
    expect(await readRecipient(root, id)).toMatchObject({ state: 'Approved', pendingChange: null });
    expect((await runNow(root, subscription)).status).toBe('Sent');
    expect(arrived(fixture, '/one')).toBe(1);

    const changes: Record<string, unknown>[] = [
      { destination: `${fixture.sink.url}/two` },
      { customHeaders: { Authorization: 'Bearer abc' } },
      { notificationType: 'ChatBlocks', destination: `${fixture.sink.url}/three` },
    ];
    for (const change of changes) {
      const saved = await saveRecipient(root, id, change);
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
    await saveRecipient(root, moved, { destination: `${fixture.sink.url}/elsewhere` });
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
    const names = (await root.get(`${recipientsPath}?pageSize=200`)).body.items.map(
      ({ name }: Recipient) => name,
    );
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
    expect((await saveRecipient(root, id, { destination: `${fixture.sink.url}/secret-two` })).status).toBe(
      200,
    );
    const decide = (change: ChangeDetail | undefined, comment?: string) =>
      approver.post(`${changesPath}/${change?.id}/approve`, { changeHash: change?.changeHash, comment });
    expect((await decide(opened)).status).toBe(409);
    expect(await readRecipient(root, id)).toMatchObject({ state: 'AwaitingApproval' });

    const second = await saveRecipient(keeper, id, { destination: `${fixture.sink.url}/secret-three` });
    expect(second.status).toBe(409);
    expect(await readRecipient(root, id)).toMatchObject({ state: 'AwaitingApproval' });
    expect((await saveRecipient(keeper, id, { name: 'Renamed by somebody else' })).status).toBe(200);
    expect((await decide(await waitingChange(approver, id))).status).toBe(204);
    expect((await decide(opened)).status).toBe(409);

    expect((await saveRecipient(keeper, id, { destination: `${fixture.sink.url}/secret-four` })).status).toBe(
      200,
    );
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

    expect((await saveRecipient(keeper, id, { customHeaders: { Authorization: 'one' } })).status).toBe(200);
    expect((await decide(await waitingChange(approver, id))).status).toBe(204);
    expect((await saveRecipient(keeper, id, { customHeaders: { Authorization: 'two' } })).status).toBe(200);
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

    expect((await saveRecipient(root, id, { destination: `${fixture.sink.url}/other` })).body).toMatchObject({
      state: 'AwaitingApproval',
    });
    const waiting = await waitingChange(approver, id);
    expect((await saveRecipient(root, id, { destination: `${fixture.sink.url}/good` })).body).toMatchObject({
      state: 'Approved',
      pendingChange: null,
    });
    expect((await approver.get(`${changesPath}/${waiting?.id}`)).body).toMatchObject({ status: 'Withdrawn' });
    const late = { changeHash: waiting?.changeHash };
    expect((await approver.post(`${changesPath}/${waiting?.id}/approve`, late)).status).toBe(409);
    expect((await runNow(root, subscription)).status).toBe('Sent');

    await saveRecipient(root, id, { destination: `${fixture.sink.url}/other` });
    const rejected = await waitingChange(approver, id);
    const reject = () => approver.post(`${changesPath}/${rejected?.id}/reject`, { comment: 'Not ours.' });
    expect((await reject()).status).toBe(204);
    expect((await reject()).status).toBe(409);
    expect((await approver.get(`${changesPath}/${rejected?.id}`)).body).toMatchObject({ status: 'Rejected' });
    expect(await readRecipient(root, id)).toMatchObject({ state: 'Rejected', pendingChange: null });
    expect((await root.post(runRoute(subscription))).status).toBe(409);
    expect((await saveRecipient(root, id, { destination: `${fixture.sink.url}/good` })).body).toMatchObject({
      state: 'Approved',
    });
    expect((await runNow(root, subscription)).status).toBe('Sent');

    await saveRecipient(root, id, { destination: `${fixture.sink.url}/other` });
    const again = await waitingChange(approver, id);
    await approver.post(`${changesPath}/${again?.id}/reject`, {});
    expect((await saveRecipient(root, id, {})).body).toMatchObject({ state: 'AwaitingApproval' });
    expect((await approve(approver, id, 'Asked.')).status).toBe(204);
    expect((await runNow(root, subscription)).status).toBe('Sent');
    expect(arrived(fixture, '/other')).toBe(1);

    const count = async () => (await approver.get(changesPath)).read<{ totalCount: number }>().totalCount;
    const before = await count();
    const template = '{"total": {{TotalRecords}}}';
    const renamed = await saveRecipient(root, id, {
      name: 'Renamed',
      description: 'New',
      bodyTemplate: template,
    });
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
    expect(await readRecipient(root, old)).toMatchObject({ state: 'Approved', pendingChange: null });
    const queryId = await fixture.addQuery('select 1 as one');
    const subscription = await addSubscription(root, { queryId, recipientIds: [old] });

    const on = await svc.replica(approvalsOn);
    const rootOn = await signIn(on, superAdmin);
    expect(await readRecipient(rootOn, old)).toMatchObject({ state: 'Approved' });
    expect((await runNow(rootOn, subscription)).status).toBe('Sent');
    expect((await saveRecipient(rootOn, old, { name: 'Renamed' })).body).toMatchObject({ state: 'Approved' });
    const fresh = await addRecipient(rootOn, hook(fixture, '/fresh'));
    expect((await saveRecipient(rootOn, old, { destination: `${fixture.sink.url}/new` })).body).toMatchObject(
      {
        state: 'AwaitingApproval',
      },
    );
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
      expect(await readRecipient(rootOff, free)).toMatchObject({ state: 'Approved' });
      await off.close();
    }
    expect([arrived(fixture, '/new'), arrived(fixture, '/fresh'), arrived(fixture, '/rejected')]).toEqual([
      2, 2, 2,
    ]);
  },
);
