import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('documents of a project', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'documents-'));
  writeFileSync(path.join(folder, 'orders.md'), '# Orders\n\nOne row an order.\n');
  writeFileSync(path.join(folder, 'broken.md'), Buffer.from([0xff, 0xfe, 0]));
  const fixture = useBrowserFixture({ service: { settings: { 'Svc:Documents': { 1: folder } } } });
  afterAll(() => rmSync(folder, { recursive: true }));

  test(
    'a folder is imported, and a document is uploaded, replaced and removed',
    async () => {
      const { main, page, visitor } = fixture;
      const choose = async (button: string, name: string, content: string | Buffer) => {
        const chooser = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: button }).click();
        const file = { name, mimeType: 'text/markdown', buffer: Buffer.from(content) };
        await (await chooser).setFiles(file);
      };
      const table = main.getByRole('table', { name: 'Documents' });
      await page.goto('/svc/projects/1?tab=documents');
      await main.getByRole('button', { name: 'Import folders now' }).click();
      const result = main.getByRole('status').filter({ hasText: 'Folder of the settings: ' });
      await result.getByText('Left out: broken.md (not a text in UTF-8).').waitFor();
      await table.getByRole('button', { name: 'Orders', exact: true }).waitFor();

      await choose('Upload a document', 'large.md', Buffer.alloc(600 * 1024, 'a'));
      await main.getByRole('alert').getByText('large.md has').waitFor();
      await choose('Upload a document', 'returns.md', '# Returns\n\nOne row a return.\n');
      await table.getByRole('button', { name: 'Returns', exact: true }).waitFor();
      expect(await main.getByRole('alert').count()).toBe(0);

      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `project-documents-${width}-${theme}`);
          expect(await cutButtons(page)).toEqual([]);
        }
        await page.setViewportSize({ width: 1440, height: 900 });
        expect(await axeFindings(page)).toEqual([]);
      }

      await fixture.act('Actions for Returns', 'Replace');
      await choose('Choose a file', 'other.md', '# Refunds\n');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await table.getByRole('button', { name: 'Refunds', exact: true }).waitFor();

      await fixture.act('Actions for Refunds', 'Remove');
      await page.getByRole('button', { name: 'Remove document' }).click();
      await table.getByRole('button', { name: 'Refunds', exact: true }).waitFor({ state: 'hidden' });
      await table.getByRole('button', { name: 'Orders', exact: true }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
