import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('publishing queries', () => {
  const fixture = useBrowserFixture();

  test(
    'a query can be published, updated to its newer version and unpublished',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/queries/new', 'New query');
      await main.getByLabel('Name of the query').fill('Counted');
      await fixture.choose('Data source', 'Shop database');
      await fixture.writeSql('select 1 as one');
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await main.getByRole('heading', { name: 'Edit Counted', level: 1 }).waitFor();
      const edited = page.url();

      await page.goto(edited.replace(/\/edit.*/, '?tab=ai-clients'));
      await main.getByRole('button', { name: 'Publish query' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Publish “Counted”' });
      await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('counted');
      await dialog.getByLabel('Description for clients').fill('One row, which is one');
      await dialog.getByLabel('Description for clients').press('Tab');
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Publish query' }).press('Enter');
      await main.getByText('One row, which is one. Runs version 1').waitFor();
      await main.getByText('q_counted', { exact: true }).waitFor();

      await page.goto(edited);
      await main.getByRole('heading', { name: 'Edit Counted', level: 1 }).waitFor();
      await fixture.writeSql('select 2 as two');
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      expect((await saved).status()).toBe(200);
      await page.goto(edited.replace(/\/edit.*/, '?tab=ai-clients'));
      await main.getByText('Clients run version 1. The query says something else by now').waitFor();
      await picture(page, 'published-query-newer');
      expect(await axeFindings(page)).toEqual([]);

      await page.goto('/svc/mcp-settings?tab=published');
      await main.getByText('Version 2 is newer').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await main.getByRole('button', { name: 'Actions for q_counted' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Publish version 2' }).press('Enter');
      await page.getByText('AI clients run version 2 now.').waitFor();
      await main.getByRole('link', { name: 'Counted' }).click();
      await main.getByText('Runs version 2', { exact: false }).waitFor();
      await main.getByRole('button', { name: 'Unpublish' }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).press('Enter');
      await main.getByText('Not published to AI clients').waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
