import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('BigQuery as a data source', () => {
  const fixture = useBrowserFixture({ service: { withDemo: false } });

  test(
    'has a form that reports an invalid key file next to its field',
    async () => {
      const { main, page } = fixture;
      await fixture.open('/data-sources?new=yes', 'Connect a data source');
      await main.getByRole('radio', { name: 'BigQuery' }).check();
      await main.getByText('not run against the service itself', { exact: false }).waitFor();
      await main.getByLabel('Name', { exact: true }).fill('Warehouse');
      await main.getByLabel('Project', { exact: true }).fill('my-project');
      await main.getByLabel('Default dataset (optional)', { exact: true }).fill('shop');
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      await main.getByText('Fill this in.').waitFor();
      await main.getByLabel('Key file', { exact: true }).fill('{"type": "authorized_user"}');
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      await main.getByText('must be the key file of a service account').waitFor();
      expect(await main.getByLabel('Most billed per statement (GiB)').inputValue()).toBe('10');
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 320]) {
          await page.setViewportSize({ width, height: 1400 });
          await picture(page, `bigquery-source-${width}-${theme}`);
          expect(await axeFindings(page)).toEqual([]);
        }
      }
    },
    flowMaxMs,
  );
});
