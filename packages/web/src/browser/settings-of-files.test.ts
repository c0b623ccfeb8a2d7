import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('the form of a data source of files', () => {
  const fixture = useBrowserFixture({ service: { withDemo: false } });

  test(
    'shows how a file is read, and reads it again under other settings',
    async () => {
      const { page, service, open, choose } = fixture;
      const place = path.join(path.dirname(service.ordersFile), 'towns.csv');
      writeFileSync(place, 'id;town\n1;Köln\n2;Zürich\n3\n', 'latin1');
      await open('/data-sources?new=yes', 'Connect a data source');
      await page.getByRole('radio', { name: 'Files (DuckDB)' }).check();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Towns');
      await page.getByRole('button', { name: 'Add a file' }).click();
      const file = page.getByRole('region', { name: 'File 1' });
      await file.getByRole('textbox', { name: 'Table name' }).fill('towns');
      await file.getByRole('textbox', { name: 'Path' }).fill(place);
      await file.getByRole('button', { name: 'Preview' }).click();
      // A refusal opens the settings that solve it.
      await file
        .getByText('Line 4 of towns.csv has another number of values than its header: 1, not 2.')
        .waitFor();
      await choose('Lines with too few values', 'Null');
      await file.getByRole('button', { name: 'Preview' }).click();
      const status = file.getByRole('status');
      await status.getByText('Read as Windows-1252, delimiter ;').waitFor();
      await file.getByRole('cell', { name: 'Zürich' }).waitFor();
      await choose('Type of id', 'VARCHAR');
      await file.getByText('id is read as VARCHAR.').waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 1400 });
          await picture(page, `file-settings-${colorScheme}-${width}`);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('heading', { name: 'Towns', level: 1 }).waitFor();
    },
    flowMaxMs,
  );
});
