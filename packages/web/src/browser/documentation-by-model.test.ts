import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('documentation by a language model', () => {
  let provider: LlmProviderProcess;
  const fixture = useBrowserFixture({
    service: async () => {
      provider = await startLlmProvider();
      return {
        settings: {
          'Svc:LLM:TrustedHosts': ['127.0.0.1'],
          'Svc:LLM:Provider': 'OpenAiCompatible',
          'Svc:LLM:Endpoint': `${provider.origin}/v1`,
          'Svc:LLM:Model': 'script',
          'Svc:LLM:FastModel': 'stalls',
          'Svc:LLM:InputPrice': '100',
          'Svc:LLM:OutputPrice': '1000',
        },
      };
    },
  });
  afterAll(() => provider?.close());

  async function look(name: string): Promise<void> {
    const { page } = fixture;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await picture(page, `${name}-${colorScheme}-${width}`);
        expect(await cutButtons(page)).toEqual([]);
      }
      expect(await axeFindings(page)).toEqual([]);
    }
  }

  test(
    'shows its progress and authors, and can be cancelled, rewritten, compared with new text and replaced by it',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/projects/1?tab=documentation', 'Demo shop');
      await main.getByRole('button', { name: 'Write documentation' }).click();
      await main.getByText(/The language model describes tables: 0 of \d+/).waitFor();
      await look('documentation-under-way');
      await main.getByRole('button', { name: 'Cancel' }).click();
      await main.getByText('The last generation was cancelled.').waitFor();
      const model = main.getByRole('region', { name: 'Data model' });
      await model.getByText('From records', { exact: true }).waitFor();

      await fixture.open('/admin-settings', 'Admin settings');
      const connection = main.getByRole('region', { name: 'Language model' });
      await connection.getByLabel('Fast model (optional)').fill('');
      await connection.getByRole('button', { name: 'Save connection' }).click();
      await main.getByRole('row', { name: /Language model/ }).waitFor();
      await fixture.open('/projects/1?tab=documentation', 'Demo shop');
      const tables = [{ name: 'shop.orders', purpose: 'One row is an order of a customer.' }];
      // One call for each data source that has tables.
      await provider.script({ tables }, { tables });
      await main.getByRole('button', { name: 'Bring up to date' }).click();
      await model.getByText('From records, with words of a language model').waitFor();
      await model.getByText('One row is an order of a customer.').waitFor();
      await main.getByText(/described \d+ tables: 36 tokens, which cost 0\.0162\./).waitFor();

      await main.getByRole('button', { name: 'Edit Data model' }).click();
      const dialog = page.getByRole('dialog');
      await provider.script({ content: 'Orders are kept for **ten** years.' });
      await dialog.getByRole('textbox', { name: 'Have the language model rewrite it' }).fill('One sentence');
      await dialog.getByRole('button', { name: 'Rewrite' }).click();
      await dialog.getByText(/Rewritten with 18 tokens/).waitFor();
      await look('documentation-rewrite');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await model.getByText('ten', { exact: true }).waitFor();
      await model.getByText('Written by').waitFor();

      await main.getByRole('button', { name: 'Bring up to date' }).click();
      await model
        .getByText('Records and the language model say something else than this text by now.')
        .waitFor();
      await model.getByText('Show the difference').click();
      // The editor renders lines further down only when they are visible.
      await model.getByText('What stands in italics was written by a language model').first().waitFor();
      await look('documentation-difference');
      await page.setViewportSize({ width: 1440, height: 900 });
      await model.getByRole('button', { name: 'Take the new text' }).click();
      await model.getByText('From records, with words of a language model').waitFor();
      const versions = main.getByRole('region', { name: 'Versions' });
      await versions.getByText(/New text taken by/).waitFor();
      const newest = versions.getByRole('listitem').first();
      await newest.getByText(/Data model: \d+ lines added, 1 line removed/).waitFor();
      await newest.locator('summary').click();
      await newest.getByRole('region', { name: /Data model, version \d+/ }).waitFor();
      await newest.getByText('Orders are kept for **ten** years.').first().waitFor();
      await newest.scrollIntoViewIfNeeded();
      await look('documentation-versions');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
