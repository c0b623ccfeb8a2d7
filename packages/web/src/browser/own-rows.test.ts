import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('rows routed to each recipient', () => {
  const fixture = useBrowserFixture();

  test(
    'are routed by pasted values, previewed before a message is sent, and shown on the page of a run',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/subscriptions/1', 'Delayed orders');
      await main.getByRole('button', { name: 'Edit', exact: true }).click();
      const editing = page.getByRole('dialog', { name: 'Edit subscription' });
      await editing.getByLabel('Each recipient gets its own rows').check();
      await editing.getByRole('button', { name: 'Save' }).click();
      await editing.getByText('Name the column.').waitFor();
      await editing.getByText('Name a value.').waitFor();
      await editing.getByText('Choose who gets these rows.').waitFor();
      const own = editing.getByRole('group', { name: 'Own rows' });
      await own.getByRole('button', { name: 'Get the columns' }).click();
      const column = own.getByLabel('The column that says whose a row is');
      await column.fill('coun');
      await page.getByRole('option', { name: 'country', exact: true }).click();
      const paste = own.getByLabel('Paste many (optional)');
      await paste.fill('Blue Line Demo inbox\nHR\tNobody\nHR\tDemo inbox\nDE\tdemo inbox');
      await own.getByRole('button', { name: 'Add these lines' }).click();
      await own.getByText('Line 1 has no tab between value and recipient.').waitFor();
      await own.getByText('Line 2 names “Nobody”, who is no recipient of this subscription.').waitFor();
      await own.getByText('2 lines added.').waitFor();
      expect(await paste.inputValue()).toBe('Blue Line Demo inbox\nHR\tNobody');
      const routes = own.getByRole('list', { name: 'Values and their recipients' });
      expect(await routes.getByRole('listitem').count()).toBe(2);
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [320, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await routes.scrollIntoViewIfNeeded();
          await picture(page, `own-rows-${colorScheme}-${width}`);
          expect(await cutButtons(page), `${width} px`).toEqual([]);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await editing.getByRole('button', { name: 'Save' }).click();
      await editing.waitFor({ state: 'detached' });
      await main.getByText('By country: 2 values').waitFor();
      await main.getByText('To nobody', { exact: true }).waitFor();

      // Users who may write see the stored values and can remove each of them.
      await main.getByRole('button', { name: 'Edit', exact: true }).click();
      await expect.poll(() => own.getByLabel('Value 2', { exact: true }).inputValue()).toBe('DE');
      await own.getByRole('button', { name: 'Remove value 2' }).click();
      await editing.getByRole('button', { name: 'Save' }).click();
      await editing.waitFor({ state: 'detached' });
      await main.getByText('By country: 1 value', { exact: true }).waitFor();

      await main.getByRole('tab', { name: 'Message' }).click();
      await main.getByRole('button', { name: 'Run the query and preview' }).click();
      await main.getByLabel('The message of').first().waitFor();
      await picture(page, 'own-rows-preview');
      expect(await axeFindings(page)).toEqual([]);

      await main.getByRole('tab', { name: 'Recipients' }).click();
      await main.getByRole('button', { name: 'Detach Demo inbox' }).click();
      await page.getByText('Rows are routed to this recipient.').first().waitFor();

      await main.getByRole('button', { name: 'Test now' }).click();
      await main.getByText('Rows nobody got').waitFor({ timeout: flowMaxMs });
      await picture(page, 'own-rows-run');
      expect(await axeFindings(page)).toEqual([]);
      await main.getByRole('button', { name: 'Message to Demo inbox' }).click();
      const message = page.getByRole('dialog', { name: 'Message to Demo inbox' });
      await message.getByRole('region', { name: 'Message to Demo inbox' }).waitFor();
      await picture(page, 'own-rows-message');
      expect(await axeFindings(page)).toEqual([]);
      expect(visitor.complaints.filter((complaint) => !complaint.includes('409'))).toEqual([]);
    },
    flowMaxMs,
  );
});
