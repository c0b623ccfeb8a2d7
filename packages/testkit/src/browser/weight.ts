import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';

/** Size and duration of one page load with an empty cache. */
export type Weight = {
  /** KiB on the wire, including headers. */
  readonly kib: number;
  /** Requests that the browser's cache does not answer. */
  readonly requests: number;
  /** Loaded resources, the largest first. */
  readonly parts: readonly { readonly path: string; readonly kib: number }[];
  /** Milliseconds from the start of the navigation until the element of `shows` is visible. */
  readonly shownMs: number;
};

type Options = {
  /** Selector of an element whose display ends the measured time. Default: `h1`. */
  readonly shows?: string;
  /** Factor by which the browser slows the processor down. Default 1. */
  readonly slowdown?: number;
};

const bytesPerKib = 1_024;

/** A page without requests for this duration is complete. The page defers optional requests for less time. */
const quietMs = 3_000;
const lookMs = 50;

/** Loads a page in an unused context and waits until the page sends no more requests. */
export async function weigh(
  context: BrowserContext,
  address: string,
  options: Options = {},
): Promise<Weight> {
  const page = await context.newPage();
  // Hub events would make the page reload its data during the measurement.
  await page.routeWebSocket(/\/api\/hub/, () => undefined);
  const session = await context.newCDPSession(page);
  const paths = new Map<string, string>();
  const parts: { path: string; kib: number }[] = [];
  const underWay = new Set<string>();
  let changedAt = performance.now();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    paths.set(requestId, new URL(request.url).pathname);
    underWay.add(requestId);
    changedAt = performance.now();
  });
  const end = ({ requestId }: { readonly requestId: string }): void => {
    underWay.delete(requestId);
    changedAt = performance.now();
  };
  session.on('Network.loadingFinished', end);
  session.on('Network.loadingFailed', end);
  const cached = new Set<string>();
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache) cached.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (cached.has(requestId)) return;
    parts.push({ path: paths.get(requestId) ?? '', kib: encodedDataLength / bytesPerKib });
  });
  await session.send('Network.enable');
  await session.send('Emulation.setCPUThrottlingRate', { rate: options.slowdown ?? 1 });
  const started = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page
    .locator(options.shows ?? 'h1')
    .first()
    .waitFor();
  const shownMs = performance.now() - started;
  // On a busy machine, pauses between requests exceed the idle time of the browser's `networkidle`.
  while (underWay.size > 0 || performance.now() - changedAt < quietMs) await sleep(lookMs);
  await page.close();
  parts.sort((a, b) => b.kib - a.kib);
  const kib = parts.reduce((sum, part) => sum + part.kib, 0);
  return { kib, requests: parts.length, parts, shownMs };
}

/** Formats a weight as a table: the sum, then each resource. */
export const weightTable = (address: string, { kib, requests, parts }: Weight): string =>
  [
    `${kib.toFixed(1)} KiB in ${requests} requests: ${address}`,
    ...parts.map((part) => `${part.kib.toFixed(1).padStart(8)}  ${part.path}`),
  ].join('\n');
