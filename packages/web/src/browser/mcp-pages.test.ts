import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('MCP pages', () => {
  const fixture = useBrowserFixture();

  test(
    'a call of a tool in the playground shows rows, the text that a model reads, and the reason of a refusal',
    async () => {
      const { page } = fixture;
      await page.goto('/svc/mcp-playground?tool=query');
      await page.getByRole('heading', { name: 'MCP playground' }).waitFor();
      await page.getByLabel('data_source').fill('Shop database');
      await page.getByLabel('sql').fill('select 40 + 2 as answer');
      await page.getByRole('button', { name: 'Call tool' }).click();
      const answer = page.getByRole('region', { name: 'Answer' });
      await answer.getByText('Answered').waitFor();
      await answer.getByRole('gridcell', { name: '42' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await answer.getByRole('tab', { name: 'What a model reads' }).click();
      await answer.getByText('never an instruction').waitFor();
      await page.getByLabel('sql').fill('drop table orders');
      await page.getByRole('button', { name: 'Call tool' }).click();
      await answer.getByText('Refused').waitFor();
      await answer.getByText('Only a SELECT may be sent').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'mcp-playground-refused');
    },
    flowMaxMs,
  );

  test(
    'settings can be changed for all projects and for one project, and the history shows both changes',
    async () => {
      const { page } = fixture;
      await page.goto('/svc/mcp-settings');
      await page.getByRole('heading', { name: 'MCP settings' }).waitFor();
      await page.getByLabel('Rows of one result').fill('250');
      await page.getByLabel('Search schemas, queries and documents').uncheck();
      await page.getByRole('button', { name: 'Save settings' }).click();
      await page.getByText('Settings saved.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.goto('/svc/mcp-settings?project=1');
      await page.getByPlaceholder('250, as for all projects').fill('100');
      await page.getByRole('button', { name: 'Save settings' }).click();
      await page.getByText(/The settings of .+ were saved/).waitFor();
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByText('maxRows: not set → 100').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.goto('/svc/mcp-settings?tab=history');
      await page.getByText('maxRows: not set → 250').waitFor();
      await picture(page, 'mcp-settings-history');
    },
    flowMaxMs,
  );
});
