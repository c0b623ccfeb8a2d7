import { axeFindings, picture } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

/** Opens the palette and selects the first option whose text starts with a name. */
async function take(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Search or go to' });
  await palette.getByRole('combobox').fill(name);
  await palette
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .first()
    .click();
}

scenario(
  ['RT-4.1-905', 'RT-4.1-906', 'RT-4.1-907'],
  'the palette creates a data contract and an AI actor, and the page of a data source creates a contract for it',
  async ({ deliver }) => {
    const { svc, root, dataSourceId, sourceName } = await deliver({}, withPages());
    await lookAt(svc.origin, root, async (page) => {
      const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.goto('/svc/home');
      await heading('Home');
      await take(page, 'New AI actor');
      await heading('New AI actor');
      await take(page, 'New data contract');
      await heading('New data contract');
      await page.getByText('No recipients yet. A recipient is').waitFor();
      await picture(page, 'contract-no-recipients');
      expect(await axeFindings(page)).toEqual([]);
      const [made] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'New recipient' }).click(),
      ]);
      await made.getByRole('dialog', { name: 'New recipient' }).waitFor();

      await page.goto(`/svc/data-sources/${dataSourceId}`);
      await page.getByRole('link', { name: 'New data contract' }).click();
      await heading('New data contract');
      expect(await page.getByRole('combobox', { name: 'Data source' }).inputValue()).toBe(sourceName);
    });
    await addUser(svc, 'edda', ['Editor']);
    await lookAt(svc.origin, await signIn(svc, 'edda'), async (page) => {
      await page.goto('/svc/data-quality/new');
      await page
        .getByText('Somebody with the permission SecurityAdmin adds them under Recipients.')
        .waitFor();
      expect(await page.getByRole('link', { name: 'New recipient' }).count()).toBe(0);
    });
  },
  inBrowser,
);
