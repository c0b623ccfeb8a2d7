import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { connect, createHubClient } from '@svc/testkit/client/hub-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createKey, createUser } from '@svc/testkit/people/users.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { raiseApproval } from './testing/raise.ts';
import { end, openDeafSocket, openSocket, refusedUpgrade } from './testing/socket.ts';

const hub = '/svc/api/hub';
const errorLevel = 50;

let svc: RunningService;
let ana: HttpClient;
let anaId: number;

beforeAll(async () => {
  svc = await startService({ svc: { realtime: { hub: { sweepIntervalMs: 50 } } } });
  await setUp(svc);
  anaId = await createUser(svc.database, 'ana', ['Viewer']);
  ana = await signIn(svc, 'ana');
});
afterAll(() => svc.close());

const negotiate = async (who: HttpClient, headers: Record<string, string> = {}) =>
  who.post(`${hub}/negotiate?negotiateVersion=1`, undefined, { antiforgery: false, headers });
const tokenOf = async (who: HttpClient): Promise<string> =>
  encodeURIComponent((await negotiate(who)).body.connectionToken);

/** Checks that the hub still serves: a client connects and receives an event. */
async function expectAlive(): Promise<void> {
  const client = await connect(svc.origin, ana);
  await raiseApproval(svc.database, [anaId], 1);
  await until('an event', async () => (client.heard.length > 0 ? true : undefined));
  await client.connection.stop();
  expect(svc.log.filter(({ level }) => level >= errorLevel)).toEqual([]);
}

describe('connections to the hub', () => {
  const admitted = ['Viewer', 'Editor', 'Admin', 'Approver', 'MigrationOperator'] as const;
  const refused = ['UserAdmin', 'SecurityAdmin', 'DataSourceAdmin', 'Auditor'] as const;

  test.each(admitted)('are accepted for a user with only the role %s', async (role) => {
    await createUser(svc.database, `with-${role}`, role);
    const client = await connect(svc.origin, await signIn(svc, `with-${role}`));
    expect(client.connection.state).toBe('Connected');
    await client.connection.stop();
  });

  test.each(refused)('are refused with 403 for a user with only the role %s', async (role) => {
    await createUser(svc.database, `with-${role}`, role);
    const who = await signIn(svc, `with-${role}`);
    await expect(connect(svc.origin, who)).rejects.toThrow("Status code '403'");
    expect((await refusedUpgrade(svc.origin, who)).status).toBe(403);
  });

  test('are refused with 401 without a session, in the negotiation and in the upgrade', async () => {
    await expect(createHubClient(svc.origin, undefined).connection.start()).rejects.toThrow(
      "Status code '401'",
    );
    const { status, body } = await refusedUpgrade(svc.origin, undefined);
    expect([status, JSON.parse(body)]).toMatchObject([401, { type: 'about:blank', title: 'Unauthorized' }]);
  });

  test('are refused with 403 for an API key with all scopes', async () => {
    const editor = await createUser(svc.database, 'editor', ['Editor']);
    const { authorization } = await createKey(svc.database, editor, { scopes: ['Read', 'Execute'] });
    const program = createHttpClient(svc.origin, authorization);
    expect((await negotiate(program)).status).toBe(403);
    expect((await refusedUpgrade(svc.origin, undefined, { headers: { authorization } })).status).toBe(403);
    // A request with an API key and a valid session must not fall back to the session.
    expect((await refusedUpgrade(svc.origin, ana, { headers: { authorization } })).status).toBe(403);
  });

  test('are refused with 403 until the user has changed a password that an administrator set', async () => {
    const id = await createUser(svc.database, 'newcomer', ['Viewer']);
    await svc.database.query('update svc.users set must_change_password = true where id = $1', [id]);
    expect((await negotiate(await signIn(svc, 'newcomer'))).status).toBe(403);
  });
});

