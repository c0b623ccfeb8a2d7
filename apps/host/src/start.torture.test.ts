import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { temporaryDataDirectories } from '@svc/testkit/database/data-directory.ts';
import { setupRequest, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { afterEach, expect, test } from 'vitest';
import { exitCodes } from './exit-codes.ts';

const cli = path.join(import.meta.dirname, 'cli.ts');
const running: ChildProcess[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => stop(child)));
});

function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.kill(signal);
  });
}

type Started = { child: ChildProcess; output: () => string; origin: string; inbox: string };

const dataDirectory = temporaryDataDirectories();

function run(directory: string, ...args: string[]): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, ['--conditions=svc-source', cli, ...args], {
    env: {
      PATH: process.env['PATH'],
      Svc__DataDirectory: directory,
      Svc__Host__Port: '0',
      Svc__Demo__InboxPort: '0',
      Svc__Logging__Level: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  return { child, output: () => output };
}

async function start(directory: string, ...args: string[]): Promise<Started> {
  const { child, output } = run(directory, 'start', ...args);
  // "Ready" is the first line with a URL.
  const last = args.includes('--no-demo') ? /Ready: \S+/ : /Demo inbox .*: \S+\s/;
  await expect
    .poll(() => last.test(output()) || child.exitCode !== null, { timeout: 200_000, interval: 50 })
    .toBe(true);
  const origin = /Ready: (http:\/\/[^/\s]+)/.exec(output())?.[1];
  if (origin === undefined) throw new Error(output());
  return {
    child,
    output,
    origin,
    inbox: /(http:\/\/127\.0\.0\.1:\d+\/)\s/.exec(output().split('Demo inbox')[1] ?? '')?.[1] ?? '',
  };
}

const delivered = async (inbox: string): Promise<{ received: number; entries: { body: string }[] }> =>
  (await (await fetch(`${inbox}entries.json`)).json()) as { received: number; entries: { body: string }[] };

test('a start without existing data delivers the first result of the demo over HTTPS, and a stop exits with code 0', async () => {
  const host = await start(dataDirectory());
  expect(host.output()).toContain('Svc:Notifications:AllowedPrivateNetworks:Webhook');
  expect(host.output().match(/First-run setup token: [\w-]{43}/g)).toHaveLength(1);
  await expect
    .poll(async () => (await delivered(host.inbox)).received, { timeout: 200_000, interval: 250 })
    .toBeGreaterThan(0);
  const [entry] = (await delivered(host.inbox)).entries;
  const body = JSON.parse(entry?.body ?? '{}') as {
    source: string;
    subscriptionName: string;
    totalRecords: number;
  };
  expect(body).toMatchObject({ source: 'Svc', subscriptionName: 'Delayed orders' });
  expect(body.totalRecords).toBeGreaterThan(0);
  expect(await stop(host.child)).toBe(0);
}, 600_000);

test('the migration job of the demo copies repeatedly, and the user who set the service up owns it', async () => {
  const host = await start(dataDirectory());
  const readToken = () => /First-run setup token: ([\w-]{43})/.exec(host.output())?.[1];
  await expect.poll(readToken).toBeDefined();
  const setupToken = readToken();
  const setup = await createHttpClient(host.origin).post('/svc/api/setup/superadmin', {
    ...setupRequest,
    setupToken,
  });
  expect(setup.status, setup.text).toBe(201);
  const root = await signIn(host, superAdmin);
  const { body: jobs } = await root.get('/svc/api/migrations/jobs');
  expect(jobs.items).toMatchObject([{ mode: 'Sync', createsTable: true, ownerUserId: setup.body.id }]);
  const job = `/svc/api/migrations/jobs/${jobs.items[0].id}`;
  expect((await root.post(`${job}/validate`)).body).toMatchObject({ isOk: true, destinationExists: false });
  for (const rowsInserted of [5, 0]) {
    const run = await root.post(`${job}/run`, {});
    const execution = `/svc/api/migrations/executions/${run.body.executionId}`;
    await expect
      .poll(async () => (await root.get(execution)).body.status, { timeout: 60_000, interval: 100 })
      .toBe('Completed');
    expect((await root.get(execution)).body).toMatchObject({ rowsRead: 5, rowsInserted });
  }
  expect((await root.get(job)).body.lastExecution).toMatchObject({ status: 'Completed' });
}, 600_000);

test('before setup every path redirects to the setup page, and the probes answer', async () => {
  const host = await start(dataDirectory(), '--no-demo');
  const look = async (path: string) => {
    const answer = await fetch(host.origin + path, { redirect: 'manual' });
    return [answer.status, answer.headers.get('location')];
  };
  for (const path of ['/', '/warp', '/openapi/v1.json', '/svc/mcp', '/svc/api/health', '/nowhere']) {
    expect([path, await look(path)]).toEqual([path, [302, '/svc/setup']]);
  }
  for (const path of ['/livez', '/readyz']) expect([path, (await look(path))[0]]).toEqual([path, 200]);
  expect(host.output()).not.toContain('Demo');
}, 600_000);

test('a stop answers requests on idle connections and then closes these connections', async () => {
  const host = await start(dataDirectory(), '--no-demo');
  const agents = Array.from({ length: 30 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const ask = (agent: Agent) =>
    new Promise<{ isReused: boolean; status: number | undefined; connection: string | undefined }>(
      (resolve, reject) => {
        const asked = request(`${host.origin}/livez`, { agent }, (answer) => {
          const { statusCode: status, headers } = answer;
          answer
            .resume()
            .once('end', () =>
              resolve({ isReused: asked.reusedSocket, status, connection: headers.connection }),
            );
        });
        asked.once('error', reject).end();
      },
    );
  for (const answer of await Promise.all(agents.map(ask)))
    expect(answer).toEqual({ isReused: false, status: 200, connection: 'keep-alive' });
  const left = stop(host.child);
  await expect.poll(() => host.output(), { interval: 5 }).toContain('Stopping');
  for (const answer of await Promise.all(agents.map(ask)))
    expect(answer).toEqual({ isReused: true, status: 200, connection: 'close' });
  expect(await left).toBe(0);
}, 600_000);

/** Opens a connection for manual requests, like a client whose events are late. */
async function openConnection(origin: string) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let received = '';
  const ended = Promise.withResolvers<string>();
  socket
    .setEncoding('utf8')
    .on('data', (chunk) => {
      received += String(chunk);
    })
    .on('end', () => ended.resolve('closed without an answer'))
    .on('error', (error: NodeJS.ErrnoException) => ended.resolve(error.code ?? error.message));
  await once(socket, 'connect');
  return {
    /** Sends one request. @returns `keep-alive` or `close`, as in the response; otherwise how the connection ended. */
    request: async (): Promise<string> => {
      received = '';
      socket.write('GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
      for (;;) {
        const connection = /^connection: (\S+)/im.exec(received)?.[1];
        if (connection !== undefined && received.includes('{"status":"ok"}')) return connection.toLowerCase();
        const event = await Promise.race([once(socket, 'data').then(() => null), ended.promise]);
        if (event !== null && !received.includes('{"status":"ok"}')) return event;
      }
    },
    destroy: () => void socket.destroy(),
  };
}

const isRefused = (origin: string): Promise<boolean> =>
  openConnection(origin).then(
    ({ destroy }) => {
      destroy();
      return false;
    },
    () => true,
  );

test('a stop resets none of 30 idle connections, regardless of the time of their next request', async () => {
  const host = await start(dataDirectory(), '--no-demo');
  const open = () => Promise.all(Array.from({ length: 10 }, () => openConnection(host.origin)));
  const request = (connections: Awaited<ReturnType<typeof open>>) =>
    Promise.all(connections.map((connection) => connection.request()));
  const all = (how: string) => Array.from({ length: 10 }, () => how);
  const [early, idle] = [await open(), await open()];
  expect([...(await request(early)), ...(await request(idle))]).toEqual([
    ...all('keep-alive'),
    ...all('keep-alive'),
  ]);
  const left = stop(host.child);
  await expect.poll(() => host.output(), { interval: 5 }).toContain('Stopping');
  // A client that reconnects during the stop retains its connection.
  const late = await open();
  expect(await request(early)).toEqual(all('close'));
  expect(await request(late)).toEqual(all('keep-alive'));
  // Earlier versions cut connections in this window: the server has just stopped listening, and a request is in
  // transit.
  await expect.poll(() => isRefused(host.origin), { timeout: 60_000, interval: 5 }).toBe(true);
  expect(await request(idle)).toEqual(all('close'));
  expect(await request(late)).toEqual(all('close'));
  expect(await left).toBe(0);
}, 600_000);

test('a second service on the same data directory is refused, and the first one continues', async () => {
  const directory = dataDirectory();
  const first = await start(directory, '--no-demo');
  const second = run(directory, 'start', '--no-demo');
  await expect.poll(() => second.child.exitCode, { timeout: 200_000, interval: 50 }).toBe(1);
  expect(second.output()).toContain('Another service already runs on the data directory');
  expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
}, 600_000);

test('a service that starts while its predecessor still stops waits for it and then serves', async () => {
  const directory = dataDirectory();
  const first = await start(directory, '--no-demo');
  first.child.kill('SIGTERM');
  const second = await start(directory, '--no-demo');
  expect((await fetch(`${second.origin}/readyz`)).status).toBe(200);
  expect(first.child.exitCode).toBe(0);
}, 600_000);

test('a service takes over the database of a killed predecessor', async () => {
  const directory = dataDirectory();
  const first = await start(directory, '--no-demo');
  await stop(first.child, 'SIGKILL');
  const second = await start(directory, '--no-demo');
  expect(second.output()).toContain('took over the server that an earlier run left behind');
  expect((await fetch(`${second.origin}/readyz`)).status).toBe(200);
  expect(await stop(second.child)).toBe(0);
}, 600_000);

test('one command removes the demo while the service runs', async () => {
  const directory = dataDirectory();
  const host = await start(directory);
  const removal = run(directory, 'demo', 'remove');
  await expect.poll(() => removal.child.exitCode, { timeout: 200_000, interval: 50 }).toBe(0);
  expect(removal.output()).toContain('The demo is removed');
  expect((await fetch(`${host.origin}/readyz`)).status).toBe(200);
}, 600_000);

test.each([
  [['nonsense'], "unknown command 'nonsense'"],
  [['start', '--fast'], "unknown option '--fast'"],
])('%j is refused with a message that refers to the list of commands', async (args, sentence) => {
  const { child, output } = run(dataDirectory(), ...args);
  await expect.poll(() => child.exitCode, { timeout: 60_000, interval: 50 }).toBe(exitCodes.usage);
  expect(output()).toContain(sentence);
  expect(output()).toContain('See all commands with');
});
