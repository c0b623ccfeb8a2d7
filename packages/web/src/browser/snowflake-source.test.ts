import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('Snowflake as a data source', () => {
  const fixture = useBrowserFixture({ service: { withDemo: false } });

  test(
    'has a form that reports an invalid private key next to its field',
    async () => {
      const { main, page } = fixture;
      await fixture.open('/data-sources?new=yes', 'Connect a data source');
      await main.getByRole('radio', { name: 'Snowflake' }).check();
      await main.getByText('not run against the service itself', { exact: false }).waitFor();
      await main.getByLabel('Name', { exact: true }).fill('Warehouse');
      await main.getByLabel('Account host', { exact: true }).fill('org-shop.snowflakecomputing.com');
      for (const [label, text] of [
        ['User', 'svc'],
        ['Role', 'reader'],
        ['Warehouse', 'work'],
      ] as const)
        await main.getByLabel(label, { exact: true }).fill(text);
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      await main.getByText('Fill this in.').waitFor();
      await main.getByLabel('Database', { exact: true }).fill('shop');
      await main.getByLabel('Private key (optional)', { exact: true }).fill('no key');
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      await main.getByText('must be an RSA key in PEM', { exact: false }).waitFor();
      expect(await main.getByLabel('Schema', { exact: true }).inputValue()).toBe('PUBLIC');
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 320]) {
          await page.setViewportSize({ width, height: 1400 });
          await picture(page, `snowflake-source-${width}-${theme}`);
          // The bar at the top of narrow pages covers fields that are scrolled under it.
          await page.evaluate('scrollTo(0, 0)');
          expect(await axeFindings(page)).toEqual([]);
        }
      }
    },
    flowMaxMs,
  );
});
