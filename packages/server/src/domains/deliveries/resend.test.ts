import type { Email } from '@svc/channels';
import { type EndedRun, type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const mails: Email[] = [];
const refusedMails = { count: 0 };
let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({
    svc: {
      email: async (email) => {
        if (refusedMails.count > 0) {
          refusedMails.count -= 1;
          throw new Error('mailbox full');
        }
        mails.push(email);
        return 'accepted';
      },
    },
  });
});
afterAll(() => fixture.close());

const notifications = '/svc/api/notifications';
let count = 0;

/** Creates a run whose only recipient is a webhook that responds with 500. */
async function failedRun(): Promise<{
  run: EndedRun;
  path: string;
  recipientId: number;
  deliveryId: number;
}> {
  count += 1;
  const path = `/resend/${count}`;
  fixture.sink.answers.set(path, 500);
  const queryId = await fixture.addQuery('select id, email from orders');
  const recipientId = await fixture.addRecipient(path);
  const { id } = await fixture.addSubscription({
    queryId,
    recipientIds: [recipientId],
    notificationTrigger: 'Always',
  });
  const run = await fixture.runNow(id);
  expect(run).toMatchObject({ status: 'Failed', isMessageKept: true, recoveredAt: null });
  return { run, path, recipientId, deliveryId: run.deliveries[0]?.id ?? 0 };
}

const requestsAt = (path: string) => fixture.sink.received.filter((request) => request.path === path);
const resend = (runId: number, deliveryId: number, client = fixture.root) =>
  client.post(`${notifications}/${runId}/deliveries/${deliveryId}/resend`);

/** Waits until no attempt of the run is open. */
const settled = (runId: number) =>
  until(`the attempts of run ${runId}`, async () => {
    const { body } = await fixture.root.get(`${notifications}/${runId}`);
    const isOpen = body.deliveries.some(({ state }: { state: string }) => /^(Queued|Sending)$/.test(state));
    return isOpen ? undefined : body;
  });

/** Waits until every recipient has its message. */
const recovered = (runId: number) =>
  until(`the recovery of run ${runId}`, async () => {
    const { body } = await fixture.root.get(`${notifications}/${runId}`);
    return body.recoveredAt === null ? undefined : body;
  });

