import { axeFindings, hasChromium, visit } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('the frame of the pages', () => {
  const fixture = useBrowserFixture();

  test(
    'letters typed immediately after the shortcut of the palette go only to its field, on a slow machine too',
    async () => {
      const { main, page } = fixture;
      await fixture.open('/about', 'About');
      const machine = await page.context().newCDPSession(page);
      await machine.send('Emulation.setCPUThrottlingRate', { rate: 6 });
      await page.keyboard.press('ControlOrMeta+k');
      await page.keyboard.type('sales g a');
      const field = page.getByRole('dialog', { name: 'Search or go to' }).getByRole('combobox');
      expect(await field.inputValue()).toBe('sales g a');
      await machine.detach();
      await page.keyboard.press('Escape');
      await main.getByRole('heading', { name: 'About', level: 1 }).waitFor();
    },
    flowMaxMs,
  );

  test(
    'the page of a refused sign-in at the identity provider explains the reason that the service sends',
    async () => {
      const { browser, service } = fixture;
      const { page, context } = await visit(browser, service.origin);
      await page.goto('/svc/error?reason=sso-group-or-role');
      await page.getByText('Your account is in no group that may use this service.').waitFor();
      await page.goto('/svc/error?reason=sso-expired');
      await page.getByText('The sign-in took too long').waitFor();
      await context.close();
    },
    flowMaxMs,
  );

  test(
    'a phone shows one banner while a dialog or the navigation is open',
    async () => {
      const { main, page } = fixture;
      await page.setViewportSize({ width: 390, height: 844 });
      await fixture.open('/recipients', 'Recipients');
      await main.getByRole('button', { name: 'New recipient' }).click();
      await page.getByRole('dialog', { name: 'New recipient' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Open the navigation' }).click();
      await page.getByRole('dialog').getByRole('navigation', { name: 'Main' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 1440, height: 900 });
    },
    flowMaxMs,
  );
});
