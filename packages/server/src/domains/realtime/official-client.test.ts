import type { IncomingMessage } from 'node:http';
import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { type Connecting, connect, type HubClient } from '@svc/testkit/client/hub-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { heardOf, raiseApproval, raiseJob } from './testing/raise.ts';

let svc: RunningService;
let anaId: number;
let benId: number;
const opened: HubClient[] = [];

const open = async (who: HttpClient, how?: Connecting, at: RunningService = svc): Promise<HubClient> => {
  const client = await connect(at.origin, who, how);
  opened.push(client);
  return client;
};
const hears = (client: HubClient, count: number) =>
  until(`${count} events`, async () => (client.heard.length >= count ? client.heard : undefined));
const happens = (client: HubClient, what: HubClient['happened'][number]) =>
  until(`the client to be ${what}`, async () => (client.happened.includes(what) ? true : undefined));

beforeAll(async () => {
  svc = await startService({ svc: { realtime: { hub: { sweepIntervalMs: 50 } } } });
  await setUp(svc);
  anaId = await createUser(svc.database, 'ana', ['Viewer']);
  benId = await createUser(svc.database, 'ben', ['Viewer']);
});
afterEach(async () => {
  for (const { connection } of opened.splice(0)) await connection.stop();
});
afterAll(() => svc.close());

const ways: Connecting[] = [
  { transport: 'WebSockets', protocol: 'json' },
  { transport: 'WebSockets', protocol: 'messagepack' },
  { transport: 'WebSockets', protocol: 'json', skipNegotiation: true },
  { transport: 'WebSockets', protocol: 'json', statefulReconnect: true },
  { transport: 'ServerSentEvents', protocol: 'json' },
  { transport: 'LongPolling', protocol: 'json' },
  { transport: 'LongPolling', protocol: 'messagepack' },
  { major: 'earlier', transport: 'WebSockets', protocol: 'json' },
  { major: 'earlier', transport: 'ServerSentEvents', protocol: 'json' },
  { major: 'earlier', transport: 'LongPolling', protocol: 'json' },
];

describe('the official client', () => {
  test.each(ways.map((how) => [JSON.stringify(how), how] as const))(
    'receives only the events of its user: %s',
    async (_name, how) => {
      const ana = await open(await signIn(svc, 'ana'), how);
      const ben = await open(await signIn(svc, 'ben'), how);
      const first = await raiseApproval(svc.database, [anaId], 1);
      const second = await raiseApproval(svc.database, [anaId, benId], 2);
      await hears(ana, 2);
      await hears(ben, 1);
      expect(heardOf(ana.heard, 'ApprovalUpdated')).toEqual([first, second]);
      expect(heardOf(ben.heard, 'ApprovalUpdated')).toEqual([second]);
    },
  );

  test('is refused an invocation with a reason, and then still receives events', async () => {
    const ana = await open(await signIn(svc, 'ana'));
    await expect(ana.connection.invoke('SendToAll', 'x')).rejects.toThrow('This hub offers no methods.');
    await ana.connection.send('SendToAll', 'x');
    await raiseApproval(svc.database, [anaId], 3);
    await hears(ana, 1);
  });

  test.each(['WebSockets', 'ServerSentEvents', 'LongPolling'] as const)(
    'disconnects without an error over %s',
    async (transport) => {
      const ana = await open(await signIn(svc, 'ana'), { transport });
      await ana.connection.stop();
      expect(ana.happened).toEqual(['closed']);
      expect(ana.closeError()).toBeUndefined();
    },
  );
});

