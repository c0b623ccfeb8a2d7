import { actionMaxMs, hasChromium, openBrowser } from '@svc/testkit/browser/browser.ts';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { buildWeb } from '@svc/testkit/service/web-build.ts';
import type { Page } from 'playwright-core';

/** Options of scenarios that look at pages: they need Debian's Chromium, and time to build the UI once. */
export const inBrowser = { skip: !hasChromium, timeout: 900_000 };

/** What a service is started with to serve the UI, which is built when its sources changed. */
export const withPages = (): { pages: { folder: string } } => ({ pages: { folder: buildWeb() } });

/** Opens a page in a browser of its own, signed in as the client is; `look` sees it. @returns what it has found. */
export async function lookAt<Found>(
  origin: string,
  client: HttpClient | undefined,
  look: (page: Page) => Promise<Found>,
): Promise<Found> {
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({ baseURL: origin });
    const cookies = [...(client?.cookies ?? [])].map(([name, value]) => ({ name, value, url: origin }));
    await context.addCookies(cookies);
    context.setDefaultTimeout(actionMaxMs);
    return await look(await context.newPage());
  } finally {
    await browser.close();
  }
}
