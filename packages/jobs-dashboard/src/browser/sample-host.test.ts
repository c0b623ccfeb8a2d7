import { hasChromium, openBrowser, type TestBrowser, visit } from '@svc/testkit/browser/browser.ts';
import { setUp } from '@svc/testkit/browser/people.ts';
import { type HostProcess, startHost } from '@svc/testkit/service/host-process.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPages } from '../testing/build-pages.ts';

const flowMaxMs = 900_000;

describe.skipIf(!hasChromium)('the dashboard of the sample host', () => {
  let service: HostProcess;
  let browser: TestBrowser;

  beforeAll(async () => {
    buildPages();
    service = await startHost();
    browser = await openBrowser();
  }, flowMaxMs);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test(
    'an administrator opens it at /warp and runs a schedule',
    async () => {
      const { page, complaints } = await visit(browser, service.origin);
      await page.goto('/warp');
      await page.waitForURL('**/svc/setup');
      await setUp(page, service);
      await page.goto('/warp');
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await page.getByText('Background jobs').waitFor();
      await page.getByRole('link', { name: 'Recurring' }).click();
      await page
        .getByRole('button', { name: /^Run now: / })
        .first()
        .click();
      await page.getByText(/was enqueued\.$/).waitFor();
      await page.goto('/warp/jobs?state=Completed');
      await page.getByRole('table', { name: 'Jobs' }).waitFor();
      await page.getByRole('link', { name: 'Back to the application' }).click();
      await page.waitForURL('**/svc/home');
      expect(complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
