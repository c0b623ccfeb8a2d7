import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { axeFindings, hasChromium, openBrowser, type Visitor, visit } from '@svc/testkit/browser/browser.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusyFixture, startBusyFixture } from '../testing/busy-fixture.ts';
import { endpointIds } from '../testing/observed.ts';
import { serveDashboard } from '../testing/served.ts';

const startMaxMs = 900_000;
const tourMaxMs = 1_800_000;
const flowMaxMs = 900_000;
const backgrounds = { light: 'rgb(246, 245, 247)', dark: 'rgb(18, 16, 21)' };
const patience = { timeout: 120_000 };
const screenshots = path.resolve(import.meta.dirname, '../../screenshots');

/** Keeps a picture of the page, to be looked at, where the environment asks for it. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env['SVC_PICTURES'] === undefined) return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
}

/** Presses two keys one right after the other: a page that is busy in between does not part them. */
async function pressPair(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}

/** Waits until nothing is being read for the first time. */
const settled = (page: Page): Promise<void> =>
  expect.poll(() => page.locator('[aria-busy="true"]').count(), patience).toBe(0);

describe.skipIf(!hasChromium)('pages of the job dashboard', () => {
  let fixture: BusyFixture;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    fixture = await startBusyFixture();
    browser = await openBrowser();
    visitor = await visit(browser, fixture.served.origin);
    page = visitor.page;
  }, startMaxMs);
  afterAll(async () => {
    await browser?.close();
    await fixture?.close();
  });

  const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 });

  test(
    'axe finds nothing on any page in either theme, and none is wider than its window, down to 320 px',
    async () => {
      const { ids } = fixture;
      const tour: readonly (readonly [at: string, ready: string, name: string])[] = [
        ['', 'Queues', 'overview'],
        ['/jobs', 'All states', 'jobs'],
        ['/jobs?state=Failed', 'was declined', 'jobs-failed'],
        ['/jobs?state=Enqueued&q=tag:newsletter', 'mail-receipt', 'jobs-search'],
        [`/jobs/${ids.failed}`, 'was declined', 'job-failed'],
        [`/jobs/${ids.shipped}`, 'Origin', 'job-shipped'],
        [`/jobs/${ids.running}`, 'table 4 of 10', 'job-running'],
        [`/jobs/${ids.batch}`, 'Members of it', 'job-batch'],
        [`/traces/${ids.trace}`, 'POST /orders', 'trace'],
        ['/recurring', 'nightly-report', 'recurring'],
        [`/recurring/${Buffer.from('nightly-report').toString('base64url')}`, 'Next times', 'schedule'],
        ['/servers', 'worker-1', 'servers'],
        [`/servers/${ids.server}`, 'Workers', 'server'],
        ['/endpoints', 'POST /fail', 'endpoints'],
        [`/endpoints/${endpointIds.create}`, 'web shop', 'endpoint'],
        [`/endpoints/${endpointIds.create}?call=${ids.call}`, 'Related jobs', 'call'],
        ['/jobs/none', 'no such job', 'job-none'],
        ['/nowhere', 'There is no such page.', 'nowhere'],
      ];
      const findings: string[] = [];
      for (const [at, ready, name] of tour) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(`/jobs${at}`);
        await page.getByText(ready).first().waitFor();
        await settled(page);
        for (const theme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
          const seen = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
          await expect.poll(seen, patience).toBe(backgrounds[theme]);
          await picture(page, `${name}-1440-${theme}`);
          findings.push(...(await axeFindings(page)).map((finding) => `${name} (${theme}): ${finding}`));
        }
        for (const width of [1024, 390, 320]) {
          await page.setViewportSize({ width, height: 844 });
          await picture(page, `${name}-${width}`);
          const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
          if (overflow > 0) findings.push(`${name}: ${overflow} px wider than a window of ${width} px`);
        }
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(findings).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    },
    tourMaxMs,
  );

  test(
    'a search is found, a page goes on, and many jobs are cancelled only after they were counted',
    async () => {
      await page.goto('/jobs/jobs?state=Enqueued');
      await heading('Enqueued jobs').waitFor();
      await page.getByRole('searchbox', { name: 'Search jobs' }).fill('orderId=1007');
      await page.waitForURL(/q=orderId/);
      const table = page.getByRole('table', { name: 'Jobs' });
      await expect.poll(() => table.getByRole('row').count(), patience).toBe(2);
      await page.getByRole('searchbox', { name: 'Search jobs' }).fill('tag:newsletter');
      await expect.poll(() => table.getByRole('row').count(), patience).toBe(51);
      await page.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => table.getByRole('row').count(), patience).toBe(61);
      await page.getByRole('button', { name: 'Cancel all …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel jobs' });
      await dialog.getByText('Cancel 60 jobs?').waitFor();
      await dialog.getByRole('button', { name: 'Cancel 60 jobs' }).click();
      await dialog.getByText('60 jobs cancelled.').waitFor();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByText('No jobs here.').waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'selected jobs are requeued, one is deleted, a queue and a schedule are paused and go on',
    async () => {
      await page.goto('/jobs/jobs?state=Failed');
      const table = page.getByRole('table', { name: 'Jobs' });
      await table.getByRole('checkbox', { name: 'Select bill-order' }).first().check();
      await page
        .getByRole('region', { name: 'Selected jobs' })
        .getByRole('button', { name: 'Requeue' })
        .click();
      await page.getByRole('button', { name: 'Requeue 1 job' }).click();
      await page.getByText('1 job requeued.').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.goto(`/jobs/jobs/${fixture.ids.failed}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Delete the job' }).click();
      await heading('Failed jobs').waitFor();
      expect(await fixture.jobs.get(fixture.ids.failed)).toBeNull();
      await page.goto('/jobs');
      await page.getByRole('button', { name: 'Resume mail' }).click();
      await page.getByText('mail goes on.').waitFor();
      await page.getByRole('button', { name: 'Pause mail' }).waitFor();
      await page.goto('/jobs/recurring');
      await page.getByRole('button', { name: 'Pause nightly-report' }).click();
      await page.getByRole('button', { name: 'Resume nightly-report' }).waitFor();
      await page.getByRole('button', { name: 'Run now: nightly-report' }).click();
      await page.getByText('nightly-report was enqueued.').waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a running job is cancelled and its page says so by itself',
    async () => {
      await page.goto(`/jobs/jobs/${fixture.ids.running}`);
      await page.getByText('40 %, table 4 of 10').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Cancelled', { exact: true }).first().waitFor();
    },
    flowMaxMs,
  );

  test(
    'the keyboard alone reaches every page and row',
    async () => {
      await page.goto('/jobs');
      await heading('Overview').waitFor();
      await pressPair(page, 'g', 'j');
      await heading('Jobs').waitFor();
      await page.getByRole('table', { name: 'Jobs' }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Facts' }).waitFor();
      await pressPair(page, 'g', 'e');
      await heading('Endpoints').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await pressPair(page, 'g', 'r');
      await heading('Recurring jobs').waitFor();
      await page.keyboard.press('/');
      await expect
        .poll(() => page.evaluate(`document.activeElement.hasAttribute('data-search-field')`))
        .toBe(true);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'who may only look is offered no act',
    async () => {
      const reading = await serveDashboard(fixture.fixture, { isReadOnly: true });
      const reader = await visit(browser, reading.origin);
      for (const at of ['', '/jobs?state=Completed', `/jobs/${fixture.ids.shipped}`, '/recurring']) {
        await reader.page.goto(`/jobs${at}`);
        await reader.page.getByText('Read-only').waitFor();
        await settled(reader.page);
        const acts = /requeue|cancel|delete|pause|resume|run|limit/i;
        expect(await reader.page.getByRole('button', { name: acts }).count()).toBe(0);
        expect(await reader.page.getByRole('checkbox').count()).toBe(0);
      }
      expect(reader.complaints).toEqual([]);
      await reader.context.close();
      await reading.close();
    },
    flowMaxMs,
  );
});
