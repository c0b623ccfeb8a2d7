import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { actionMaxMs, hasChromium, openBrowser } from '@svc/testkit/browser/browser.ts';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import type { Page } from 'playwright-core';
import { pagesFolder } from '../../../packages/web/pages.js';

/** Options of scenarios that look at pages: they need Debian's Chromium, and time to build the UI once. */
export const inBrowser = { skip: !hasChromium, timeout: 900_000 };

/** What a service is started with to serve the UI, which is built when its sources changed. */
export function withPages(): { pages: { folder: string } } {
  const tool = path.join(pagesFolder, '../tools/build.ts');
  const build = spawnSync(process.execPath, ['--conditions=svc-source', tool], { encoding: 'utf8' });
  if (build.status !== 0) throw new Error(`The UI could not be built:\n${build.stdout}\n${build.stderr}`);
  return { pages: { folder: pagesFolder } };
}

/** Opens a page in a browser of its own, signed in as the client is; `look` sees it. */
export async function lookAt(
  origin: string,
  client: HttpClient | undefined,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({ baseURL: origin });
    const cookies = [...(client?.cookies ?? [])].map(([name, value]) => ({ name, value, url: origin }));
    await context.addCookies(cookies);
    context.setDefaultTimeout(actionMaxMs);
    await look(await context.newPage());
  } finally {
    await browser.close();
  }
}
