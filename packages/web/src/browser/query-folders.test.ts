import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('folders of queries', () => {
  const fixture = useBrowserFixture();

  test(
    'can be created, selected by keyboard, filled, renamed and deleted, and a new query goes into the selected one',
    async () => {
      const { main, page, visitor } = fixture;
      const item = (name: string | RegExp) => main.getByRole('treeitem', { name });
      const dialog = (name: string) => page.getByRole('dialog', { name });
      await fixture.open('/queries', 'Queries');

      const newFolder = main.getByRole('button', { name: 'New folder' });
      await newFolder.click();
      const first = dialog('New folder');
      await first.getByLabel('Name').fill('Sales');
      await first.getByLabel('Project').click();
      await page.getByRole('option').first().click();
      await first.getByRole('button', { name: 'Create folder' }).click();
      await item(/^Sales/).waitFor();
      await newFolder.click();
      await dialog('New folder').getByLabel('Name').fill('Late');
      await page.keyboard.press('Enter');
      await item(/^Late/).waitFor();
      await dialog('New folder').waitFor({ state: 'detached' });
      await expect
        .poll(() => newFolder.evaluate((button) => button === button.ownerDocument.activeElement))
        .toBe(true);

      // The new folder is selected and empty. The keyboard selects all queries again.
      await main.getByText('Nothing matches').waitFor();
      await item(/^Late/).focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      const boxes = main.getByRole('checkbox', { name: /^Select (?!all)/ });
      await boxes.first().waitFor();
      const name = (await boxes.first().getAttribute('aria-label'))?.replace('Select ', '') ?? '';
      await boxes.first().focus();
      await page.keyboard.press('Space');
      await main.getByRole('button', { name: 'Move 1 query' }).click();
      await dialog('Move 1 query').getByLabel('To the folder').fill('Late');
      await page.getByRole('option', { name: 'Sales/Late' }).click();
      await dialog('Move 1 query').getByRole('button', { name: 'Move query' }).click();
      await dialog('Move 1 query').waitFor({ state: 'detached' });
      await item(/^Sales 1$/).waitFor();

      // Moves from all queries to the first folder of the project. Collapsing the project hides its folders.
      // A closed dialog returns the focus with a delay, so the poll repeats the keys until they are undisturbed.
      const focused = main.locator('[role="treeitem"]:focus');
      await expect
        .poll(async () => {
          await item('All queries').focus();
          for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
          return (await focused.count()) === 1 ? focused.textContent() : '';
        })
        .toMatch(/^Sales/);
      await page.keyboard.press('Enter');
      await page.waitForURL(/folderId=\d+/);
      await main.getByRole('link', { name }).waitFor();
      await page.keyboard.press('ArrowLeft');
      await item(/^Late/).waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowRight');
      await item(/^Late/).waitFor();

      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [390, 1024, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `query-folders-${colorScheme}-${width}`);
        }
        expect(await axeFindings(page)).toEqual([]);
      }

      await main.getByRole('link', { name: 'New query' }).click();
      await main.getByLabel('Name of the query').fill('In the folder');
      await fixture.choose('Data source', 'Shop database');
      await fixture.writeSql('select 1 as one');
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await main.getByRole('heading', { name: 'Edit In the folder', level: 1 }).waitFor();
      await fixture.open('/queries', 'Queries');
      await item(/^Sales 2$/).click();
      await main.getByRole('link', { name: 'In the folder' }).click();
      await main.getByRole('link', { name: 'Sales', exact: true }).click();

      await fixture.act('Actions for the folder Sales', 'Rename or move');
      await dialog('Rename or move folder').getByLabel('Name').fill('Orders');
      await page.keyboard.press('Enter');
      await item(/^Orders 2$/).waitFor();
      await fixture.act('Actions for the folder Orders', 'Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete folder' }).click();
      await item(/^Orders/).waitFor({ state: 'detached' });
      await item(/^Late 1$/).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'show an error if they cannot be read, and a retry; another project clears the selected folder',
    async () => {
      const { main, page } = fixture;
      const folders = /\/svc\/api\/query-folders\?/;
      await page.route(folders, (route) =>
        route.fulfill({
          status: 500,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            type: 'about:blank',
            title: 'Internal error',
            status: 500,
            code: 'internal',
          }),
        }),
      );
      await fixture.open('/queries', 'Queries');
      const side = main.getByRole('navigation', { name: 'Folders' });
      await side.getByRole('button', { name: 'Try again' }).waitFor();
      expect(await side.getByText('No folders yet.').count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      await page.unroute(folders);
      await side.getByRole('button', { name: 'Try again' }).press('Enter');
      await side
        .getByText(/No folders yet|All queries/)
        .first()
        .waitFor();

      await page.goto('/svc/queries?folderId=2000000000');
      await main
        .getByRole('button', { name: /^Project/ })
        .first()
        .click();
      await page.getByRole('option').first().click();
      await page.waitForURL((address) => address.searchParams.has('projectId'));
      expect(new URL(page.url()).searchParams.has('folderId')).toBe(false);
    },
    flowMaxMs,
  );
});
