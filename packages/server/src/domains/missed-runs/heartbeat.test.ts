import { type Monitor, startMonitor } from '@svc/testkit/outside/monitor.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOutbound, type OutboundDetail } from '../../platform/outbound/index.ts';
import { createHeartbeat } from './heartbeat.ts';
import { beatWhileWatching } from './jobs.ts';

let monitor: Monitor;
const messages: string[] = [];
const failures: OutboundDetail[] = [];
const log = {
  warn: (_: object, message: string) => messages.push(message),
  info: (message: string) => messages.push(message),
} as never;
const outbound = createOutbound({ log: (detail) => failures.push(detail) });
const signal = new AbortController().signal;

beforeAll(async () => {
  monitor = await startMonitor();
});
afterAll(async () => {
  await monitor.close();
  await outbound.close();
});
beforeEach(() => {
  messages.length = 0;
  failures.length = 0;
});

const heartbeatTo = (url: string | undefined) => createHeartbeat({ outbound, log, url, useProxy: false });
const beatFor = (url: string, hasSucceeded: boolean) =>
  beatWhileWatching(
    { log, beat: heartbeatTo(url), watch: { hasSucceededWithin: () => hasSucceeded } },
    signal,
  );

test('the heartbeat sends its request to the configured address while the watchdog completes its checks', async () => {
  const request = monitor.next();
  await beatFor(`${monitor.origin}/ping/a-token?from=svc`, true);
  expect(await request).toEqual({ method: 'GET', url: '/ping/a-token?from=svc' });
});

test('the heartbeat sends no request while the watchdog completes no check', async () => {
  const before = monitor.received.length;
  await beatFor(`${monitor.origin}/ping`, false);
  // Requests arrive in order, so the next one must be the first of these.
  const request = monitor.next();
  await heartbeatTo(`${monitor.origin}/after`)(signal);
  expect((await request).url).toBe('/after');
  expect(monitor.received).toHaveLength(before + 1);
});

test('a monitor that refuses or is unavailable fails no check and is logged once, without the address', async () => {
  for (const url of [`${monitor.origin}/ping/a-token/503`, 'http://127.0.0.1:9/ping/a-token']) {
    messages.length = 0;
    const beat = heartbeatTo(url);
    await beat(signal);
    await beat(signal);
    expect(messages).toEqual(['no heartbeat was taken']);
    expect(JSON.stringify(failures)).not.toContain('a-token');
  }
});

test('a metadata service is never contacted, even if the setting names it', async () => {
  await heartbeatTo('http://169.254.169.254/latest')(signal);
  expect(messages).toEqual(['no heartbeat was taken']);
  expect(failures).toMatchObject([{ policy: 'Heartbeat', failure: 'DestinationRefused', stage: 'check' }]);
});

test('without an address, no request is sent', async () => {
  await heartbeatTo(undefined)(signal);
  expect([messages, failures]).toEqual([[], []]);
});
