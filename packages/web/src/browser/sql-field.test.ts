import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import type { Locator, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const editorCode = /\/sql-editor-[^/]*\.js$/;

describe.skipIf(!hasChromium)('the SQL field before its editor has loaded', () => {
  const fixture = useBrowserFixture();
  const text = () => fixture.main.getByRole('textbox', { name: 'SQL of this step' });
  const isEditor = async () => (await fixture.main.locator('.cm-content').count()) > 0;
  /** Returns the position of a word, in whole pixels. */
  const placeOf = async (word: Locator) => {
    const { x = 0, y = 0, width = 0 } = (await word.boundingBox()) ?? {};
    return [x, y, width].map(Math.round);
  };

  test(
    'shows the highlighted statement at the same place as the editor, which loads when the pointer moves over the field',
    async () => {
      const { page, main } = fixture;
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.mouse.move(0, 0);
      await fixture.open('/queries/1/edit', /./);
      const plain = main.locator('pre span').filter({ hasText: /^select$/i });
      await plain.first().waitFor();
      expect(asked.filter((url) => editorCode.test(url))).toEqual([]);
      const before = await placeOf(plain.first());
      await picture(page, 'sql-field-plain');
      expect(await axeFindings(page)).toEqual([]);
      await text().hover();
      const word = main.locator('.cm-line span').filter({ hasText: /^select$/i });
      await word.first().waitFor();
      await picture(page, 'sql-field-editor');
      expect(await placeOf(word.first())).toEqual(before);
    },
    flowMaxMs,
  );

  test(
    'loses no letter, selection or focus when the editor replaces it',
    async () => {
      const { page } = fixture;
      const isWritten = Promise.withResolvers<void>();
      const wait = async (route: Route) => {
        await isWritten.promise;
        await route.continue();
      };
      await page.route(editorCode, wait);
      await fixture.open('/queries/new', 'New query');
      await text().click();
      await page.keyboard.type('select 1,\n2 from x');
      expect(await isEditor()).toBe(false);
      await page.keyboard.press('Shift+ArrowLeft');
      isWritten.resolve();
      await expect.poll(isEditor).toBe(true);
      await page.keyboard.type('orders');
      const lines = await text().locator('.cm-line').allTextContents();
      expect(lines).toEqual(['select 1,', '2 from orders']);
      await page.unroute(editorCode, wait);
    },
    flowMaxMs,
  );

  test(
    'opens the requested completions, or those for the typed text, when the editor has loaded',
    async () => {
      const { page } = fixture;
      for (const ask of [
        () => page.keyboard.press('Control+Space'),
        () => page.keyboard.type('coun'),
        () => page.keyboard.type('select coun'),
      ]) {
        const isAsked = Promise.withResolvers<void>();
        const wait = async (route: Route) => {
          await isAsked.promise;
          await route.continue();
        };
        await page.route(editorCode, wait);
        await fixture.open('/queries/new', 'New query');
        await text().click();
        await ask();
        expect(await isEditor()).toBe(false);
        isAsked.resolve();
        await page.getByRole('listbox').getByRole('option').first().waitFor();
        await page.unroute(editorCode, wait);
      }
    },
    flowMaxMs,
  );

  test(
    'accepts text and its shortcuts while the editor does not load',
    async () => {
      const { page, main } = fixture;
      const refuse = (route: Route) => route.abort();
      await page.route(editorCode, refuse);
      await fixture.open('/queries/new', 'New query');
      await main.getByLabel('Name of the query').fill('Written without the editor');
      await fixture.choose('Data source', 'Shop database');
      await text().fill('select 41 + 1 as answer');
      await page.keyboard.press('Shift+Alt+KeyF');
      await expect.poll(() => text().inputValue()).toBe('select\n  41 + 1 as answer');
      await page.keyboard.press('ControlOrMeta+Enter');
      await main.getByRole('gridcell', { name: '42' }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('editor-save');
      await page.unroute(editorCode, refuse);
      await text().click();
      await expect.poll(isEditor).toBe(true);
    },
    flowMaxMs,
  );
});
