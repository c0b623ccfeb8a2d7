import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import type { SinkAnswer } from '@svc/testkit/runs/webhook-sink.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Long enough for responding receivers on a busy machine, because the receivers share it with the service. */
const deliveryTimeoutSeconds = 8;
/** Concurrent deliveries of the send gateway. */
const atOnce = 50;
const graceSeconds = 5;

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
  const startedAtMs = performance.now();
  const run = await fixture.runNow(id);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const waves = Math.ceil(made.length / atOnce);
  expect(waves).toBe(2);
  expect(seconds).toBeLessThan(deliveryTimeoutSeconds * waves + graceSeconds);

  expect(run.status).toBe('Failed');
  const ended = new Map(run.deliveries.map((delivery) => [delivery['recipientId'], delivery]));
  for (const { id: recipientId, path, state, reason } of made) {
    const delivery = ended.get(recipientId);
    expect([path, delivery?.['state'], delivery?.['reason']]).toEqual([path, state, reason]);
    expect(delivery?.['attempt']).toBe(1);
    expect(delivery?.['durationMs']).toBeLessThan((deliveryTimeoutSeconds + 1) * 1_000);
  }
  expect(run.deliveries).toHaveLength(made.length);
  expect(fixture.sink.received.map(({ path }) => path).sort()).toEqual(made.map(({ path }) => path).sort());
}, 120_000);
