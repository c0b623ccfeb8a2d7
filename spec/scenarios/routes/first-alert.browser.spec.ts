import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { axeFindings, picture } from '@svc/testkit/browser/browser.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.1-350'],
  'a file of the allowed folder becomes a source, query, recipient and subscription, whose first run is delivered',
  async ({ deliver, onEnd }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-first-alert-'));
    onEnd(async () => rmSync(folder, { recursive: true }));
    writeFileSync(path.join(folder, 'late-orders.csv'), 'customer,days\nAda,3\nBo,12\n');
    const { svc, root, sink } = await deliver({ 'Svc:Query:FileFolders': [folder] }, withPages());
    await lookAt(svc.origin, root, async (page) => {
      await page.goto('/svc/first-alert');
      await page.getByRole('radio', { name: 'late-orders.csv' }).check();
      for (const [width, theme] of [
        [1440, 'light'],
        [1024, 'dark'],
        [390, 'light'],
        [390, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        await picture(page, `first-alert-${width}-${theme}`);
        expect(await axeFindings(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        );
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      const next = page.getByRole('button', { name: 'Continue' });
      await next.click();
      await page.getByRole('radio', { name: 'When a number passes a line' }).check();
      await page.getByRole('textbox', { name: 'Line' }).fill('10');
      await next.click();
      await page.getByRole('radio', { name: 'A new webhook or email address' }).check();
      await page.getByLabel('Destination').fill(`${sink.url}/first`);
      await next.click();
      await page.getByText('1 row now: the first alert is sent at once.').waitFor();
      await page.getByRole('button', { name: 'Create and send now' }).click();
      await page.waitForURL('**/svc/notifications/*');
      await page.getByRole('main').getByText('Sent', { exact: true }).first().waitFor();
    });
    expect(sink.received.map((each) => each.path)).toEqual(['/first']);
    expect(sink.received[0]?.text).toContain('Bo');
    expect(sink.received[0]?.text).not.toContain('Ada');
  },
  inBrowser,
);
