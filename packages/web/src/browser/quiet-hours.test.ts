import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('quiet hours', () => {
  const fixture = useBrowserFixture();

  test(
    'are set as windows and delay the message of a scheduled run, as the page of the run shows',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/subscriptions', 'Subscriptions');
      await main.locator('tbody').getByRole('link').first().click();
      await main.getByRole('button', { name: 'Edit', exact: true }).click();
      const editing = page.getByRole('dialog', { name: 'Edit subscription' });
      await editing.getByLabel('After every run').check();
      await editing.getByLabel('Quiet hours').check();
      await editing.getByLabel('From', { exact: true }).fill('12:00');
      await editing.getByLabel('To', { exact: true }).fill('12:00');
      await editing.getByRole('button', { name: 'Save' }).click();
      await editing.getByText('The two times must differ.').waitFor();
      await editing.getByLabel('To', { exact: true }).fill('00:00');
      await editing.getByRole('button', { name: 'Add a window' }).click();
      await editing.getByText('Choose a day.').waitFor();
      const second = editing.getByRole('group', { name: 'Days on which window 2 begins' });
      for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
        await second.getByRole('button', { name: day }).click();
      await editing.getByLabel('From', { exact: true }).nth(1).fill('00:00');
      await editing.getByLabel('To', { exact: true }).nth(1).fill('12:00');
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await editing.getByRole('checkbox', { name: 'Quiet hours' }).scrollIntoViewIfNeeded();
          await picture(page, `edit-quiet-hours-${colorScheme}-${width}`);
          expect(await cutButtons(page), `${width} px`).toEqual([]);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await editing.getByRole('button', { name: 'Save' }).click();
      await editing.waitFor({ state: 'detached' });
      await main.getByText(/12:00 to 00:00, every day; 00:00 to 12:00, every day/).waitFor();

      await main
        .locator('tbody')
        .getByText('Quiet hours', { exact: true })
        .first()
        .waitFor({ timeout: flowMaxMs });
      expect(await axeFindings(page)).toEqual([]);
      await main.locator('tbody').getByRole('link').first().click();
      await main.getByText(/Quiet hours hold it until/).waitFor();
      await main.getByText('Held until', { exact: true }).waitFor();
      await picture(page, 'held-run');
      expect(await axeFindings(page)).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
