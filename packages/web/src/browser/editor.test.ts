import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings, hasChromium, openBrowser, picture, type Visitor, visit } from './testing/browser.ts';
import { setUp } from './testing/people.ts';
import { startService, type TestService } from './testing/service.ts';

const startMaxMs = 300_000;
const flowMaxMs = 300_000;
/** Rows that a window of 900 px could show many times over. */
const drawnRowsMax = 80;

describe.skipIf(!hasChromium)('editor and results', () => {
  let service: TestService;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    service = await startService();
    browser = await openBrowser();
    visitor = await visit(browser, service.origin);
    page = visitor.page;
    await setUp(page, service);
  }, startMaxMs);
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await picture(page, `failed-${task.name.slice(0, 40)}`);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const main = () => page.getByRole('main');
  const newQuery = async (name: string, source: string) => {
    await page.goto('/svc/queries/new');
    await main().getByLabel('Name of the query').fill(name);
    await main().getByRole('combobox', { name: 'Data source' }).click();
    await page.getByRole('option', { name: source, exact: true }).click();
  };
  const write = async (sql: string) => {
    await main().getByRole('textbox', { name: 'SQL of this step' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(sql);
    await page.keyboard.press('Escape');
  };

  test(
    'before a query runs, each check is named, passed or failed, with what to do next',
    async () => {
      await newQuery('Checked', 'Shop database');
      await write('select order_id, email from delayed_orders where order_id > {{from}}');
      await main().getByRole('button', { name: 'Check', exact: true }).first().click();
      const checks = main().getByRole('region', { name: 'Checks before a run' });
      await checks.getByText('It would not run as it is.').waitFor();
      await checks.getByRole('listitem').filter({ hasText: 'Parameters' }).getByText('Failed').waitFor();
      await checks.getByText('Give it a value or a default under Parameters.').waitFor();
      await write('delete from orders');
      await checks.getByText('The query changed since it was checked.').waitFor();
      await checks.getByRole('button', { name: 'Check again' }).click();
      await checks.getByRole('listitem').filter({ hasText: 'Only reads' }).getByText('Failed').waitFor();
      await checks.getByText('Write one statement that only reads').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await write("select 1 as id, 'a@example.org' as email");
      await checks.getByRole('button', { name: 'Check again' }).click();
      await checks.getByText('It would run.').waitFor();
      for (const label of [
        'Parameters',
        'Only reads',
        'Data source',
        'Tables and columns',
        'Masking',
        'Limits',
      ])
        await checks.getByRole('listitem').filter({ hasText: label }).getByText('Passed').waitFor();
      await checks.getByText('What comes from these is masked: email').waitFor();
      await picture(page, 'editor-checks');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'the checks ask every engine with values of parameters',
    async () => {
      await newQuery('Checked file', 'Sales targets (file)');
      await write('select {{number}} as number');
      await main()
        .getByRole('button', { name: /^Parameters/ })
        .click();
      await main().getByLabel('Default of number').fill('7');
      await main().getByRole('button', { name: 'Check', exact: true }).first().click();
      const checks = main().getByRole('region', { name: 'Checks before a run' });
      await checks.getByText('It would run.').waitFor();
      await checks.getByText('Sales targets (file) answered.').waitFor();
    },
    flowMaxMs,
  );

  test(
    '10,000 rows are drawn only where they are seen',
    async () => {
      await newQuery('Many rows', 'Shop database');
      await write('select number from generate_series(1, 10000) number');
      await main().getByRole('button', { name: 'Run query' }).click();
      await main().getByText('10,000 rows', { exact: true }).waitFor();
      const grid = main().getByRole('grid', { name: 'Result' });
      const drawn = () => grid.getByRole('row').count();
      expect(await drawn()).toBeLessThan(drawnRowsMax);
      await grid.getByRole('gridcell', { name: '1', exact: true }).click();
      await page.keyboard.press('Control+End');
      await grid.getByRole('gridcell', { name: '200', exact: true }).waitFor();
      expect(await drawn()).toBeLessThan(drawnRowsMax);
      await main().getByRole('button', { name: 'Next rows' }).click();
      await grid.getByRole('gridcell', { name: '201', exact: true }).waitFor();
      expect(await drawn()).toBeLessThan(drawnRowsMax);
    },
    flowMaxMs,
  );

  test(
    'a download is stopped from the grid, which is ready for the next one',
    async () => {
      await newQuery('Slow file', 'Shop database');
      await write('select 1 as number');
      await main().getByRole('button', { name: 'Save', exact: true }).click();
      await page.waitForURL(/\/queries\/\d+\/edit$/);
      await main().getByRole('button', { name: 'Run query' }).click();
      await main().getByText('1 row', { exact: true }).waitFor();
      await write('select number, pg_sleep(0.05) is null as waited from generate_series(1, 100000) number');
      await main().getByRole('button', { name: 'Save', exact: true }).click();
      await main().getByText('Saved', { exact: true }).waitFor();
      const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/export'));
      await main().getByRole('button', { name: 'Download' }).click();
      await page.getByRole('menuitem', { name: 'CSV' }).click();
      await main()
        .getByRole('button', { name: /^Stop the download/ })
        .click();
      await ended;
      await main().getByRole('button', { name: 'Download' }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
