import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const themes = ['light', 'dark'] as const;

describe.skipIf(!hasChromium)('relationships of a data source', () => {
  const fixture = useBrowserFixture();

  test(
    'are accepted from proposals, checked, verified, edited and deleted, and one is added by hand',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/data-sources/1', 'Shop database');
      await main.getByText('customers').first().waitFor();
      await main.getByRole('link', { name: 'Relationships' }).click();
      await main.getByRole('heading', { name: 'Relationships', level: 1 }).waitFor();
      const proposals = main.getByRole('region', { name: 'Proposals' });
      await proposals.getByText('customer_id is named after the table shop.customers').waitFor();
      await proposals.getByRole('checkbox', { name: /product_id/ }).uncheck();
      await proposals.getByRole('button', { name: 'Keep 1' }).click();
      const row = main.getByRole('row', { name: /customer_id.*Not verified/ });
      await row.waitFor();
      const name = 'shop.orders (customer_id) to shop.customers (id)';
      await fixture.act(`Actions for ${name}`, 'Check the values');
      await page.getByText(/values looked at: each has a row in shop.customers \(id\)\./).waitFor();
      await fixture.act(`Actions for ${name}`, 'Verify');
      await main.getByRole('row', { name: /customer_id.*Verified by/ }).waitFor();
      await fixture.act(`Actions for ${name}`, 'Edit');
      await page.getByRole('dialog').getByLabel('Label').fill('buyer');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await main.getByRole('row', { name: /buyer/ }).waitFor();

      await main.getByRole('button', { name: 'New relationship' }).click();
      const dialog = page.getByRole('dialog', { name: 'New relationship' });
      await dialog.getByLabel('From: table').fill('orders');
      await page.getByRole('option', { name: 'shop.orders' }).click();
      await dialog.getByRole('button', { name: 'Add relationship' }).click();
      await dialog.getByText('Choose at least one.').first().waitFor();
      await dialog.getByLabel('From: columns').click();
      await page.getByRole('option', { name: 'product_id' }).click();
      await page.keyboard.press('Escape');
      await dialog.getByLabel('To: table').fill('products');
      await page.getByRole('option', { name: 'shop.products' }).click();
      await dialog.getByRole('button', { name: 'Add relationship' }).click();
      await main.getByRole('row', { name: /shop\.orders product_id.*shop\.products id/ }).waitFor();
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `relationships-${colorScheme}-${width}`);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await fixture.act(`Actions for ${name}`, 'Delete');
      await page.getByRole('button', { name: 'Delete relationship' }).click();
      await row.waitFor({ state: 'detached' });
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
