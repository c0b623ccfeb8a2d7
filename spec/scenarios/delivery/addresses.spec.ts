import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { runNow } from '@svc/testkit/runs/subscribe.ts';
import { startWebhookSink, type WebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import { expect, vi } from 'vitest';
import { type ScenarioContext, scenario } from '../support/scenario.ts';
import { sendOnce } from '../support/send-once.ts';

/** A name that only the resolver of these scenarios resolves. */
const host = 'hooks.moving.example';
const networksOf = (type: string) => `Svc:Notifications:AllowedPrivateNetworks:${type}`;

/** Current addresses of the name. The system's resolver answers for all other names. */
let addresses: readonly string[] = [];

function answerForTheName(onEnd: ScenarioContext['onEnd']): void {
  const system = dns.lookup;
  const answer = async (name: string, ...more: []): Promise<LookupAddress | LookupAddress[]> =>
    name === host
      ? addresses.map((address) => ({ address, family: net.isIP(address) }))
      : system(name, ...more);
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(answer as typeof dns.lookup);
  syncBuiltinESMExports();
  onEnd(async () => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

/**
 * Starts a sink under the name, and a fixture that trusts it. On its own machine, the fixture may reach only
 * 127.0.0.1.
 */
async function startMoving({ deliver, onEnd }: Pick<ScenarioContext, 'deliver' | 'onEnd'>) {
  answerForTheName(onEnd);
  // Each request opens a connection: a reused connection would lead to the address of an earlier check.
  const answerOf = () => ({ status: 200, headers: { connection: 'close' } });
  const sink = await startWebhookSink({ host, answerOf });
  onEnd(sink.close);
  const fixture = await deliver({
    'Svc:Notifications:TrustedCertificates': [sink.certificate],
    [networksOf('Webhook')]: ['127.0.0.1/32'],
  });
  return { sink, fixture };
}

/** Returns the number of messages that were refused for their address, before any connection attempt. */
const refusals = ({ svc }: Pick<DeliveryFixture, 'svc'>) =>
  svc.log.filter((entry) => entry['failure'] === 'AddressRefused' && entry['stage'] === 'resolve').length;

/** Listens on another address of this machine, on the port of the sink. Returns a function that counts connections. */
async function listenAt(address: string, { port }: WebhookSink, onEnd: ScenarioContext['onEnd']) {
  let count = 0;
  const server = net.createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  server.listen(port, address);
  await once(server, 'listening');
  onEnd(async () => void server.close());
  return () => count;
}

scenario(
  ['DL-5.4-10', 'DL-5.4-01'],
  'all addresses of a name are checked at save and at connection, and no unchecked address is contacted',
  async ({ deliver, onEnd }) => {
    const { sink, fixture } = await startMoving({ deliver, onEnd });
    const elsewhere = await listenAt('127.0.0.2', sink, onEnd);
    addresses = ['127.0.0.1'];
    const queryId = await fixture.addQuery('select 1 as one');
    const sent = await sendOnce(fixture, queryId, {}, { destination: sink.urlOf('/in') });
    expect([sent.run.status, sink.received.length]).toEqual(['Sent', 1]);
    const connections = sink.connections();
    const saves = async () => {
      const recipient = { notificationType: 'Webhook', name: 'Moving', destination: sink.urlOf('/in') };
      const made = await fixture.root.post('/svc/api/recipients', recipient);
      const path = `/svc/api/recipients/${sent.recipientId}`;
      return [made.status, (await fixture.root.put(path, { ...recipient, name: 'Moved' })).status];
    };
    for (const means of [['127.0.0.2'], ['127.0.0.1', '127.0.0.2'], ['127.0.0.2', '127.0.0.1']]) {
      addresses = means;
      const before = refusals(fixture);
      const run = await runNow(fixture.root, sent.subscriptionId);
      expect([means, run.status, refusals(fixture) - before]).toEqual([means, 'Failed', 1]);
      expect([means, await saves()]).toEqual([means, [400, 400]]);
    }
    expect([elsewhere(), sink.connections() - connections]).toEqual([0, 0]);
    addresses = ['127.0.0.1'];
    expect(await saves()).toEqual([201, 200]);
    expect((await runNow(fixture.root, sent.subscriptionId)).status).toBe('Sent');
  },
);

scenario(
  ['DL-5.4-08'],
  'no spelling of a name leads to a private, loopback or link-local address',
  async ({ deliver, onEnd }) => {
    const { sink, fixture } = await startMoving({ deliver, onEnd });
    addresses = ['127.0.0.1'];
    const queryId = await fixture.addQuery('select 1 as one');
    const sent = await sendOnce(fixture, queryId, {}, { destination: sink.urlOf('/in') });
    expect(sent.run.status).toBe('Sent');
    const inside = [
      '10.0.0.1',
      '10.255.255.254',
      '172.16.0.1',
      '172.31.255.254',
      '192.168.0.1',
      '127.0.0.2',
      '127.255.255.254',
      '169.254.169.254',
      '0.0.0.0',
      '::1',
      '::',
      'fc00::1',
      'fdff::1',
      'fe80::1',
      'febf::1',
      '::ffff:10.0.0.1',
      '::ffff:127.0.0.2',
      '64:ff9b::a00:1',
    ];
    for (const address of inside) {
      addresses = [address];
      const before = refusals(fixture);
      const run = await runNow(fixture.root, sent.subscriptionId);
      expect([address, run.status, refusals(fixture) - before]).toEqual([address, 'Failed', 1]);
      const url = net.isIPv6(address) ? `https://[${address}]/in` : `https://${address}/in`;
      const recipient = { notificationType: 'Webhook', name: `At ${address}`, destination: url };
      const saved = await fixture.root.post('/svc/api/recipients', recipient);
      expect([url, saved.status]).toEqual([url, 400]);
    }
    expect(sink.received).toHaveLength(1);
  },
);

scenario(
  ['DL-5.4-08', 'DL-5.4-09'],
  'each channel can reach the networks on its own list, and no networks on the list of another channel',
  async ({ deliver }) => {
    const types = ['Webhook', 'ChatBlocks', 'ChatCards'] as const;
    const idle = await deliver({ 'Svc:Jobs:Workers': 0 });
    const queryId = await idle.addQuery('select 1 as one');
    const lax = await idle.svc.replica({ 'Svc:Jobs:Workers': 2 });
    const subscriptions: number[] = [];
    for (const notificationType of types) {
      const sent = await sendOnce(idle, queryId, {}, { notificationType });
      expect([notificationType, sent.run.status]).toEqual([notificationType, 'Sent']);
      subscriptions.push(sent.subscriptionId);
    }
    await lax.close();
    for (const own of types) {
      const closed = types.filter((type) => type !== own).map((type) => [networksOf(type), []]);
      const strict = await idle.svc.replica({ 'Svc:Jobs:Workers': 2, ...Object.fromEntries(closed) });
      for (const [index, type] of types.entries()) {
        const { status } = await runNow(idle.root, subscriptions[index] ?? 0);
        expect([own, type, status]).toEqual([own, type, type === own ? 'Sent' : 'Failed']);
      }
      await strict.close();
    }
    expect(idle.sink.received).toHaveLength(6);
  },
);
