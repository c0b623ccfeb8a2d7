import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { startSqlserver, type TestSqlserver } from '@svc/testkit/database/sqlserver.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('SQL Server as a data source', () => {
  const fixture = useBrowserFixture({ service: { withDemo: false } });
  let server: TestSqlserver;
  beforeAll(async () => {
    server = await startSqlserver();
  });
  afterAll(() => server?.stop());

  test(
    'is connected with a read-only login and queried in T-SQL',
    async () => {
      const { main, page } = fixture;
      await fixture.open('/data-sources?new=yes', 'Connect a data source');
      await main.getByRole('radio', { name: 'SQL Server' }).check();
      await main.getByText('not run against the service itself', { exact: false }).waitFor();
      await main.getByLabel('Name', { exact: true }).fill('Shop');
      await main.getByLabel('Host', { exact: true }).fill('127.0.0.1');
      await main.getByLabel('Port', { exact: true }).fill(String(server.port));
      await main.getByLabel('Database', { exact: true }).fill('shop');
      await main.getByLabel('User', { exact: true }).fill('writer');
      await main.getByLabel('Password (optional)', { exact: true }).fill('s3cret-Passw0rd');
      await fixture.choose('TLS', 'Disable');
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      const refusal = main.getByRole('alert');
      await refusal.getByText('alter role db_datareader add member svc_reader').waitFor();
      await main.getByRole('switch', { name: 'Accept a login that may write' }).waitFor();
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 320]) {
          await page.setViewportSize({ width, height: 1400 });
          await picture(page, `sqlserver-source-${width}-${theme}`);
          expect(await axeFindings(page)).toEqual([]);
        }
      }
      await page.setViewportSize({ width: 1440, height: 1000 });
      await main.getByLabel('User', { exact: true }).fill('reader');
      await main.getByRole('button', { name: 'Test connection' }).click();
      await main.getByText('SQL Server 16', { exact: false }).waitFor();
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      await main.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();

      await fixture.open('/queries/new', 'New query');
      await main.getByLabel('Name of the query').fill('Orders of SQL Server');
      await fixture.choose('Data source', 'Shop');
      await main.getByRole('complementary').getByText('recent orders', { exact: true }).first().waitFor();
      const text = main.getByRole('textbox', { name: 'SQL of this step' });
      await text.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText('select [id], total from [dbo].[orders] where id > 5');
      await page.keyboard.press('ControlOrMeta+Enter');
      await main.getByText('2126764793255865396646091296.4485513215').waitFor();
      await page.keyboard.press('Shift+Alt+f');
      await expect.poll(() => text.locator('.cm-line').count()).toBeGreaterThan(4);
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'sqlserver-step');
    },
    flowMaxMs,
  );
});
