import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('row memory of a subscription', () => {
  const fixture = useBrowserFixture();

  test(
    'identifies rows by columns of the query, stores them in the next run, and forgets them on request',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/subscriptions', 'Subscriptions');
      await main.locator('tbody').getByRole('link').first().click();
      await main.getByRole('button', { name: 'Edit', exact: true }).click();
      const editing = page.getByRole('dialog', { name: 'Edit subscription' });
      await editing.getByLabel('When rows are new, changed or gone').check();
      await editing.getByRole('button', { name: 'Save' }).click();
      await editing.getByText('Name 1 to 16 columns.').waitFor();
      await editing.getByRole('button', { name: 'Get the columns' }).click();
      const said = await editing.getByText(/The query has: /).textContent();
      const [column = ''] = said?.replace('The query has: ', '').split(/[,.]/) ?? [];
      const keys = editing.getByLabel('A row is the same while these columns are');
      await keys.click();
      await page.getByRole('option', { name: column, exact: true }).click();
      await page.keyboard.press('Escape');
      await editing.getByLabel('Changed rows').check();
      await editing.getByLabel('Rows that are gone, as a number').check();
      await editing.getByLabel('Name the rows that are gone').check();
      await editing.getByText('Test now compares with the stored rows and does not change them').waitFor();
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await keys.scrollIntoViewIfNeeded();
          await picture(page, `row-memory-${colorScheme}-${width}`);
          expect(await cutButtons(page), `${width} px`).toEqual([]);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await editing.getByRole('button', { name: 'Save' }).click();
      await editing.waitFor({ state: 'detached' });
      await main.getByText('new, changed, gone', { exact: true }).waitFor();

      // A scheduled run is the first that remembers rows.
      await main.getByText('Baseline', { exact: true }).first().waitFor({ timeout: flowMaxMs });
      const address = new URL(page.url()).pathname.replace(/^\/svc/, '');
      await fixture.open(address, 'Delayed orders');
      expect(await main.getByText('None yet: the next run remembers them').count()).toBe(0);
      await main.getByText('Known rows').waitFor();
      await fixture.act('More actions', 'Forget the rows');
      const asked = page.getByRole('dialog', { name: 'Forget the rows?' });
      const answer = page.waitForResponse(/row-memory-reset$/);
      await asked.getByRole('button', { name: 'Forget rows' }).click();
      expect((await answer).status()).toBe(204);
      await asked.waitFor({ state: 'detached' });
      await picture(page, 'row-memory-page');
      expect(await axeFindings(page)).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
