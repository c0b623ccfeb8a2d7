import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  axeFindings,
  hasChromium,
  openBrowser,
  type TestBrowser,
  type Visitor,
  visit,
} from '@svc/testkit/browser/browser.ts';
import type { Page } from 'playwright-core';
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

/** Stores a screenshot of the page when the environment requests it. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env['SVC_PICTURES'] === undefined) return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
}

/** Presses two keys in immediate succession, so that a busy page cannot separate them. */
async function pressPair(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}

/** Waits until no data is being loaded for the first time. */
const settled = (page: Page): Promise<void> =>
  expect.poll(() => page.locator('[aria-busy="true"]').count(), patience).toBe(0);

describe.skipIf(!hasChromium)('pages of the job dashboard', () => {
  let fixture: BusyFixture;
  let browser: TestBrowser;
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
    'every page passes axe in both themes and fits its window, down to 320 px',
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
    'the job search filters and pages, and many jobs are cancelled only after a count',
    async () => {
      await page.goto('/jobs/jobs?state=Enqueued');
      await heading('Enqueued jobs').waitFor();
      await page.getByRole('combobox', { name: 'Search jobs' }).fill('orderId=1007');
      await page.waitForURL(/q=orderId/);
      const table = page.getByRole('table', { name: 'Jobs' });
      await expect.poll(() => table.getByRole('row').count(), patience).toBe(2);
      await page.getByRole('combobox', { name: 'Search jobs' }).fill('tag:newsletter');
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
    'the search field completes words and queues, reports invalid words, and appears in the palette',
    async () => {
      await page.goto('/jobs/jobs');
      await heading('Jobs').waitFor();
      await settled(page);
      await page.keyboard.press('/');
      await page.keyboard.type('q');
      await page.getByRole('option', { name: /^queue:/ }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.type('bil');
      await page.getByRole('option', { name: /^queue:billing/ }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'completion');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await page.waitForURL((url) => url.searchParams.get('q') === 'queue:billing');
      const table = page.getByRole('table', { name: 'Jobs' });
      await expect.poll(() => table.getByRole('row').count(), patience).toBe(13);
      await page.keyboard.type('since:2x');
      await page.getByText('2x is no time: write 30m, 2h, 7d or 2026-03-01.').waitFor();
      // The valid parts of the search apply.
      await expect.poll(() => table.getByRole('row').count(), patience).toBe(13);
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'mistake');
      for (let letters = 'since:2x'.length; letters > 0; letters--) await page.keyboard.press('Backspace');
      await page.waitForURL((url) => url.searchParams.get('q') === 'queue:billing');
      await expect
        .poll(() => page.evaluate(`localStorage.getItem('jobs-dashboard.searches')`), patience)
        .toContain('queue:billing');

      await page.goto('/jobs');
      await heading('Overview').waitFor();
      await page.keyboard.press('ControlOrMeta+k');
      const palette = page.getByRole('dialog', { name: 'Go to' });
      await palette.getByRole('option', { name: 'Recurring Page', selected: false }).waitFor();
      await page.keyboard.type('bill');
      await palette.getByRole('option', { name: 'queue:billing Recent search', selected: true }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'palette');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('q') === 'queue:billing');
      await page.keyboard.press('ControlOrMeta+k');
      await page.keyboard.type('failed');
      await palette.getByRole('option', { name: 'Failed jobs State', selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await heading('Failed jobs').waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'charts include samples from before the page was opened, and Requeue is the primary action only for failed jobs',
    async () => {
      await page.goto('/jobs');
      for (const label of ['Jobs by state, last hour', 'Waiting jobs by queue, last hour']) {
        const table = page.getByRole('table', { name: label, includeHidden: true });
        // The current step and at least one earlier step.
        await expect
          .poll(async () => {
            const rows = await table.getByRole('row', { includeHidden: true }).allTextContents();
            return rows.filter((row) => /\d{2}:\d{2}:\d{2}\d/.test(row)).length;
          }, patience)
          .toBeGreaterThan(1);
      }
      const ended = page.getByRole('table', { name: 'Ended by job', includeHidden: true });
      await expect.poll(() => ended.textContent(), patience).toContain('bill-order');
      await expect
        .poll(
          () => page.getByRole('table', { name: 'Mean duration by job', includeHidden: true }).count(),
          patience,
        )
        .toBe(1);
      const kindOf = async (id: string) => {
        await page.goto(`/jobs/jobs/${id}`);
        return page.getByRole('button', { name: 'Requeue' }).getAttribute('data-kind');
      };
      expect(await kindOf(fixture.ids.shipped)).toBe('default');
      expect(await kindOf(fixture.ids.failed)).toBe('primary');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'selected jobs are requeued, one is deleted, and a queue and a schedule are paused and resumed',
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
    'a running job is cancelled and its page shows this without a reload',
    async () => {
      await page.goto(`/jobs/jobs/${fixture.ids.running}`);
      await page.getByText('40 %, table 4 of 10').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Cancelled', { exact: true }).first().waitFor();
    },
    flowMaxMs,
  );

  test(
    'every page and row is reachable with the keyboard alone',
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
    'a read-only user sees no actions',
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
