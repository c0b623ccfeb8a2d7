import type { BrowserContext } from 'playwright-core';

/** What one load of a page takes that a browser has never seen. */
export type Weight = {
  /** Bytes on the wire, headers included. */
  readonly kib: number;
  readonly requests: number;
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

/** Loads a page in a context that has loaded nothing yet, until it asks for nothing more. */
export async function weigh(
  context: BrowserContext,
  address: string,
  options: Options = {},
): Promise<Weight> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  let requests = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
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
  await page.waitForLoadState('networkidle');
  await page.close();
  return { kib: bytes / bytesPerKib, requests, shownMs };
}
