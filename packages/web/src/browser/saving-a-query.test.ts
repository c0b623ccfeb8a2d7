import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('saving and running a query', () => {
  const fixture = useBrowserFixture();
  const looked = async (name: string) => {
    const { page } = fixture;
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await picture(page, `${name}-${width}-${theme}`);
      }
      expect(await axeFindings(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  };

  test(
    'a query that would fail is not saved over one with subscriptions until the user confirms it',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/queries/1/edit', 'Edit Delayed orders');
      await fixture.writeSql('select nothing_here from orders');
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      const question = page.getByRole('dialog', { name: 'This query would not run' });
      await question
        .getByText(/nothing_here/)
        .first()
        .waitFor();
      await question.getByText('1 active subscription runs it', { exact: false }).waitFor();
      await question.getByText('to Demo inbox').waitFor();
      await looked('save-check');
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await main.getByText('Not saved', { exact: true }).waitFor();
      await page.keyboard.press('ControlOrMeta+s');
      await question.getByRole('button', { name: 'Save anyway' }).click();
      await main.getByText('Saved', { exact: true }).waitFor();
      // A query that runs needs no confirmation.
      await fixture.writeSql('select 1 as one');
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(() => main.getByText('Saved', { exact: true }).count()).toBe(1);
      expect(await question.count()).toBe(0);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a parameter without a value is marked where the text uses it, and its labelled field gets the focus',
    async () => {
      const { main, visitor } = fixture;
      await fixture.open('/queries/new', 'New query');
      await fixture.choose('Data source', 'Shop database');
      await fixture.writeSql('select id from customers where id > {{from}} order by id');
      await main.getByRole('button', { name: 'Run query' }).click();
      const field = main.getByRole('textbox', { name: 'Value of from' });
      await field.waitFor();
      await expect
        .poll(() => field.evaluate((input) => input === input.ownerDocument.activeElement))
        .toBe(true);
      await expect.poll(() => main.locator('.cm-lintRange-error').allTextContents()).toEqual(['{{from}}']);
      for (const label of ['Type', 'Default'])
        await main.getByRole('complementary').getByText(label, { exact: true }).waitFor();
      await looked('missing-parameter');
      await field.fill('5');
      await main.getByRole('button', { name: 'Run query' }).click();
      await main.getByRole('gridcell', { name: '6', exact: true }).waitFor();
      expect(await main.locator('.cm-lintRange-error').count()).toBe(0);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
