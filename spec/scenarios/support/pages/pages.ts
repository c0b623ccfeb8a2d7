import { actionMaxMs, hasChromium, openBrowser } from '@svc/testkit/browser/browser.ts';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { buildWeb } from '@svc/testkit/service/web-build.ts';
import type { Page } from 'playwright-core';

/** Options of scenarios about pages. They need Debian's Chromium, and time to build the UI once. */
export const inBrowser = { skip: !hasChromium, timeout: 900_000 };

/** Returns options of a service that serves the UI. Builds the UI if its sources have changed. */
export const withPages = (): { pages: { folder: string } } => ({ pages: { folder: buildWeb() } });

/** Opens a page in a new browser with the client's session and passes it to `look`. @returns the result of `look`. */
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
