import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('Databricks as a data source', () => {
  const fixture = useBrowserFixture({ service: { withDemo: false } });

  test(
    'has a form that reports an invalid workspace host and catalog next to their fields',
    async () => {
      const { main, page } = fixture;
      await fixture.open('/data-sources?new=yes', 'Connect a data source');
      await main.getByRole('radio', { name: 'Databricks' }).check();
      await main.getByText('not run against the service itself', { exact: false }).waitFor();
      await main.getByLabel('Name', { exact: true }).fill('Lakehouse');
      await main.getByLabel('Workspace host', { exact: true }).fill('https://dbc-a1b2345c-d6e7.test/');
      await main.getByLabel('SQL warehouse', { exact: true }).fill('abcdef0123456789');
      await main.getByLabel('Client ID (optional)', { exact: true }).fill('reader');
      await main.getByLabel('Client secret (optional)', { exact: true }).fill('a secret');
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      await main.getByText('Fill this in.').waitFor();
      await main.getByLabel('Catalog', { exact: true }).fill('hive_metastore');
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      await main.getByText('must be a host name, without https://', { exact: false }).waitFor();
      await main.getByLabel('Workspace host', { exact: true }).fill('dbc-a1b2345c-d6e7.test');
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      await main.getByText('must be a catalog of Unity Catalog', { exact: false }).waitFor();
      expect(await main.getByLabel('Schema', { exact: true }).inputValue()).toBe('default');
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 320]) {
          await page.setViewportSize({ width, height: 1400 });
          await picture(page, `databricks-source-${width}-${theme}`);
          // The bar at the top of narrow pages covers fields that are scrolled under it.
          await page.evaluate('scrollTo(0, 0)');
          expect(await axeFindings(page)).toEqual([]);
        }
      }
    },
    flowMaxMs,
  );
});
