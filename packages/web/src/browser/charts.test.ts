import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

/** Days out of order, one of them twice, and a row without a day. */
const daily =
  "select case when n = 4 then null else date '2026-03-01' + n % 3 end as day, n as amount, n * 2 as cost from generate_series(1, 5) n";

describe.skipIf(!hasChromium)('charts', () => {
  const fixture = useBrowserFixture();

  test(
    'a chart over dates shows each day once in order, with the chosen aggregate, and is stored with the query',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/queries/new', 'New query');
      await main.getByLabel('Name of the query').fill('By day');
      await fixture.choose('Data source', 'Shop database');
      await fixture.writeSql(daily);
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await main.getByRole('heading', { name: 'Edit By day', level: 1 }).waitFor();
      await main.getByRole('button', { name: 'Run query' }).click();
      await main.getByText('5 rows', { exact: true }).waitFor();
      await main.getByRole('button', { name: 'Chart', exact: true }).click();
      await main.getByRole('img', { name: /^Sum of amount over day, 3 points/ }).waitFor();
      await main.getByText('1 row without day is left out.').waitFor();
      const shown = async () => (await main.getByRole('table').getByRole('row').allTextContents()).slice(1);
      await main.getByRole('button', { name: 'Values', exact: true }).click();
      expect(await shown()).toEqual(['2026-03-013', '2026-03-021', '2026-03-037']);
      await fixture.choose('Aggregate', 'Mean');
      await expect.poll(shown).toEqual(['2026-03-013', '2026-03-021', '2026-03-033.5']);
      await main.getByRole('combobox', { name: 'Measures' }).press('ArrowDown');
      await page.getByRole('option', { name: 'cost', exact: true }).click();
      await page.keyboard.press('Escape');
      await expect.poll(shown).toEqual(['2026-03-0136', '2026-03-0212', '2026-03-033.57']);
      await main.getByRole('button', { name: 'Drawing', exact: true }).click();
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `chart-${width}-${theme}`);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.reload();
      await main.getByRole('button', { name: 'Run query' }).click();
      await main.getByText('5 rows', { exact: true }).waitFor();
      await main.getByRole('button', { name: 'Chart', exact: true }).click();
      await main.getByRole('img', { name: /^Mean of amount, cost over day, 3 points/ }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
