import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const widths = [1440, 1024, 390, 320] as const;

describe.skipIf(!hasChromium)('a new data contract', () => {
  const fixture = useBrowserFixture();

  const looked = async (name: string) => {
    const { page } = fixture;
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await picture(page, `${name}-${width}-${theme}`);
        expect(await cutButtons(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        );
      }
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  };

  test(
    'is written with a check of each rule in its place, and is saved with a keyboard shortcut',
    async () => {
      const { main, page, visitor } = fixture;
      const rule = (name: string) =>
        main.getByRole('listitem').filter({ has: page.getByRole('button', { name, exact: true }) });
      const add = async (type: RegExp) => {
        await main.getByRole('button', { name: 'Add rule' }).click();
        await page.getByRole('menuitem', { name: type }).click();
      };
      await fixture.open('/data-quality/new', 'New data contract');
      await main.getByRole('combobox', { name: 'Data source' }).click();
      await page.getByRole('option', { name: 'Shop database' }).click();
      await main.getByRole('combobox', { name: 'Table', exact: true }).fill('orders');
      await page.getByRole('option', { name: 'shop.orders', exact: true }).click();
      await add(/^Null rate/);
      await main.getByRole('combobox', { name: 'Columns' }).click();
      await page.getByRole('option', { name: /^customer_id/ }).click();
      await page.keyboard.press('Escape');
      await main.getByRole('button', { name: 'Check: customer_id is filled in' }).click();
      await rule('customer_id is filled in').getByText('Passed').waitFor();
      await add(/^Accepted values/);
      await main.getByRole('combobox', { name: 'Column', exact: true }).click();
      await page.getByRole('option', { name: /^status/ }).click();
      await main.getByRole('combobox', { name: 'Accepted values' }).fill('Open');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Shipped');
      await page.keyboard.press('Enter');
      await page.keyboard.press('ControlOrMeta+Enter');
      const broken = rule('status is Open, Shipped');
      await broken.getByText('Rows that broke it').first().waitFor();
      await looked('contract-new');
      await main.getByRole('textbox', { name: 'Name of the contract' }).fill('Shop orders');
      await page.keyboard.press('ControlOrMeta+s');
      await main.getByRole('heading', { name: 'Shop orders', level: 1 }).waitFor();
      await main.getByRole('button', { name: 'Evaluate now' }).click();
      await main.getByText('Last evaluated').waitFor();
      await looked('contract');
      await main.getByRole('tab', { name: 'Evaluations' }).click();
      await main.getByRole('img', { name: /^Scores of/ }).waitFor();
      await looked('contract-evaluations');
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.keyboard.press('ControlOrMeta+k');
      const palette = page.getByRole('dialog', { name: 'Search or go to' });
      await palette.getByRole('combobox').fill('Shop ord');
      await palette
        .getByRole('option', { name: /^Shop orders/ })
        .first()
        .waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
