import { postgresAddress } from '@svc/testkit/database/gate.ts';
import { openSilentProxy, type SilentProxy } from '@svc/testkit/database/silent-proxy.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addRecipient, addSubscription } from '@svc/testkit/runs/subscribe.ts';
import type { Wiring } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

/** Returns the wiring of a service through a proxy in front of its metadata database. */
function proxied() {
  let proxy: SilentProxy | undefined;
  const wire: Wiring = async (connection) => {
    proxy = await openSilentProxy(postgresAddress(connection));
    return { ...connection, host: '127.0.0.1', port: proxy.port };
  };
  return {
    wire,
    get proxy(): SilentProxy {
      if (!proxy) throw new Error('The service was not started.');
      return proxy;
    },
    close: async () => proxy?.stop(),
  };
}

scenario(
  ['RT-4.3-1167', 'RT-4.3-1168'],
  'a request on a silent session returns 503 with Retry-After, and a subscription resumes without intervention',
  async ({ onEnd }) => {
    const wiring = proxied();
    onEnd(wiring.close);
    const { root, addQuery, sink, close } = await startDeliveryFixture({
      wire: wiring.wire,
      config: { 'Svc:Subscriptions:MinimumIntervalSeconds': 1 },
    });
    onEnd(close);
    await addSubscription(root, {
      queryId: await addQuery('select 1 as found'),
      cronExpression: '*/2 * * * * *',
      recipientIds: [
        await addRecipient(root, { notificationType: 'Webhook', destination: sink.urlOf('/hook') }),
      ],
    });
    await expect.poll(() => sink.received.length, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(wiring.proxy.silence()).toBeGreaterThan(0);
    const before = sink.received.length;
    const silent = await root.get('/svc/api/subscriptions');
    expect([silent.status, Number(silent.headers.get('retry-after')) > 0]).toEqual([503, true]);
    const status = async () => (await root.get('/svc/api/subscriptions')).status;
    await expect.poll(status, { timeout: 120_000 }).toBe(200);
    // One delivery may have been in progress when the sessions became silent.
    await expect.poll(() => sink.received.length, { timeout: 120_000 }).toBeGreaterThan(before + 1);
  },
  { timeout: 300_000 },
);

scenario(
  ['RT-4.2-870'],
  'the health check returns a 503 problem while only the job engine gets no response, and recovers',
  async ({ start, onEnd }) => {
    const wiring = proxied();
    onEnd(wiring.close);
    const svc = await start({}, {}, wiring.wire);
    const route = '/svc/api/health';
    const root = await setUp(svc);
    const health = async () => (await svc.client().get(route)).status;
    expect(await health()).toBe(200);
    wiring.proxy.silenceAll('svc-jobs');
    await expect.poll(health, { timeout: 120_000 }).toBe(503);
    expect((await root.get('/svc/api/projects')).status).toBe(200);
    wiring.proxy.restore();
    await expect.poll(health, { timeout: 120_000 }).toBe(200);
  },
  { timeout: 300_000 },
);
