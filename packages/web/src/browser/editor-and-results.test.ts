import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { post } from '@svc/testkit/browser/people.ts';
import { hasMariaDb } from '@svc/testkit/database/mariadb.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';
import { startMariaDbOnPort } from './testing/mariadb-on-port.ts';

/** Maximum number of rendered rows. A window of 900 px shows fewer. */
const drawnRowsMax = 80;

/** Minimum height of a result's frame that shows its header and some rows. */
const readableFramePx = 160;

describe.skipIf(!hasChromium)('editor and results', () => {
  const fixture = useBrowserFixture();

  const newQuery = async (name: string, source: string) => {
    await fixture.open('/queries/new', 'New query');
    await fixture.main.getByLabel('Name of the query').fill(name);
    await fixture.choose('Data source', source);
  };

  test(
    'the checks before a run show whether each one passed, and what to do next',
    async () => {
      const { main, page, visitor } = fixture;
      await newQuery('Checked', 'Shop database');
      await fixture.writeSql('select order_id, email from delayed_orders where order_id > {{from}}');
      await main.getByRole('button', { name: 'Check', exact: true }).first().click();
      const checks = main.getByRole('region', { name: 'Checks before a run' });
      await checks.getByText('It would not run as it is.').waitFor();
      await checks.getByRole('listitem').filter({ hasText: 'Parameters' }).getByText('Failed').waitFor();
      await checks.getByText('Give it a value or a default under Parameters.').waitFor();
      await fixture.writeSql('delete from orders');
      await checks.getByText('The query changed since it was checked.').waitFor();
      await checks.getByRole('button', { name: 'Check again' }).click();
      await checks.getByRole('listitem').filter({ hasText: 'Only reads' }).getByText('Failed').waitFor();
      await checks.getByText('Write one statement that only reads').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await fixture.writeSql("select 1 as id, 'a@example.org' as email");
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
    'the checks use the values of parameters on an engine for files',
    async () => {
      const { main } = fixture;
      await newQuery('Checked file', 'Sales targets (file)');
      await fixture.writeSql('select {{number}} as number');
      await main.getByRole('button', { name: /^Parameters/ }).click();
      await main.getByLabel('Default of number').fill('7');
      await main.getByRole('button', { name: 'Check', exact: true }).first().click();
      const checks = main.getByRole('region', { name: 'Checks before a run' });
      await checks.getByText('It would run.').waitFor();
      await checks.getByText('Sales targets (file) answered.').waitFor();
    },
    flowMaxMs,
  );

  test.skipIf(!hasMariaDb())(
    'the checks use the values of parameters on MariaDB, as a run of the query does',
    async () => {
      const { main, page, visitor } = fixture;
      const mariaDb = await startMariaDbOnPort();
      try {
        const source = (await post(visitor.context, '/svc/api/data-sources', {
          name: 'Orders in MariaDB',
          engine: 'MySQL',
          connection: mariaDb.connection,
        })) as { readonly id: number };
        await post(visitor.context, '/svc/api/projects/1/data-sources', { dataSourceId: source.id });
        await newQuery('Checked in MariaDB', 'Orders in MariaDB');
        const checks = main.getByRole('region', { name: 'Checks before a run' });
        const check = async (name: 'Check' | 'Check again') =>
          (name === 'Check' ? main : checks).getByRole('button', { name, exact: true }).first().click();
        await fixture.writeSql(
          'select id, email from orders where id <= {{most}} and customer <> {{name}} and placed_on >= {{from}}',
        );
        await check('Check');
        await checks.getByText('Give it a value or a default under Parameters.').waitFor();
        await main.getByRole('button', { name: /^Parameters/ }).click();
        await fixture.choose('Type of most', 'Number');
        await main.getByLabel('Default of most').fill('7');
        await main.getByLabel('Default of name').fill("O'Neil");
        await fixture.choose('Type of from', 'Date');
        await main.getByLabel('Default of from').fill('2026-02-03');
        await main.getByRole('button', { name: 'Checks', exact: true }).click();
        await check('Check again');
        await checks.getByText('It would run.').waitFor();
        await checks.getByText('Orders in MariaDB answered.').waitFor();
        await checks.getByText('The engine knows its tables and columns, and they may be read.').waitFor();
        await checks.getByText('What comes from these is masked: email').waitFor();
        await picture(page, 'editor-checks-mariadb');
        await main.getByRole('button', { name: 'Run query' }).click();
        await main.getByText('6 rows', { exact: true }).waitFor();
        await fixture.writeSql('select nothing_here from orders where id = {{most}}');
        await check('Check again');
        await checks.getByText('It would not run as it is.').waitFor();
        await checks
          .getByRole('listitem')
          .filter({ hasText: 'Tables and columns' })
          .getByText('Failed')
          .waitFor();
        await checks.getByText(/nothing_here/).waitFor();
        await fixture.writeSql('update orders set customer = {{name}}');
        await check('Check again');
        await checks.getByRole('listitem').filter({ hasText: 'Only reads' }).getByText('Failed').waitFor();
        expect(visitor.complaints).toEqual([]);
      } finally {
        await mariaDb.stop();
      }
    },
    flowMaxMs,
  );

  test(
    'a result of 10,000 rows renders only the rows in view',
    async () => {
      const { main, page } = fixture;
      await newQuery('Many rows', 'Shop database');
      await fixture.writeSql('select number from generate_series(1, 10000) number');
      await main.getByRole('button', { name: 'Run query' }).click();
      await main.getByText('10,000 rows', { exact: true }).waitFor();
      const grid = main.getByRole('grid', { name: 'Result' });
      const drawn = () => grid.getByRole('row').count();
      expect(await drawn()).toBeLessThan(drawnRowsMax);
      await grid.getByRole('gridcell', { name: '1', exact: true }).click();
      await page.keyboard.press('Control+End');
      await grid.getByRole('gridcell', { name: '10000', exact: true }).waitFor();
      expect(await drawn()).toBeLessThan(drawnRowsMax);
    },
    flowMaxMs,
  );

  test(
    'sorting, statistics and copying cover all 3,000 rows of a result',
    async () => {
      const { main, page, visitor } = fixture;
      await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await newQuery('Sorted rows', 'Shop database');
      // The largest values are far behind the first page of a list.
      await fixture.writeSql(
        'select number, (number * 37) % 3001 as amount from generate_series(1, 3000) number',
      );
      await main.getByRole('button', { name: 'Run query' }).click();
      await main.getByText('3,000 rows', { exact: true }).waitFor();
      const grid = main.getByRole('grid', { name: 'Result' });
      await grid.getByRole('button', { name: 'amount', exact: true }).click();
      await grid.getByRole('button', { name: 'amount', exact: true }).click();
      const first = grid.getByRole('row').nth(1).getByRole('gridcell').nth(1);
      await expect.poll(() => first.textContent()).toBe('3000');
      await grid.getByRole('button', { name: 'Statistics of amount' }).click();
      const statistics = page.getByRole('dialog', { name: 'Statistics of amount' });
      await statistics.getByText('Over all 3,000 rows.').waitFor();
      await statistics.getByText('4,501,500', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await grid.getByRole('button', { name: 'Copy all rows as TSV' }).click();
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      expect(copied.split('\n')).toHaveLength(3_001);
      expect(copied.split('\n')[1]).toMatch(/\t3000$/);
    },
    flowMaxMs,
  );

  test(
    'when a result has more rows than the page, copying and statistics state which rows they cover',
    async () => {
      const { main, page } = fixture;
      await newQuery('Too many rows', 'Shop database');
      await fixture.writeSql('select number from generate_series(1, 12000) number');
      await main.getByRole('button', { name: 'Run query' }).click();
      await main
        .getByText('Sorting, statistics, copying and charts cover the first 10,000 rows.', { exact: false })
        .waitFor();
      const grid = main.getByRole('grid', { name: 'Result' });
      await grid.getByRole('button', { name: 'Copy the first 10,000 rows as TSV' }).waitFor();
      await grid.getByRole('button', { name: 'Statistics of number' }).click();
      await page.getByText('Over the first 10,000 rows. The result has more.').waitFor();
      await picture(page, 'grid-part');
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
    },
    flowMaxMs,
  );

  test(
    'on a phone and at a zoom of 200 %, a wide result scrolls in its own frame of a readable height',
    async () => {
      const { main, page } = fixture;
      await newQuery('Wide rows', 'Shop database');
      const columns = Array.from({ length: 12 }, (_, at) => `number * ${at} as column_${at}`).join(', ');
      await fixture.writeSql(`select ${columns} from generate_series(1, 10000) number`);
      await main.getByRole('button', { name: 'Run query' }).click();
      await main.getByText('10,000 rows', { exact: true }).waitFor();
      const grid = main.getByRole('grid', { name: 'Result' });
      for (const [width, height] of [
        [320, 640],
        [720, 450],
      ] as const) {
        await page.setViewportSize({ width, height });
        await picture(page, `grid-10000-${width}`);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        const frame = await grid.boundingBox();
        expect(frame?.height).toBeGreaterThan(readableFramePx);
        await page.evaluate(`document.querySelector('[role=grid]').scrollTo(600, 4000)`);
        await grid.getByRole('rowheader', { name: '150', exact: true }).waitFor();
        expect(await grid.getByRole('row').count()).toBeLessThan(drawnRowsMax);
        await page.evaluate(`document.querySelector('[role=grid]').scrollTo(0, 0)`);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    },
    flowMaxMs,
  );

  test(
    'saving a new query retains the text that is typed meanwhile, and the result',
    async () => {
      const { main, page, visitor } = fixture;
      await newQuery('Uninterrupted', 'Shop database');
      await fixture.writeSql('select 1 as one');
      await main.getByRole('button', { name: 'Run query' }).click();
      await main.getByText('1 row', { exact: true }).waitFor();
      const text = main.getByRole('textbox', { name: 'SQL of this step' });
      await text.click();
      await page.keyboard.press('ControlOrMeta+End');
      // On a slow machine the address changes while the user types.
      const machine = await page.context().newCDPSession(page);
      await machine.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await page.keyboard.press('ControlOrMeta+s');
      await page.keyboard.press('ControlOrMeta+s');
      const typed = Array.from({ length: 12 }, (_, at) => `, ${at} as more_${at}`).join('');
      await page.keyboard.type(typed, { delay: 5 });
      await main.getByRole('heading', { name: 'Edit Uninterrupted', level: 1 }).waitFor();
      await page.keyboard.type(', 2 as last');
      await machine.detach();
      const whole = `select 1 as one${typed}, 2 as last`;
      await expect.poll(() => text.textContent()).toBe(whole);
      await main.getByRole('gridcell', { name: '1', exact: true }).first().waitFor();
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await main.getByText('Saved', { exact: true }).waitFor();
      await page.reload();
      await expect.poll(() => text.textContent()).toBe(whole);
      await fixture.walk('/queries/new', 'New query');
      await expect.poll(() => main.getByLabel('Name of the query').inputValue()).toBe('');
      await fixture.open('/queries', 'Queries');
      await main.getByRole('link', { name: 'Uninterrupted' }).waitFor();
      await expect.poll(() => main.getByRole('link', { name: 'Uninterrupted' }).count()).toBe(1);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a user who leaves during a save is notified of its outcome and stays on the new page',
    async () => {
      const { main, page } = fixture;
      await newQuery('Left early', 'Shop database');
      await fixture.writeSql('select 1 as one');
      // The response arrives after the user has left the page.
      let answer = () => {};
      const hasLeft = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/svc/api/queries', async (route) => {
        if (route.request().method() === 'POST') await hasLeft;
        await route.fallback();
      });
      // The shortcut also works in a field next to the text.
      await main.getByLabel('Name of the query').focus();
      await page.keyboard.press('ControlOrMeta+Enter');
      await main.getByText('1 row', { exact: true }).waitFor();
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
      await page
        .getByRole('dialog', { name: 'Leave without saving?' })
        .getByRole('button', { name: 'Leave' })
        .click();
      await main.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      answer();
      await page.getByText('“Left early” was saved.').waitFor();
      await main.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/svc/home');
      await page.unroute('**/svc/api/queries');
    },
    flowMaxMs,
  );

  test(
    'a download can be stopped from the grid, which is then ready for another download',
    async () => {
      const { main, page, visitor } = fixture;
      await newQuery('Slow file', 'Shop database');
      await fixture.writeSql('select 1 as number');
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      // Waits for the page of the saved query, which replaces the page of the new query.
      await main.getByRole('heading', { name: 'Edit Slow file', level: 1 }).waitFor();
      await main.getByRole('button', { name: 'Run query' }).click();
      await main.getByText('1 row', { exact: true }).waitFor();
      await fixture.writeSql(
        'select number, pg_sleep(0.05) is null as waited from generate_series(1, 100000) number',
      );
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await main.getByText('Saved', { exact: true }).waitFor();
      const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/export'));
      await main.getByRole('button', { name: 'Download', exact: true }).click();
      await page.getByRole('menuitem', { name: 'CSV' }).click();
      await main.getByRole('button', { name: /^Stop the download/ }).click();
      await ended;
      await main.getByRole('button', { name: 'Download', exact: true }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