describe('the origin of a request', () => {
  const foreign = [
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  test.each(foreign.map((headers) => [JSON.stringify(headers), headers as Record<string, string>] as const))(
    'refuses another site in every request: %s',
    async (_name, headers) => {
      const id = await tokenOf(ana);
      expect((await negotiate(ana, headers)).status).toBe(403);
      expect((await refusedUpgrade(svc.origin, ana, { headers })).status).toBe(403);
      const options = { antiforgery: false, headers };
      expect((await ana.get(`${hub}?id=${id}`, options)).status).toBe(403);
      expect((await ana.post(`${hub}?id=${id}`, undefined, options)).status).toBe(403);
      expect((await ana.delete(`${hub}?id=${id}`, options)).status).toBe(403);
    },
  );

  test('accepts the own site', async () => {
    expect((await negotiate(ana, { origin: svc.origin, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    const { socket } = await openSocket(svc.origin, ana, { headers: { origin: svc.origin } });
    socket.terminate();
  });
});

describe('a connection token', () => {
  test('belongs to the session that negotiated: another session of the same user gets 404', async () => {
    const id = await tokenOf(ana);
    const other = await signIn(svc, 'ana');
    expect((await other.get(`${hub}?id=${id}`)).status).toBe(404);
    expect((await refusedUpgrade(svc.origin, other, { path: `${hub}?id=${id}` })).status).toBe(404);
  });

  test('starts one connection: the second gets 409', async () => {
    const id = await tokenOf(ana);
    const { socket } = await openSocket(svc.origin, ana, { path: `${hub}?id=${id}` });
    expect((await refusedUpgrade(svc.origin, ana, { path: `${hub}?id=${id}` })).status).toBe(409);
    socket.terminate();
  });

  test.each(['x', '~~', `${'a'.repeat(22)}~1234567890123~v1.x.y`, '%00'])(
    'gets 404 if it is forged: %s',
    async (id) => {
      expect((await ana.get(`${hub}?id=${encodeURIComponent(id)}`)).status).toBe(404);
      expect(
        (await ana.post(`${hub}?id=${encodeURIComponent(id)}`, undefined, { antiforgery: false })).status,
      ).toBe(404);
    },
  );

  test('is required except for a WebSocket: a request without it gets 400', async () => {
    expect((await ana.get(hub)).body).toMatchObject({ status: 400, code: 'id-required' });
  });

  test('expires: an expired token gets 404', async () => {
    const service = await startService({ on: svc, svc: { realtime: { hub: { tokenLifetimeMs: -1 } } } });
    const { body } = await ana.post(`${hub}/negotiate`, undefined, { antiforgery: false });
    expect(body.negotiateVersion).toBe(0);
    const late = createHttpClient(service.origin);
    for (const [name, value] of ana.cookies) late.cookies.set(name, value);
    expect((await late.get(`${hub}?id=${await tokenOf(late)}`)).status).toBe(404);
    await service.close();
  });
});

describe('limits', () => {
  const bounded = (limits: Record<string, number>, config = {}) =>
    startService({ on: svc, config, svc: { realtime: { hub: { sweepIntervalMs: 20, ...limits } } } });

  test('a user cannot exceed the maximum number of connections: 429', async () => {
    const service = await bounded({}, { 'Svc:Realtime:MaxConnectionsPerUser': 2 });
    const sockets = [await openSocket(service.origin, ana), await openSocket(service.origin, ana)];
    expect((await refusedUpgrade(service.origin, ana)).status).toBe(429);
    sockets[0]?.socket.terminate();
    const again = await until('room', () => openSocket(service.origin, ana).catch(() => undefined));
    again.socket.terminate();
    await service.close();
  });

  test('a process cannot exceed the maximum number of connections: 503', async () => {
    const service = await bounded({}, { 'Svc:Realtime:MaxConnections': 1 });
    const { socket } = await openSocket(service.origin, ana);
    expect((await refusedUpgrade(service.origin, ana)).status).toBe(503);
    socket.terminate();
    await service.close();
  });

  test('a message that is too long ends the connection', async () => {
    const one = await openSocket(svc.origin, ana);
    one.socket.send('x'.repeat(40_000));
    expect(await one.closed).toBe(1009);
    const two = await openSocket(svc.origin, ana);
    for (let part = 0; part < 40; part += 1) two.socket.send('x'.repeat(1_000));
    await two.closed;
    expect(two.received.at(-1)).toContain('longer than this service takes');
  });

  test('a client that sends no handshake is disconnected', async () => {
    const service = await bounded({ handshakeTimeoutMs: 50 });
    const raw = await openSocket(service.origin, ana, { handshake: false });
    await raw.closed;
    expect(raw.received).toEqual([`{"error":"The handshake did not come in time."}${end}`]);
    await service.close();
  });

  test('a silent client is pinged, and then disconnected', async () => {
    const service = await bounded({ pingIntervalMs: 50, clientTimeoutMs: 3_000 });
    const raw = await openSocket(service.origin, ana);
    await raw.closed;
    expect(raw.received).toContain(`{"type":6}${end}`);
    expect(raw.received.at(-1)).toContain('Nothing was heard of the client.');
    await service.close();
  });

  test('a client that never reads is disconnected, and another client still receives events', async () => {
    const deaf = await openDeafSocket(svc.origin, ana);
    const good = await connect(svc.origin, ana);
    const isCut = () => svc.log.some(({ cause }) => cause === 'SlowReader');
    const filler = 'x'.repeat(150_000);
    for (let sent = 1; !isCut(); sent += 1) {
      await svc.database.query(
        `with made as (insert into svc.events (topic, payload) values ('user', $1) returning id)
         select pg_notify('svc_events', '') from made`,
        [JSON.stringify({ to: [`user:${anaId}`], event: 'ApprovalUpdated', payload: { filler } })],
      );
      await until('the good reader', async () => (good.heard.length >= sent ? true : undefined));
      expect(sent).toBeLessThan(400);
    }
    expect(good.connection.state).toBe('Connected');
    await good.connection.stop();
    deaf.destroy();
  });
});

describe('violations of the protocol', () => {
  const bad = [
    'x',
    '{}',
    '[]',
    'null',
    '{"type":"1"}',
    '{"type":1}',
    '{"type":1,"target":5}',
    '{"type":1,"target":"x","invocationId":7}',
    '{"type":1.5}',
  ];
  test.each(bad)('a record ends the connection with a reason: %s', async (record) => {
    const raw = await openSocket(svc.origin, ana);
    raw.socket.send(record + end);
    await raw.closed;
    expect(JSON.parse(raw.received.at(-1)?.slice(0, -1) ?? '')).toMatchObject({
      type: 7,
      error: expect.any(String),
    });
  });

  const badHandshakes = [
    'x',
    '{}',
    '{"protocol":"xml","version":1}',
    '{"protocol":"json","version":0}',
    '{"protocol":"json","version":"1"}',
    '{"protocol":"json"}',
  ];
  test.each(badHandshakes)('a handshake is refused with a reason: %s', async (record) => {
    const raw = await openSocket(svc.origin, ana, { handshake: false });
    raw.socket.send(record + end);
    await raw.closed;
    expect(JSON.parse(raw.received[0]?.slice(0, -1) ?? '')).toEqual({ error: expect.any(String) });
  });

  test('messages without a meaning for the hub are ignored', async () => {
    const raw = await openSocket(svc.origin, ana);
    for (const type of [2, 3, 5, 6, 8, 9, 77]) raw.socket.send(`{"type":${type}}${end}`);
    raw.socket.send(`{"type":1,"target":"a"}${end}{"type":1,"invocationId":"1","target":"b"}${end}`);
    await until('the refusal', async () => (raw.received.length > 1 ? true : undefined));
    expect(JSON.parse(raw.received[1]?.slice(0, -1) ?? '')).toMatchObject({ type: 3, invocationId: '1' });
    raw.socket.terminate();
  });

  test('a record in pieces and several records in one message are read', async () => {
    const raw = await openSocket(svc.origin, ana);
    const record = `{"type":1,"invocationId":"1","target":"b"}${end}`;
    for (const character of record + record) raw.socket.send(character);
    raw.socket.send(record + record);
    await until('four refusals', async () => (raw.received.length >= 5 ? true : undefined));
    raw.socket.terminate();
  });

  test('10,000 malformed frames do not stop the service', async () => {
    const frame = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ maxLength: 300 }).map((text) => Buffer.from(text + end)),
      fc.json().map((text) => Buffer.from(text + end)),
      fc
        .record({
          type: fc.anything(),
          target: fc.anything(),
          invocationId: fc.anything(),
          arguments: fc.anything(),
        })
        .map((message) =>
          Buffer.from(
            `${JSON.stringify(message, (_name, value) => (typeof value === 'bigint' ? 0 : value))}${end}`,
          ),
        ),
      fc.uint8Array({ minLength: 1, maxLength: 100 }).map((bytes) => Buffer.from([bytes.length, ...bytes])),
      // Nested lists that declare a large length.
      fc
        .integer({ min: 1, max: 24 })
        .map((deep) =>
          Buffer.from([deep * 5, ...Array.from({ length: deep }, () => [0xdd, 0, 0, 0x7f, 0xff]).flat()]),
        ),
    );
    const framesOfOne = 25;
    const frames = fc.sample(frame, { numRuns: 10_000, seed: 7 });
    for (let first = 0; first < frames.length; first += framesOfOne) {
      const protocol = first % 2 === 0 ? 'json' : 'messagepack';
      const raw = await openSocket(svc.origin, ana, { handshake: protocol });
      for (const bytes of frames.slice(first, first + framesOfOne))
        raw.socket.send(bytes, { binary: protocol === 'messagepack' || bytes.length % 2 === 0 });
      raw.socket.close();
      await raw.closed;
    }
    await expectAlive();
  }, 240_000);
});
