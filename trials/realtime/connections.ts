import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import type pg from 'pg';
import {
  end,
  openSocket,
  type RawSocket,
} from '../../packages/server/src/domains/realtime/testing/socket.ts';
import { withRunFixture } from '../runs/own-fixture.ts';

/**
 * `node --conditions=svc-source trials/realtime/connections.ts [connections] [idle seconds]`: opens 1,000 connections
 * to one process for a minute, among them the official client. Then sends 50 events to all of them.
 */
const connectionCount = Number(process.argv[2] ?? 1_000);
const idleSeconds = Number(process.argv[3] ?? 60);
const events = 50;
const openedAtOnce = 50;
const pingMs = 15_000;
const memoryMaxMb = 150;
const latencyMaxMs = 250;
const bytesPerMb = 1_048_576;

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

/** Starts the process with the hub. */
async function startHub(testDatabase: unknown) {
  const child = fork(path.join(import.meta.dirname, 'served.ts'), [JSON.stringify(testDatabase)], {
    execArgv: ['--conditions=svc-source', '--expose-gc'],
  });
  const [{ origin }] = (await once(child, 'message')) as [{ origin: string }];
  return {
    origin,
    memoryMb: async (): Promise<number> => {
      child.send('memory');
      const [{ rssBytes }] = (await once(child, 'message')) as [{ rssBytes: number }];
      return rssBytes / bytesPerMb;
    },
    stop: async () => {
      child.send('stop');
      await once(child, 'exit');
    },
  };
}

/** Opens all connections, a few at a time. Counts their events and the connections that the hub closes. */
async function openConnections(origin: string, browser: Awaited<ReturnType<typeof signIn>>) {
  const sockets: RawSocket['socket'][] = [];
  const counts = { closed: 0, received: 0, sentAtMs: 0 };
  const latencies: number[] = [];
  const open = async (): Promise<RawSocket['socket']> => {
    const { socket } = await openSocket(origin, browser);
    socket.on('close', () => {
      counts.closed += 1;
    });
    socket.on('message', (data) => {
      if (!String(data).includes('ApprovalUpdated')) return;
      latencies.push(performance.now() - counts.sentAtMs);
      counts.received += 1;
    });
    return socket;
  };
  while (sockets.length < connectionCount) {
    const more = Math.min(openedAtOnce, connectionCount - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: more }, open))));
  }
  return { sockets, counts, latencies };
}

type Connections = Awaited<ReturnType<typeof openConnections>>;

async function idle({ sockets }: Connections): Promise<() => void> {
  const pings = setInterval(() => {
    for (const socket of sockets) socket.send(`{"type":6}${end}`);
  }, pingMs);
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000));
  return () => clearInterval(pings);
}

/** Sends the events one after the other, each when all connections have received the previous one. */
async function sendEvents(database: pg.Pool, userId: number, { counts }: Connections): Promise<void> {
  for (let event = 1; event <= events; event += 1) {
    counts.sentAtMs = performance.now();
    await database.query(
      `with made as (insert into svc.events (topic, payload) values ('user', $1) returning id)
       select pg_notify('svc_events', '') from made`,
      [
        JSON.stringify({
          to: [`user:${userId}`],
          event: 'ApprovalUpdated',
          payload: { approvalId: event, status: 'Approved' },
        }),
      ],
    );
    while (counts.received < event * connectionCount && performance.now() - counts.sentAtMs < 10_000)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const report = await withRunFixture('hub', { config: { 'Svc:Jobs:Workers': 0 } }, async ({ svc }) => {
  const hub = await startHub(svc.testDatabase);
  const { origin } = hub;
  await setUp({ origin }).catch(() => undefined);
  const userId = await createUser(svc.database, 'listener', ['Viewer']);
  const browser = await signIn({ origin }, 'listener');
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  const official = new HubConnectionBuilder()
    .withUrl(`${origin}/svc/api/hub`, { headers: { cookie } })
    .configureLogging(LogLevel.None)
    .build();
  await official.start();
  const beforeMb = await hub.memoryMb();

  const openedAtMs = performance.now();
  const connections = await openConnections(origin, browser);
  const openedInMs = performance.now() - openedAtMs;
  const stopPings = await idle(connections);
  const afterMb = await hub.memoryMb();
  await sendEvents(svc.database, userId, connections);
  stopPings();
  const isOfficialConnected = official.state === 'Connected';
  const { sockets, counts, latencies } = connections;
  const closedByHub = counts.closed;
  for (const socket of sockets) socket.terminate();
  await official.stop();
  await hub.stop();
  return {
    connections: connectionCount,
    openedInMs: Math.round(openedInMs),
    idleSeconds,
    closedByHub,
    isOfficialConnected,
    extraMemoryMb: Math.round(afterMb - beforeMb),
    eventsHeard: counts.received,
    eventsSent: events * connectionCount,
    latencyMs: {
      p50: Math.round(percentile(latencies, 0.5)),
      p99: Math.round(percentile(latencies, 0.99)),
    },
  };
});
console.log(JSON.stringify(report, null, 2));
const isGood =
  report.closedByHub === 0 &&
  report.isOfficialConnected &&
  report.eventsHeard === report.eventsSent &&
  report.extraMemoryMb <= memoryMaxMb &&
  report.latencyMs.p99 < latencyMaxMs;
process.exitCode = isGood ? 0 : 1;
