import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { cookieHeader } from '@svc/testkit/client/hub-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { end, openSocket, refusedUpgrade } from './testing/socket.ts';

const hub = '/svc/api/hub';

let svc: RunningService;
let ana: HttpClient;

beforeAll(async () => {
  svc = await startService({ svc: { realtime: { hub: { sweepIntervalMs: 50 } } } });
  await setUp(svc);
  await createUser(svc.database, 'ana', ['Viewer']);
  ana = await signIn(svc, 'ana');
});
afterAll(() => svc.close());

describe('a host application', () => {
  test('without an upgrade handler still accepts clients', async () => {
    const server = createServer((incoming, response) => svc.svc.handle(incoming, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { HubConnectionBuilder, LogLevel } = await import('@microsoft/signalr');
    const connection = new HubConnectionBuilder()
      .withUrl(origin + hub, { headers: { cookie: cookieHeader(ana) } })
      .configureLogging(LogLevel.None)
      .build();
    await connection.start();
    expect(connection.state).toBe('Connected');
    await connection.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('that stops listening gets its connections closed, so that its server can end', async () => {
    const server = createServer((incoming, response) => svc.svc.handle(incoming, response));
    server.on('upgrade', (incoming, socket, head) => svc.svc.upgrade(incoming, socket, head));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const raw = await openSocket(origin, ana);
    const ended = new Promise((resolve) => server.close(resolve));
    await Promise.all([raw.closed, ended]);
    expect(raw.received.at(-1)).toBe(`{"type":7,"allowReconnect":true}${end}`);
  });

  test('gets normal responses for upgrade requests to other paths of the service', async () => {
    expect((await refusedUpgrade(svc.origin, ana, { path: '/svc/api/nothing' })).status).toBe(404);
    expect((await refusedUpgrade(svc.origin, ana, { path: '/svc/api/auth/me' })).status).toBe(200);
    await expect(refusedUpgrade(svc.origin, ana, { path: '/elsewhere' })).rejects.toThrow();
  });

  const offerHttp2 = async (origin: string): Promise<{ status: number | undefined; body: string }> => {
    const post = request(`${origin}/svc/api/auth/login`, {
      method: 'POST',
      headers: {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'content-type': 'application/json',
      },
    });
    post.end(JSON.stringify({ username: 'nobody', password: 'nothing' }));
    const [answer] = (await once(post, 'response')) as [IncomingMessage];
    let body = '';
    for await (const part of answer) body += String(part);
    return { status: answer.statusCode, body };
  };

  test('that upgrades only WebSockets serves clients that offer HTTP/2 with every request', async () => {
    const server = createServer(
      { shouldUpgradeCallback: ({ headers }) => headers.upgrade === 'websocket' },
      (incoming, response) => svc.svc.handle(incoming, response),
    );
    server.on('upgrade', (incoming, socket, head) => svc.svc.upgrade(incoming, socket, head));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await offerHttp2(origin)).status).toBe(401);
    const { socket } = await openSocket(origin, ana);
    socket.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('that upgrades every request refuses clients that offer HTTP/2 with 400 and the code no-upgrade', async () => {
    const { status, body } = await offerHttp2(svc.origin);
    expect([status, JSON.parse(body)]).toMatchObject([400, { status: 400, code: 'no-upgrade' }]);
  });
});

test('a service with realtime disabled has no hub, and its account endpoint reports this', async () => {
  const service = await startService({ on: svc, config: { 'Svc:Realtime:Enabled': false } });
  const off = await signIn(service, 'ana');
  expect(
    (await off.post(`${hub}/negotiate?negotiateVersion=1`, undefined, { antiforgery: false })).status,
  ).toBe(404);
  expect((await refusedUpgrade(service.origin, off)).status).toBe(404);
  expect((await off.get('/svc/api/auth/me')).body.realtimeEnabled).toBe(false);
  expect((await ana.get('/svc/api/auth/me')).body.realtimeEnabled).toBe(true);
  await service.close();
});
