import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import type { SinkAnswer } from '@svc/testkit/runs/webhook-sink.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Long enough for all responding receivers on a busy machine, because they share it with the service. */
const deliveryTimeoutSeconds = 20;
/** Concurrent deliveries of the send gateway. */
const atOnce = 50;

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({
    config: { 'Svc:Notifications:DeliveryTimeoutSeconds': deliveryTimeoutSeconds },
  });
});
afterAll(() => fixture.close());

const timedOut = 'The destination did not answer in time.';
const failed = 'The connection failed.';
/** Receivers per kind of response, hanging receivers first. The total exceeds the concurrent deliveries. */
const kinds: readonly (readonly [SinkAnswer, number, string, string | null])[] = [
  ['hang', 20, 'Failed', timedOut],
  ['cut', 8, 'Failed', failed],
  [500, 8, 'Failed', 'The destination answered HTTP 5xx.'],
  // The response status decides: the receiver accepted the message.
  ['half', 8, 'Sent', null],
  ['stuck', 8, 'Sent', null],
  ['large', 2, 'Sent', null],
  [200, 8, 'Sent', null],
];

test('receivers that misbehave get one attempt each within its time limit, and do not delay the other deliveries', async () => {
  const made: { path: string; id: number; state: string; reason: string | null }[] = [];
  for (const [answer, howMany, state, reason] of kinds) {
    for (let number = 0; number < howMany; number += 1) {
      const path = `/${answer}/${number}`;
      fixture.sink.answers.set(path, answer);
      made.push({ path, id: await fixture.addRecipient(path), state, reason });
    }
  }
  const { id } = await fixture.addSubscription({
    queryId: await fixture.addQuery('select id from orders'),
    recipientIds: made.map((recipient) => recipient.id),
    notificationTrigger: 'Always',
  });
  expect(made.length).toBeGreaterThan(atOnce);
  const running = fixture.runNow(id);
  /** Returns numbers of ended deliveries: to hanging receivers, and to the others. */
  const ended = async () => {
    const { rows } = await fixture.svc.database.query<{ hanging: number; others: number }>(
      `select count(*) filter (where recipient_id = any($1)) as hanging,
              count(*) filter (where recipient_id <> all($1)) as others
         from svc.deliveries where state in ('Sent', 'Failed')`,
      [made.filter(({ reason }) => reason === timedOut).map((recipient) => recipient.id)],
    );
    return rows[0];
  };
  await expect.poll(ended).toEqual({ hanging: 0, others: 42 });
  const run = await running;
  expect(run.status).toBe('Failed');
  const deliveries = new Map(run.deliveries.map((delivery) => [delivery['recipientId'], delivery]));
  for (const { id: recipientId, path, state, reason } of made) {
    const delivery = deliveries.get(recipientId);
    expect([path, delivery?.['state'], delivery?.['reason']]).toEqual([path, state, reason]);
    expect(delivery?.['attempt']).toBe(1);
    if (reason === timedOut)
      expect(delivery?.['durationMs']).toBeGreaterThan((deliveryTimeoutSeconds - 1) * 1_000);
  }
  expect(run.deliveries).toHaveLength(made.length);
  expect(fixture.sink.received.map(({ path }) => path).sort()).toEqual(made.map(({ path }) => path).sort());
}, 120_000);