describe('a resent delivery', () => {
  test('contains the stored message with the same id, and the run shows when it recovered', async () => {
    const { run, path, recipientId, deliveryId } = await failedRun();
    const made = await fixture.root.post(`/svc/api/recipients/${recipientId}/signing-secrets`);
    expect(made.status).toBe(201);
    await fixture.shop.query('insert into orders values (900 + $1, $2, 1)', [count, 'late@example.org']);
    expect((await resend(run.id, deliveryId)).status).toBe(202);
    await settled(run.id);
    fixture.sink.answers.delete(path);
    const second = (await fixture.root.get(`${notifications}/${run.id}`)).body.deliveries.at(-1);
    expect(await resend(run.id, second.id)).toMatchObject({
      status: 202,
      body: { orderedCount: 1, isCut: false },
    });
    const over = await recovered(run.id);
    expect(over).toMatchObject({ status: 'Failed', comment: run.comment });
    expect(
      over.deliveries.map(({ attempt, origin, state, orderedBy, messageId }: Record<string, unknown>) => [
        attempt,
        origin,
        state,
        orderedBy === null,
        messageId,
      ]),
    ).toEqual([
      [1, 'Run', 'Failed', true, `run-${run.id}-${recipientId}`],
      [2, 'Resend', 'Failed', false, `run-${run.id}-${recipientId}`],
      [3, 'Resend', 'Sent', false, `run-${run.id}-${recipientId}`],
    ]);
    const [first, again, last] = requestsAt(path);
    expect(last?.text).toBe(first?.text);
    expect(last?.text).not.toContain('@example.org');
    expect(first?.headers['webhook-id']).toBeUndefined();
    for (const request of [again, last]) {
      expect(request?.headers['webhook-id']).toBe(`run-${run.id}-${recipientId}`);
      const verifier = new Webhook(made.body.secret);
      expect(verifier.verify(request?.text ?? '', request?.headers as Record<string, string>)).toBeTruthy();
    }
    const { rows } = await fixture.svc.database.query(
      `select detail from svc.audit_events where event = 'notifications.deliveries_resent' and detail->>'runId' = $1`,
      [String(run.id)],
    );
    expect(rows).toHaveLength(2);
  });

  test('is checked by the send gateway against the present state of the recipient', async () => {
    const { run, path, recipientId, deliveryId } = await failedRun();
    await fixture.svc.database.query('update svc.recipients set archived_at = now() where id = $1', [
      recipientId,
    ]);
    expect((await resend(run.id, deliveryId)).status).toBe(202);
    const over = await settled(run.id);
    expect(over.deliveries.at(-1)).toMatchObject({
      state: 'Skipped',
      reason: 'The recipient no longer exists.',
    });
    expect(requestsAt(path)).toHaveLength(1);
  });

  test('is ordered once for several simultaneous requests', async () => {
    const { run, path, deliveryId } = await failedRun();
    fixture.sink.answers.delete(path);
    const answers = await Promise.all(Array.from({ length: 8 }, () => resend(run.id, deliveryId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(7).fill(409)]);
    await settled(run.id);
    expect(requestsAt(path)).toHaveLength(2);
  });

  test('contains the file of the run, which is deleted after the successful delivery', async () => {
    const { id: recipientId } = await fixture.make('/svc/api/recipients', {
      notificationType: 'Email',
      name: `Mail ${count}`,
      destination: 'anna@example.org',
    });
    const queryId = await fixture.addQuery('select id, email from orders order by id');
    const { id } = await fixture.addSubscription({
      queryId,
      recipientIds: [recipientId],
      notificationTrigger: 'Always',
      includeAttachment: true,
      attachmentFormat: 'Csv',
      maxRows: 2,
    });
    refusedMails.count = 1;
    const run = await fixture.runNow(id);
    expect(run.status).toBe('Failed');
    const kept = 'select data_sealed from svc.run_attachment_parts where run_id = $1';
    const { rows } = await fixture.svc.database.query(kept, [run.id]);
    expect(rows).toHaveLength(1);
    expect(rows[0].data_sealed).toMatch(/^v1\./);
    expect((await resend(run.id, run.deliveries[0]?.id ?? 0)).status).toBe(202);
    await recovered(run.id);
    const text = Buffer.from(mails.at(-1)?.attachment?.Data ?? []).toString('utf8');
    expect(text.trim().split('\r\n')).toHaveLength(3);
    expect(text).not.toContain('@example.org');
    await until('the file to go', async () =>
      (await fixture.svc.database.query(kept, [run.id])).rowCount === 0 ? true : undefined,
    );
  });
});

describe('the resend of all failed deliveries', () => {
  test('orders each failed delivery of a run once', async () => {
    const { run, path } = await failedRun();
    fixture.sink.answers.delete(path);
    const answer = await fixture.root.post(`${notifications}/${run.id}/resend-failed`, {});
    expect(answer).toMatchObject({ status: 202, body: { orderedCount: 1 } });
    await recovered(run.id);
    expect((await fixture.root.post(`${notifications}/${run.id}/resend-failed`, {})).body.orderedCount).toBe(
      0,
    );
  });

  test('orders the failed deliveries of a time window in the projects in which the caller can write', async () => {
    const runs = [await failedRun(), await failedRun()];
    const now = Date.now();
    const window = { from: new Date(now - 3_600_000).toISOString(), to: new Date(now).toISOString() };
    const recipients = runs.map(({ recipientId }) => recipientId);
    await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, {
      accessMode: 'Restricted',
    });
    const stranger = await fixture.person('stranger', 'Editor');
    expect(await stranger.post(`${notifications}/resend-failed`, window)).toMatchObject({
      status: 202,
      body: { orderedCount: 0 },
    });
    for (const { path } of runs) fixture.sink.answers.delete(path);
    for (const recipientId of recipients)
      expect(
        await fixture.root.post(`${notifications}/resend-failed`, { ...window, recipientId }),
      ).toMatchObject({
        body: { orderedCount: 1, isCut: false },
      });
    for (const { run } of runs) expect((await recovered(run.id)).status).toBe('Failed');
    await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Open' });
  });
});

