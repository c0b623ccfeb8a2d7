import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { type Monitor, startMonitor } from '@svc/testkit/service/monitor.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import { createOutbound, type OutboundDetail } from '../../platform/outbound/index.ts';
import { createHeartbeat } from './heartbeat.ts';
import { watchOnce } from './jobs.ts';
import { createWatchdog } from './watchdog.ts';

let fixture: RunFixture;
let monitor: Monitor;
const said: string[] = [];
const failures: OutboundDetail[] = [];
const log = {
  warn: (_: object, message: string) => said.push(message),
  info: (message: string) => said.push(message),
} as never;
const outbound = createOutbound({ log: (detail) => failures.push(detail) });
const signal = new AbortController().signal;

beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 } });
  monitor = await startMonitor();
});
afterAll(async () => {
  await monitor.close();
  await outbound.close();
  await fixture.close();
});
beforeEach(() => {
  said.length = 0;
  failures.length = 0;
});

const heartbeatTo = (url: string | undefined) => createHeartbeat({ outbound, log, url, useProxy: false });
const watchdog = () =>
  createWatchdog({
    database: createDatabase(fixture.svc.database),
    log,
    tellResponsible: async () => undefined,
    graceSeconds: 300,
  });

test('a look that came to its end is told, with the address as it was configured', async () => {
  const told = monitor.next();
  await watchOnce(
    { watchdog: watchdog(), beat: heartbeatTo(`${monitor.origin}/ping/a-token?from=svc`) },
    signal,
  );
  expect(await told).toEqual({ method: 'GET', url: '/ping/a-token?from=svc' });
});

test('a look that failed or was stopped is not told', async () => {
  const before = monitor.received.length;
  const beat = heartbeatTo(`${monitor.origin}/ping`);
  await fixture.svc.database.query('alter table svc.subscriptions rename column watch_due_at to hidden');
  await expect(watchOnce({ watchdog: watchdog(), beat }, signal)).rejects.toThrow();
  await fixture.svc.database.query('alter table svc.subscriptions rename column hidden to watch_due_at');
  await watchOnce({ watchdog: watchdog(), beat }, AbortSignal.abort());
  // Requests arrive in order: the next one is the first of these.
  const told = monitor.next();
  await heartbeatTo(`${monitor.origin}/after`)(signal);
  expect((await told).url).toBe('/after');
  expect(monitor.received).toHaveLength(before + 1);
});

test('a monitor that refuses, or is away, fails no look and is logged once, without the address', async () => {
  for (const url of [`${monitor.origin}/ping/a-token/503`, 'http://127.0.0.1:9/ping/a-token']) {
    said.length = 0;
    const beat = heartbeatTo(url);
    await beat(signal);
    await beat(signal);
    expect(said).toEqual(['no heartbeat was taken']);
    expect(JSON.stringify(failures)).not.toContain('a-token');
  }
});

test('a metadata service is not reached, whatever the setting says', async () => {
  await heartbeatTo('http://169.254.169.254/latest')(signal);
  expect(said).toEqual(['no heartbeat was taken']);
  expect(failures).toMatchObject([{ policy: 'Heartbeat', failure: 'DestinationRefused', stage: 'check' }]);
});

test('without an address nothing leaves', async () => {
  await heartbeatTo(undefined)(signal);
  expect([said, failures]).toEqual([[], []]);
});
