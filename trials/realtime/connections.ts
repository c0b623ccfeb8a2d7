import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
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

const report = await withRunFixture('hub', { config: { 'Svc:Jobs:Workers': 0 } }, async ({ svc }) => {
  const served = fork(path.join(import.meta.dirname, 'served.ts'), [JSON.stringify(svc.testDatabase)], {
    execArgv: ['--conditions=svc-source', '--expose-gc'],
  });
  const [{ origin }] = (await once(served, 'message')) as [{ origin: string }];
  const memory = async (): Promise<number> => {
    served.send('memory');
    const [{ rssBytes }] = (await once(served, 'message')) as [{ rssBytes: number }];
    return rssBytes / bytesPerMb;
  };
  await setUp({ origin }).catch(() => undefined);
  const userId = await createUser(svc.database, 'listener', ['Viewer']);
  const browser = await signIn({ origin }, 'listener');
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  const official = new HubConnectionBuilder()
    .withUrl(`${origin}/svc/api/hub`, { headers: { cookie } })
    .configureLogging(LogLevel.None)
    .build();
  await official.start();
  const beforeMb = await memory();

  let closed = 0;
  let sentAtMs = 0;
  let heard = 0;
  const latencies: number[] = [];
  const open = async (): Promise<RawSocket['socket']> => {
    const { socket } = await openSocket(origin, browser);
    socket.on('close', () => {
      closed += 1;
    });
    socket.on('message', (data) => {
      if (!String(data).includes('ApprovalUpdated')) return;
      latencies.push(performance.now() - sentAtMs);
      heard += 1;
    });
    return socket;
  };
  const sockets: RawSocket['socket'][] = [];
  const openedAtMs = performance.now();
  while (sockets.length < connectionCount) {
    const more = Math.min(openedAtOnce, connectionCount - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: more }, open))));
  }
  const openedInMs = performance.now() - openedAtMs;
  const pings = setInterval(() => {
    for (const socket of sockets) socket.send(`{"type":6}${end}`);
  }, pingMs);
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000));
  const afterMb = await memory();

  for (let event = 1; event <= events; event += 1) {
    sentAtMs = performance.now();
    await svc.database.query(
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
    while (heard < event * connectionCount && performance.now() - sentAtMs < 10_000)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }
  clearInterval(pings);
  const isOfficialConnected = official.state === 'Connected';
  const closedByHub = closed;
  for (const socket of sockets) socket.terminate();
  await official.stop();
  served.send('stop');
  await once(served, 'exit');
  return {
    connections: connectionCount,
    openedInMs: Math.round(openedInMs),
    idleSeconds,
    closedByHub,
    isOfficialConnected,
    extraMemoryMb: Math.round(afterMb - beforeMb),
    eventsHeard: heard,
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