describe('a session', () => {
  test.each(['WebSockets', 'ServerSentEvents', 'LongPolling'] as const)(
    'closes its connections when it ends, and the client does not reconnect: %s',
    async (transport) => {
      const browser = await signIn(svc, 'ana');
      const other = await open(await signIn(svc, 'ana'), { transport, reconnects: true });
      const ana = await open(browser, { transport, reconnects: true });
      await browser.post('/svc/api/auth/logout');
      await happens(ana, 'closed');
      // Between two polls the server cannot notify the client. The next poll is refused, and so is the reconnection.
      const isPolling = transport === 'LongPolling';
      expect(ana.happened.filter((each) => !isPolling || each !== 'reconnecting')).toEqual(['closed']);
      expect(other.happened).toEqual([]);
    },
  );

  test('closes its connections in another process, too', async () => {
    const replica = await startService({ on: svc });
    const browser = await signIn(svc, 'ana');
    const ana = await open(browser, { reconnects: true }, replica);
    await browser.post('/svc/api/auth/logout');
    await happens(ana, 'closed');
    expect(ana.happened).toEqual(['closed']);
    await replica.close();
  });

  test('makes the client reconnect through the gates when its next check is due', async () => {
    let now = new Date();
    const service = await startService({
      svc: { clock: { now: () => now }, realtime: { hub: { sweepIntervalMs: 20 } } },
      config: { 'Svc:Authentication:Session:RevalidateMinutes': 5 },
    });
    await setUp(service);
    const ownAnaId = await createUser(service.database, 'ana', ['Viewer']);
    const ana = await open(await signIn(service, 'ana'), { reconnects: true }, service);
    now = new Date(now.getTime() + 4 * 60_000);
    await raiseApproval(service.database, [ownAnaId], 1);
    await hears(ana, 1);
    expect(ana.happened).toEqual([]);
    now = new Date(now.getTime() + 2 * 60_000);
    await happens(ana, 'reconnected');
    expect(ana.happened).toEqual(['reconnecting', 'reconnected']);
    await service.database.query("update svc.users set is_enabled = false where user_name = 'ana'");
    now = new Date(now.getTime() + 6 * 60_000);
    await happens(ana, 'closed');
    await service.close();
  });
});

describe('replicas', () => {
  test('an event that is raised in one process reaches the clients of all processes', async () => {
    const replica = await startService({ on: svc });
    const here = await open(await signIn(svc, 'ana'));
    const there = await open(await signIn(svc, 'ana'), {}, replica);
    const payload = await raiseApproval(replica.database, [anaId], 7);
    await hears(here, 1);
    await hears(there, 1);
    expect([here.heard, there.heard]).toEqual([
      [{ event: 'ApprovalUpdated', payload }],
      [{ event: 'ApprovalUpdated', payload }],
    ]);
    await replica.close();
  });

  test('a WebSocket can connect to another process than the negotiating process', async () => {
    const replica = await startService({ on: svc });
    const ana = await signIn(svc, 'ana');
    const { body } = await ana.post('/svc/api/hub/negotiate?negotiateVersion=1', undefined, {
      antiforgery: false,
    });
    const cookie = [...ana.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const url = `${replica.origin.replace('http', 'ws')}/svc/api/hub?id=${encodeURIComponent(body.connectionToken)}`;
    const { WebSocket } = await import('ws');
    const socket = new WebSocket(url, { headers: { cookie } });
    const answer = new Promise<string>((resolve, reject) => {
      socket.on('message', (data) => resolve(String(data)));
      socket.on('error', reject);
      socket.on('open', () => socket.send('{"protocol":"json","version":1}\u001e'));
    });
    expect(await answer).toBe('{}\u001e');
    socket.terminate();
    await replica.close();
  });

  test('a process that stops disconnects its clients, and they begin to reconnect', async () => {
    const replica = await startService({ on: svc });
    const ana = await open(await signIn(svc, 'ana'), { reconnects: true }, replica);
    await replica.close();
    await happens(ana, 'reconnecting');
    expect(ana.happened[0]).toBe('reconnecting');
  });
});

test('users whom the host signs in can connect, and receive events about their own jobs', async () => {
  const principal = ({ headers }: IncomingMessage) =>
    typeof headers['x-person'] === 'string' ? { id: headers['x-person'], roles: ['Editor'] } : null;
  const service = await startService({
    on: svc,
    config: { 'Svc:UserManagement:Enabled': false },
    svc: { principal },
  });
  const stranger = createHttpClient(service.origin);
  const one = await open(stranger, { headers: { 'x-person': 'one' } }, service);
  const two = await open(stranger, { headers: { 'x-person': 'two' } }, service);
  const job = { jobId: '01890000-0000-7000-8000-000000000000', state: 'Completed', at: new Date() } as const;
  await raiseJob(service.database, { ...job, metadata: { startedBy: 'host:two' } });
  await raiseJob(service.database, { ...job, metadata: { startedBy: 'host:one' } });
  await hears(one, 1);
  await hears(two, 1);
  expect([one.heard.length, two.heard.length]).toEqual([1, 1]);
  for (const { connection } of [one, two]) await connection.stop();
  await service.close();
});

test('an anonymous caller gets 401 from the hub', async () => {
  expect((await createHttpClient(svc.origin).post('/svc/api/hub/negotiate')).status).toBe(401);
});
