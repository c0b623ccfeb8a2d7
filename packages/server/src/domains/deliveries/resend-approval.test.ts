import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { approvalsOn, approveRecipient } from '@svc/testkit/runs/approve.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
let approver: HttpClient;
beforeAll(async () => {
  fixture = await startRunFixture({ config: approvalsOn });
  approver = await fixture.person('approver', 'Approver');
});
afterAll(() => fixture.close());

const notifications = '/svc/api/notifications';
const arrivedAt = (path: string): number =>
  fixture.sink.received.filter((request) => request.path === path).length;
const approved = (recipientId: number) => approveRecipient(approver, recipientId);
let count = 0;

/** Creates a run whose only recipient is approved and responds with 500. */
async function failedRun() {
  count += 1;
  const path = `/approved/${count}`;
  const recipientId = await fixture.addRecipient(path);
  await approved(recipientId);
  fixture.sink.answers.set(path, 500);
  const { id } = await fixture.addSubscription({
    queryId: await fixture.addQuery('select id from orders'),
    recipientIds: [recipientId],
    notificationTrigger: 'Always',
  });
  const run = await fixture.runNow(id);
  expect(run.status).toBe('Failed');
  expect(arrivedAt(path)).toBe(1);
  fixture.sink.answers.delete(path);
  return { run, path, recipientId };
}

const redirect = async (recipientId: number, destination: string) => {
  const { body } = await fixture.root.get(`/svc/api/recipients/${recipientId}`);
  const answer = await fixture.root.put(`/svc/api/recipients/${recipientId}`, {
    notificationType: 'Webhook',
    name: body.name,
    destination,
  });
  expect(answer.status).toBeLessThan(300);
};

/** Resends all failed deliveries of a run and returns the last attempt after its end. */
async function resent(runId: number) {
  const ordered = await fixture.root.post(`${notifications}/${runId}/resend-failed`, {});
  expect(ordered).toMatchObject({ status: 202, body: { orderedCount: 1 } });
  return until('the attempt', async () => {
    const { body } = await fixture.root.get(`${notifications}/${runId}`);
    const last = body.deliveries.at(-1);
    return /^(Queued|Sending)$/.test(last.state) ? undefined : { ...last, run: body };
  });
}

describe('a resent delivery', () => {
  test('is not sent to a recipient that awaits approval, and states the reason', async () => {
    const { run, path, recipientId } = await failedRun();
    await redirect(recipientId, `${fixture.sink.url}/elsewhere/${recipientId}`);
    expect(await resent(run.id)).toMatchObject({
      state: 'Skipped',
      origin: 'Resend',
      reason: 'The recipient awaits approval.',
      run: { status: 'Failed', recoveredAt: null },
    });
    expect(arrivedAt(path)).toBe(1);
    expect(arrivedAt(`/elsewhere/${recipientId}`)).toBe(0);
  });

  test('is sent only to the destination of the approved change', async () => {
    const { run, path, recipientId } = await failedRun();
    await redirect(recipientId, `${fixture.sink.url}/elsewhere/${recipientId}`);
    await approved(recipientId);
    expect(await resent(run.id)).toMatchObject({ state: 'Sent' });
    expect([arrivedAt(path), arrivedAt(`/elsewhere/${recipientId}`)]).toEqual([1, 1]);
  });

  test('is not sent if the stored destination differs from the approved destination', async () => {
    const [one, other] = [await failedRun(), await failedRun()];
    // Simulates database access without the key: an approval is bound to the approved content.
    await fixture.svc.database.query(
      `update svc.recipients set approved_hash = (select approved_hash from svc.recipients where id = $2) where id = $1`,
      [one.recipientId, other.recipientId],
    );
    expect(await resent(one.run.id)).toMatchObject({
      state: 'Skipped',
      reason: 'The recipient differs from what was approved.',
    });
    expect(arrivedAt(one.path)).toBe(1);
  });
});

test('adding an existing recipient to a subscription requires no approval', async () => {
  const recipientId = await fixture.addRecipient('/attached');
  await approved(recipientId);
  const pending = async () =>
    (await fixture.root.get('/svc/api/approvals/changes?status=Pending&pageSize=200')).body.totalCount;
  const before = await pending();
  const first = await fixture.addSubscription({
    queryId: await fixture.addQuery('select id from orders'),
    recipientIds: [recipientId],
    notificationTrigger: 'Always',
  });
  const { recipientId: other } = await failedRun();
  const editor = await fixture.person('editor', 'Editor');
  const attached = await editor.post(`/svc/api/subscriptions/${first.id}/recipients`, {
    recipientIds: [other],
  });
  expect(attached.status).toBe(200);
  expect(await pending()).toBe(before);
  expect((await fixture.runNow(first.id)).status).toBe('Sent');
  expect(arrivedAt('/attached')).toBe(1);
});
