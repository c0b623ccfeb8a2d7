import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { restrict } from '@svc/testkit/people/projects.ts';
import { evaluateNow } from '@svc/testkit/runs/evaluate.ts';
import { addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { watchTable } from '../support/past-runs.ts';
import { scenario } from '../support/scenario.ts';

const firingPath = '/svc/api/home/firing';
const subscriptions = '/svc/api/subscriptions';
const contracts = '/svc/api/data-quality/contracts';

type Item = { readonly kind: string; readonly name: string };
const kindsSeenBy = async (client: HttpClient): Promise<string[]> => {
  const { status, body } = await client.get(firingPath);
  expect(status).toBe(200);
  expect(body.totalCount).toBe(body.items.length);
  return body.items.map(({ kind }: Item) => kind).sort();
};

scenario(
  ['RT-4.3-1201', 'RT-4.3-1202'],
  'a firing alert, a failing contract and a failed run are listed only for users with access, until they end',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, svc, source, addQuery, projectId, dataSourceId } = fixture;
    expect(await kindsSeenBy(root)).toEqual([]);

    const alert = await watchTable(fixture, { createTasks: false, notificationTrigger: 'WhileRows' });
    await alert.fill(3);
    const opened = await runNow(root, alert.id);
    await runNow(root, alert.id);

    await source.sql('create table divisors (id int); insert into divisors values (0)');
    const brokenQuery = await addQuery('select 1 / id as one from divisors', 'Broken');
    const broken = await addSubscription(root, { queryId: brokenQuery, recipientIds: [], createTasks: true });
    const failedRun = await runNow(root, broken);

    await source.sql('create table orders (id int, status text); insert into orders values (1, null)');
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
    const rules = [{ name: 'Every order has a status', type: 'NullRate', columns: ['status'] }];
    const table = { projectId, dataSourceId, schemaName: 'public', tableName: 'orders' };
    const made = await root.post(contracts, { ...table, name: 'Orders', rules, failScore: 80 });
    expect(made.status, made.text).toBe(201);
    expect((await evaluateNow(root, made.body.id)).status).toBe('Failed');

    expect(await kindsSeenBy(root)).toEqual(['Alert', 'Contract', 'FailedRun']);
    const { items } = (await root.get(`${firingPath}?sort=kind`)).body;
    expect(items).toMatchObject([
      { subscriptionId: alert.id, contractId: null, rowCount: 3, hasRows: true, acknowledgement: null },
      { contractId: made.body.id, subscriptionId: null, name: 'Orders', projectId },
      { subscriptionId: broken, notificationId: failedRun.id, comment: expect.stringContaining('failed') },
    ]);
    expect(items[0].notificationId).toBeGreaterThan(opened.id);

    const stranger = await signIn(svc, await addUser(svc, 'stranger', ['Editor']));
    expect(await kindsSeenBy(stranger)).toEqual(['Alert', 'Contract', 'FailedRun']);
    await restrict(root, projectId);
    expect(await kindsSeenBy(stranger)).toEqual([]);

    await alert.fill(0);
    await runNow(root, alert.id);
    expect(await kindsSeenBy(root)).toEqual(['Contract', 'FailedRun']);
    await source.sql('update divisors set id = 1');
    await runNow(root, broken);
    expect(await kindsSeenBy(root)).toEqual(['Contract']);
    await source.sql(`update orders set status = 'open'`);
    await evaluateNow(root, made.body.id);
    expect(await kindsSeenBy(root)).toEqual([]);
  },
);

scenario(
  ['RT-4.3-1203', 'RT-4.3-1204'],
  'an acknowledged alert shows its user and sends no reminder until it clears',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, svc } = fixture;
    const alert = { remindMinutes: 15 };
    const { id, fill } = await watchTable(fixture, {
      createTasks: false,
      notificationTrigger: 'WhileRows',
      alert,
    });
    const path = `${subscriptions}/${id}/alert-acknowledgement`;
    const statusAfterReminderTime = async () => {
      await svc.sql(`update svc.alert_states set told_at = told_at - interval '16 minutes'`);
      return (await runNow(root, id)).status;
    };
    const acknowledgement = async () =>
      (await root.get(`${subscriptions}/${id}`)).body.alertState?.acknowledgement;

    const refused = await root.post(path, {});
    expect([refused.status, refused.body.code]).toEqual([409, 'alert-not-firing']);

    await fill(2);
    expect((await runNow(root, id)).status).toBe('Sent');
    expect(await statusAfterReminderTime()).toBe('Sent');

    const editor = await signIn(svc, await addUser(svc, 'on-call', ['Editor']));
    const viewer = await signIn(svc, await addUser(svc, 'reader', ['Viewer']));
    expect((await viewer.post(path, {})).status).toBe(403);
    expect((await editor.post(path, { note: ' I restart the loader. ' })).status).toBe(204);
    expect(await acknowledgement()).toEqual({
      at: expect.stringMatching(/Z$/),
      userId: expect.any(Number),
      userName: 'on-call',
      note: 'I restart the loader.',
    });
    expect(await statusAfterReminderTime()).toBe('Silenced');
    const [item] = (await root.get(firingPath)).body.items;
    expect(item.acknowledgement).toMatchObject({ userName: 'on-call', note: 'I restart the loader.' });

    expect((await editor.delete(path)).status).toBe(204);
    expect(await acknowledgement()).toBeNull();
    expect(await statusAfterReminderTime()).toBe('Sent');

    await editor.post(path, {});
    await fill(0);
    expect((await runNow(root, id)).status).toBe('Sent');
    await fill(1);
    expect((await runNow(root, id)).status).toBe('Sent');
    expect(await acknowledgement()).toBeNull();
    expect(await statusAfterReminderTime()).toBe('Sent');
  },
);

scenario(['RT-4.3-1205'], 'a new stateful alert stores its rows by default', async ({ deliver }) => {
  const fixture = await deliver();
  const { root, addQuery } = fixture;
  const queryId = await addQuery('select 1 as one');
  const storesRows = async (more: Readonly<Record<string, unknown>>) => {
    const id = await addSubscription(root, { queryId, recipientIds: [], createTasks: true, ...more });
    return (await root.get(`${subscriptions}/${id}`)).body.storeResults;
  };
  expect(await storesRows({ notificationTrigger: 'WhileRows' })).toBe(true);
  expect(await storesRows({ notificationTrigger: 'WhileRows', storeResults: false })).toBe(false);
  expect(await storesRows({ notificationTrigger: 'Always' })).toBe(false);
});
