import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import type { Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('the palette', () => {
  const fixture = useBrowserFixture();

  const search = async (text: string) => {
    await fixture.page.keyboard.press('ControlOrMeta+k');
    await fixture.page.getByRole('combobox', { name: /Search pages/ }).fill(text);
  };
  const chosen = (name: string | RegExp) =>
    fixture.page.getByRole('option', { name, selected: true }).waitFor();

  test(
    'creates records of each kind from any page, under singular and plural names',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/about', 'About');
      for (const [text, act, heading] of [
        ['new query', 'New query', 'New query'],
        ['create subscriptions', 'New subscription', 'New subscription'],
        ['add project', 'New project', 'New project'],
        ['connect', 'Connect a data source', 'Connect a data source'],
        ['first alert', 'Get your first alert', 'Get your first alert'],
      ] as const) {
        await search(text);
        await chosen(act);
        await page.keyboard.press('Enter');
        await main.getByRole('heading', { name: heading, level: 1 }).waitFor();
      }
      for (const [text, act, dialog] of [
        ['new recipients', 'New recipient', 'New recipient'],
        ['invite', 'New user', 'New user'],
        ['new api', 'New API key', 'New API key'],
      ] as const) {
        await search(text);
        await chosen(act);
        await page.keyboard.press('Enter');
        await page.getByRole('dialog', { name: dialog }).waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog', { name: dialog }).waitFor({ state: 'detached' });
      }
      await search('source');
      await page.getByRole('option', { name: /^Data sources/ }).waitFor();
      expect(visitor.complaints).toEqual([]);
      await page.keyboard.press('Escape');
    },
    flowMaxMs,
  );

  test(
    'adds a button that the page renders behind the open palette, and does not change the current selection',
    async () => {
      const { main, page, visitor } = fixture;
      const lock = '**/api/queries/1/lock';
      const isAsked = Promise.withResolvers<void>();
      const isOpen = Promise.withResolvers<void>();
      const wait = async (route: Route) => {
        isAsked.resolve();
        await isOpen.promise;
        await route.continue();
      };
      await fixture.open('/queries/1', 'Delayed orders');
      await main.getByRole('button', { name: 'Lock', exact: true }).waitFor();
      await page.route(lock, wait);
      await main.getByRole('button', { name: 'Lock', exact: true }).click();
      await isAsked.promise;
      await search('');
      expect(await page.getByRole('option', { name: 'Unlock' }).count()).toBe(0);
      const help = page.getByRole('option', { name: /^Help/, selected: true });
      while ((await help.count()) === 0) await page.keyboard.press('ArrowDown');
      isOpen.resolve();
      await page.getByRole('option', { name: 'Unlock' }).waitFor();
      await chosen(/^Help/);
      await page.unroute(lock, wait);
      await search('unlock');
      await chosen('Unlock');
      await page.keyboard.press('Enter');
      await main.getByRole('button', { name: 'Lock', exact: true }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'finds recipients, sources and users by name, and lists the recently opened records without a search text',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/queries/1', 'Delayed orders');
      await fixture.open('/data-sources/1', 'Shop database');
      await fixture.open('/about', 'About');
      await search('');
      const recent = page.getByRole('option', { name: /Shop database|Delayed orders/ });
      await recent.first().waitFor();
      expect(await recent.allTextContents()).toEqual([
        expect.stringContaining('Shop database'),
        expect.stringContaining('Delayed orders'),
      ]);
      await picture(page, 'palette-recent');
      expect(await axeFindings(page)).toEqual([]);
      const field = page.getByRole('combobox', { name: /Search pages/ });
      await field.fill('shop database');
      await chosen(/^Shop database/);
      await field.fill('demo inbox');
      await chosen(/^Demo inbox/);
      await field.fill('ana.kovac');
      await page.getByRole('option', { name: /ana\.kovac/ }).waitFor({ state: 'detached' });
      await field.fill('Ana Kova');
      await page.getByRole('option', { name: /ana\.kovac/ }).waitFor();
      await picture(page, 'palette-people');
      await field.fill('theme dark');
      await chosen('Theme: dark');
      await page.keyboard.press('Enter');
      await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
      await search('delayed orders');
      await chosen(/^Delayed orders/);
      await picture(page, 'palette-dark');
      await page.keyboard.press('Enter');
      await main.getByRole('heading', { name: 'Delayed orders', level: 1 }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
