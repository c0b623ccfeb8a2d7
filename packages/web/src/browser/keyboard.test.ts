import { hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { administrator } from '@svc/testkit/browser/people.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const tabsMax = 80;
const isRowFocused = `document.activeElement.hasAttribute('data-row-link')`;

/** Returns the accessible name of an element. */
const nameOf = `((element) => {
  if (!element) return '';
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent;
  return (label ?? element.textContent ?? '').trim();
})`;
const focusedName = `${nameOf}(document.activeElement)`;
const controls = ':is(a[href], button, input, select, textarea, [contenteditable="true"]):not(:disabled)';
const namesOfControls = `[...document.querySelectorAll('${controls}')].map(${nameOf})`;

/** Presses Tab until the control with the name has the focus. Fails if Tab never reaches it. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const isWanted = (controlName: string) =>
    typeof name === 'string' ? controlName === name : name.test(controlName);
  const isThere = async () => ((await page.evaluate(namesOfControls)) as string[]).some(isWanted);
  await expect.poll(isThere, { message: `the control ${name}` }).toBe(true);
  for (let step = 0; step < tabsMax; step++) {
    if (isWanted((await page.evaluate(focusedName)) as string)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The control ${name} cannot be reached with the Tab key.`);
}

/** Presses two keys without a delay, so that a busy page does not separate them. */
async function pressPair(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}

async function fill(page: Page, name: string | RegExp, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.type(text);
}

async function press(page: Page, name: string | RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/** Opens a list of choices, types to filter it if possible, and selects the first match. */
async function choose(page: Page, name: string | RegExp, option: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('ArrowDown');
  const wanted = page.getByRole('option', { name: option }).first();
  await wanted.waitFor();
  for (let step = 0; step < tabsMax; step++) {
    if ((await wanted.getAttribute('data-combobox-selected')) === 'true') break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

describe.skipIf(!hasChromium)('the pages by keyboard alone', () => {
  const fixture = useBrowserFixture({ isSetUp: false, theme: 'dark' });

  test(
    'take a new user from setup to the first delivery',
    async () => {
      const { page, service, visitor } = fixture;
      await page.goto('/svc/');
      await page.getByLabel('Setup token').waitFor();
      await fill(page, 'Setup token', service.setupToken);
      await fill(page, 'User name', administrator.userName);
      await fill(page, 'Password', administrator.password);
      await fill(page, 'Repeat the password', administrator.password);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/svc/home');
      await page.getByRole('heading', { name: 'Home' }).waitFor();

      await pressPair(page, 'g', 'p');
      await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
      await press(page, 'New project');
      await page.getByRole('heading', { name: 'New project', level: 1 }).waitFor();
      await fill(page, 'Name', 'Orders desk');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Orders desk' }).waitFor();

      await pressPair(page, 'g', 'd');
      await page.getByRole('heading', { name: 'Data sources', level: 1 }).waitFor();
      await press(page, 'Connect a data source');
      // Radio buttons are one stop of the Tab key: arrows move between them.
      await tabTo(page, /^PostgreSQL/);
      await page.keyboard.press('Space');
      await page.getByRole('radio', { name: 'PostgreSQL' }).and(page.locator(':checked')).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.getByRole('radio', { name: 'SQLite' }).and(page.locator(':checked')).waitFor();
      await fill(page, 'Name', 'Orders file');
      await fill(page, 'File', service.ordersFile);
      await choose(page, /Project that may use it/, 'Orders desk');
      await press(page, 'Connect');
      await page.getByRole('heading', { name: 'Orders file' }).waitFor();

      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: /Search pages/ }).waitFor();
      await page.keyboard.type('orders desk');
      await page.getByRole('option', { name: /Orders desk/, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Orders desk' }).waitFor();
      await press(page, 'New query');
      await page.getByRole('textbox', { name: 'SQL of this step' }).waitFor();
      await fill(page, 'Name of the query', 'Large orders');
      await choose(page, 'Data source', 'Orders file');
      await tabTo(page, 'SQL of this step');
      await page.keyboard.type('select customer, amount from orders where amount > 100');
      await page.keyboard.press('Escape');
      await tabTo(page, 'SQL of this step');
      await page.keyboard.press('ControlOrMeta+Enter');
      await page.getByText('16 rows').waitFor();
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('“Large orders” was saved.').waitFor();
      await picture(page, 'keyboard-editor-dark');

      await press(page, 'Subscribe');
      await page.getByRole('heading', { name: 'When does it run?' }).waitFor();
      await press(page, 'Continue');
      await press(page, /^Demo inbox/, 'Space');
      await press(page, 'Continue');
      await page.getByRole('heading', { name: 'When should it alert, and with what?' }).waitFor();
      await press(page, 'Continue');
      await page.getByRole('heading', { name: 'This is what will happen' }).waitFor();
      await press(page, 'Create subscription');
      await page.getByRole('button', { name: 'Test now' }).waitFor();
      await press(page, 'Test now');
      await page.waitForURL('**/svc/notifications/*');
      await page
        .getByRole('row', { name: /Demo inbox/ })
        .getByText('Sent', { exact: true })
        .waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'move between rows with j and k, and open the help with ?, which leads to the list of keys',
    async () => {
      const { page, visitor } = fixture;
      await pressPair(page, 'g', 'q');
      await page.getByRole('main').getByRole('heading', { name: 'Queries', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Large orders' }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      expect(await page.evaluate(isRowFocused)).toBe(true);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Help' }).waitFor();
      await press(page, 'Keyboard shortcuts');
      const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await keys.waitFor();
      await page.keyboard.press('Escape');
      await keys.waitFor({ state: 'detached' });
      await page.keyboard.press('/');
      await expect
        .poll(() => page.evaluate(`document.activeElement.hasAttribute('data-search-field')`))
        .toBe(true);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
