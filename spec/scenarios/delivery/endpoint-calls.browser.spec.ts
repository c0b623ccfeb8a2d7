import { hasChromium, openBrowser, picture, visit } from '@svc/testkit/browser/browser.ts';
import { setUp } from '@svc/testkit/browser/people.ts';
import { startHost } from '@svc/testkit/service/host-process.ts';
import { expect } from 'vitest';
import { buildPages } from '../../../packages/jobs-dashboard/src/testing/build-pages.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  ['DL-9.6-01'],
  'the standalone host links to the endpoint calls, which include both handlers of its demo',
  async ({ onEnd }) => {
    if (!hasChromium) return;
    buildPages();
    const host = await startHost();
    onEnd(host.stop);
    const browser = await openBrowser();
    onEnd(() => browser.close());
    const { page, complaints } = await visit(browser, host.origin);
    await setUp(page, host);
    await page.getByRole('link', { name: 'Endpoint calls' }).click();
    await page.waitForURL('**/warp/endpoints');
    await page.getByRole('link', { name: /GET \/demo\/parcels\/\{country\}/ }).waitFor();
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('link', { name: /\/demo\/parcels/ }).waitFor();
          return page.getByRole('link', { name: /POST \/demo\/restocks/ }).count();
        },
        { timeout: 240_000, interval: 5_000 },
      )
      .toBe(1);
    await picture(page, 'endpoint-calls');
    expect(complaints).toEqual([]);
  },
  { timeout: 900_000 },
);
