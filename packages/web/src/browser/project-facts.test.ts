import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { type GitServer, hasGit, startGitServer } from '@svc/testkit/outside/git-server.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const themes = ['light', 'dark'] as const;
let git: GitServer | undefined;

describe.skipIf(!hasChromium)('facts about a project', () => {
  const fixture = useBrowserFixture({
    service: async () => {
      if (hasGit) git = await startGitServer({ 'report.py': 'db.query("select amount from shop.orders")\n' });
      return { settings: { 'Svc:Repositories:TrustedHosts': ['127.0.0.1'] } };
    },
  });
  afterAll(() => git?.close());

  /** Takes pictures of a tab in both themes, wide and narrow. */
  async function look(name: string): Promise<void> {
    const { page } = fixture;
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await picture(page, `${name}-${colorScheme}-${width}`);
      }
      expect(await axeFindings(page)).toEqual([]);
    }
  }

  test(
    'documentation is generated from facts, and text by a user remains next to what the records say later',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/projects/1?tab=documentation', 'Demo shop');
      await main.getByRole('button', { name: 'Write documentation' }).click();
      const model = main.getByRole('region', { name: 'Data model' });
      await model.getByText('orders').first().waitFor();
      await main.getByRole('button', { name: 'Edit Data model' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill('Orders are kept for **ten** years.');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await model.getByText('ten', { exact: true }).waitFor();
      await model.getByText('Written by').waitFor();
      await main.getByRole('button', { name: 'Bring up to date' }).click();
      await model.getByText('Records say something else than this text by now.').waitFor();
      await model.getByText('ten', { exact: true }).waitFor();
      await look('documentation');
      await model.getByRole('button', { name: 'Keep this text' }).click();
      await model.getByRole('button', { name: 'Keep this text' }).waitFor({ state: 'detached' });
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a glossary term is added with its column, found by a synonym, edited, switched off and deleted',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/projects/1?tab=glossary', 'Demo shop');
      await main.getByText('No terms').waitFor();
      await main.getByRole('button', { name: 'Add term' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Add term' }).click();
      await dialog.getByRole('textbox', { name: 'Term' }).and(page.locator('[aria-invalid=true]')).waitFor();
      await dialog.getByRole('textbox', { name: 'Term' }).fill('Late order');
      await dialog.getByLabel('Synonyms (optional)').fill('Overdue');
      await page.keyboard.press('Enter');
      await dialog
        .getByRole('textbox', { name: 'Definition' })
        .fill('Ordered, and not shipped in three days.');
      await dialog.getByRole('combobox', { name: 'Data source (optional)' }).click();
      await page.getByRole('option', { name: 'Shop database' }).click();
      await dialog.getByRole('combobox', { name: 'Table (optional)' }).click();
      await page
        .getByRole('option', { name: /orders/ })
        .first()
        .click();
      await dialog.getByRole('combobox', { name: 'Column (optional)' }).click();
      await page.getByRole('option').first().click();
      await dialog.getByRole('textbox', { name: 'Metric (optional)' }).fill('sum(nothing)');
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Add term' }).click();
      await dialog.getByText(/column "nothing" does not exist/i).waitFor();
      await dialog.getByRole('textbox', { name: 'Metric (optional)' }).fill('count(*)');
      await look('glossary-term');
      await dialog.getByRole('button', { name: 'Add term' }).click();
      const table = main.getByRole('table', { name: 'Terms' });
      await table.getByText('Late order').waitFor();
      await table.getByText(/orders\./).waitFor();
      await table.getByText('count(*)').waitFor();
      await main.getByRole('button', { name: 'Check again' }).click();
      await page.getByText('1 term checked, 0 broken.').waitFor();

      await main.getByRole('button', { name: 'Import' }).click();
      const document = dialog.getByRole('textbox', { name: 'Document' });
      await document.fill('term,definition\nLate order,\nChurn,Who left.');
      await dialog.getByRole('button', { name: 'Review' }).click();
      await dialog.getByText('Line 2, definition: is empty').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await look('glossary-import');
      await document.fill('term,definition\nLate order,Ordered long ago.\nChurn,Who left.');
      await dialog.getByRole('button', { name: 'Review' }).click();
      await dialog.getByText('1 term added, 1 changed, 0 as before').waitFor();
      await dialog.getByRole('button', { name: 'Import 2 terms' }).click();
      await table.getByText('Who left.').waitFor();
      await fixture.act('Actions for Churn', 'Delete');
      await dialog.getByRole('button', { name: 'Delete term' }).click();
      await table.getByText('Who left.').waitFor({ state: 'detached' });
      await table.getByText('count(*)').waitFor();

      await main.getByRole('textbox', { name: 'Search terms' }).fill('nothing of the kind');
      await main.getByText('No term, synonym or definition holds “nothing of the kind”.').waitFor();
      await main.getByRole('textbox', { name: 'Search terms' }).fill('overdu');
      await table.getByText('Overdue').waitFor();
      await fixture.act('Actions for Late order', 'Edit');
      await dialog.getByRole('textbox', { name: 'Definition' }).fill('Ordered, and not shipped in two days.');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await table.getByText('Ordered, and not shipped in two days.').waitFor();
      await fixture.act('Actions for Late order', 'Switch off');
      await table.getByText('Off', { exact: true }).waitFor();
      await look('glossary');
      await fixture.act('Actions for Late order', 'Delete');
      await dialog.getByRole('button', { name: 'Delete term' }).click();
      await main.getByRole('textbox', { name: 'Search terms' }).fill('');
      await main.getByText('No terms').waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test.skipIf(!hasGit)(
    'a repository can be added by keyboard and scanned, and the files that name tables are listed',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/projects/1?tab=code', 'Demo shop');
      await main.getByRole('button', { name: 'Add repository' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByLabel('Address').waitFor();
      await page.keyboard.type(git?.url ?? '');
      await page.keyboard.press('Enter');
      await main.getByRole('row', { name: /shop/ }).first().waitFor();
      await fixture.act('Actions for shop', 'Scan');
      await main.getByText('report.py').waitFor();
      await look('code');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'the page shows the text about the project that AI clients read',
    async () => {
      const { main, visitor } = fixture;
      await fixture.open('/projects/1?tab=mcp-context', 'Demo shop');
      const context = main.getByRole('document', { name: 'Context for AI clients' });
      await context.getByText(/orders/).waitFor();
      await look('mcp-context');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
