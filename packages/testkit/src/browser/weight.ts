import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';

/** What one load of a page takes that a browser has never seen. */
export type Weight = {
  /** Bytes on the wire, headers included. */
  readonly kib: number;
  readonly requests: number;
  /** What came, the heaviest first. */
  readonly parts: readonly { readonly path: string; readonly kib: number }[];
  /** From the start of the navigation until the page's heading is there. */
  readonly shownMs: number;
};

type Options = {
  /** What the page's load ends with; default its first heading. */
  readonly shows?: string;
  /** How many times slower the processor is made; default 1, as it is. */
  readonly slowdown?: number;
};

const bytesPerKib = 1_024;

/** A page that has asked for nothing for so long has all: longer than it puts off what can wait. */
const quietMs = 3_000;
const lookMs = 50;

/** Loads a page in a context that has loaded nothing yet, until it asks for nothing more. */
export async function weigh(
  context: BrowserContext,
  address: string,
  options: Options = {},
): Promise<Weight> {
  const page = await context.newPage();
  // What happens in the service meanwhile is not told to the page, which would ask anew for what it shows.
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
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
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
  // A busy machine pauses between two waves of requests for longer than a browser waits to call it idle.
  while (underWay.size > 0 || performance.now() - changedAt < quietMs) await sleep(lookMs);
  await page.close();
  parts.sort((a, b) => b.kib - a.kib);
  const kib = parts.reduce((sum, part) => sum + part.kib, 0);
  return { kib, requests: parts.length, parts, shownMs };
}

/** A weight as a table: the sum, then what it is made of. */
export const weightTable = (address: string, { kib, requests, parts }: Weight): string =>
  [
    `${kib.toFixed(1)} KiB in ${requests} requests: ${address}`,
    ...parts.map((part) => `${part.kib.toFixed(1).padStart(8)}  ${part.path}`),
  ].join('\n');