describe('refused resends', () => {
  test('refuses a window that ends before it begins or is too long with 400', async () => {
    const at = (day: string) => `2026-${day}T00:00:00Z`;
    for (const [from, to] of [
      ['02-02', '02-01'],
      ['01-01', '03-01'],
    ] as const) {
      const answer = await fixture.root.post(`${notifications}/resend-failed`, {
        from: at(from),
        to: at(to),
      });
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid-range']);
    }
  });

  test('refuses a Viewer with 403, and an unknown run or a delivery of another run with 404', async () => {
    const { run, deliveryId } = await failedRun();
    const other = await failedRun();
    const viewer = await fixture.person('viewer', 'Viewer');
    expect((await resend(run.id, deliveryId, viewer)).status).toBe(403);
    expect((await resend(run.id, other.deliveryId)).status).toBe(404);
    expect((await resend(999_999, deliveryId)).status).toBe(404);
  });

  test('refuses a successful delivery, a repeated delivery and a deleted message with 409', async () => {
    const { run, path, deliveryId } = await failedRun();
    fixture.sink.answers.delete(path);
    await resend(run.id, deliveryId);
    const over = await settled(run.id);
    expect((await resend(run.id, over.deliveries.at(-1).id)).body).toMatchObject({
      status: 409,
      code: 'delivery-made',
    });
    expect((await resend(run.id, deliveryId)).body).toMatchObject({ status: 409, code: 'delivery-repeated' });
    const gone = await failedRun();
    await fixture.svc.database.query('update svc.runs set message_sealed = null where id = $1', [
      gone.run.id,
    ]);
    expect((await resend(gone.run.id, gone.deliveryId)).body).toMatchObject({
      status: 409,
      code: 'message-gone',
    });
  });
});

describe('a retry policy', () => {
  test('repeats a failed delivery automatically up to its limit, and without a policy nothing is repeated', async () => {
    const { path, recipientId } = await failedRun();
    expect(requestsAt(path)).toHaveLength(1);
    const policy = { retriesMax: 1, delaySeconds: 5 };
    const set = await fixture.root.put(`/svc/api/recipients/${recipientId}/retry-policy`, policy);
    expect(set).toMatchObject({ status: 200, body: { retryPolicy: policy, signing: 'Off' } });
    const { rows } = await fixture.svc.database.query(
      'select subscription_id as id from svc.subscription_recipients where recipient_id = $1',
      [recipientId],
    );
    const run = await fixture.runNow(rows[0].id);
    expect(run.deliveries.at(-1)).toMatchObject({ state: 'Queued', origin: 'Retry', attempt: 2 });
    const over = await settled(run.id);
    expect(over.deliveries.map(({ state }: { state: string }) => state)).toEqual(['Failed', 'Failed']);
    expect(requestsAt(path)).toHaveLength(3);
  });

  test('refuses values out of bounds with 400', async () => {
    const recipientId = await fixture.addRecipient('/bounds');
    for (const policy of [{ retriesMax: 11, delaySeconds: 60 }, { retriesMax: 1, delaySeconds: 4 }, {}])
      expect((await fixture.root.put(`/svc/api/recipients/${recipientId}/retry-policy`, policy)).status).toBe(
        400,
      );
  });
});
