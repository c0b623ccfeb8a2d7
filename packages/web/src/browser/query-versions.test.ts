import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('versions of a query', () => {
  const fixture = useBrowserFixture();

  test(
    'each save creates a version that can be compared, run unchanged, and restored with a reason',
    async () => {
      const { main, page, visitor } = fixture;
      const looked = async (name: string) => {
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          for (const width of [390, 1440]) {
            await page.setViewportSize({ width, height: 900 });
            await picture(page, `${name}-${colorScheme}-${width}`);
          }
          expect(await axeFindings(page)).toEqual([]);
        }
      };
      await fixture.open('/queries/new', 'New query');
      await main.getByLabel('Name of the query').fill('Counted');
      await fixture.choose('Data source', 'Shop database');
      await fixture.writeSql('select 1 as one');
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await main.getByRole('heading', { name: 'Edit Counted', level: 1 }).waitFor();
      await fixture.writeSql('select 2 as two');
      // The message of the first save may still be visible, so the test waits for the response.
      const saved = page.waitForResponse(
        (answer) => answer.request().method() === 'PUT' && /\/svc\/api\/queries\/\d+$/.test(answer.url()),
      );
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await saved;
      await fixture.open('/queries', 'Queries');
      await main.getByRole('link', { name: 'Counted' }).click();
      await main.getByRole('link', { name: '2: all versions' }).click();
      await main.getByRole('row', { name: /^2 Changed SQL .* Active/ }).waitFor();
      await looked('query-versions');
      await main
        .getByRole('row', { name: /^1 Created/ })
        .getByRole('link')
        .click();
      await main.getByRole('heading', { name: 'Version 1 of Counted', level: 1 }).waitFor();
      await main.getByText('select 1 as one').first().waitFor();
      await main.getByText('select 2 as two').first().waitFor();
      await looked('query-version');
      await main.getByRole('tab', { name: 'Result' }).click();
      await main.getByRole('button', { name: 'Run this version' }).click();
      await main.getByText('1 row', { exact: true }).waitFor();
      await main.getByRole('button', { name: 'Restore', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Restore version 1?' });
      await dialog.getByLabel('Why').fill('Two was one too many');
      await dialog.getByRole('button', { name: 'Restore version' }).click();
      await main.getByRole('row', { name: /^3 Restored version 1 Two was one too many .* Active/ }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
