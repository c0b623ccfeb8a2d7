import { hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { administrator } from '@svc/testkit/browser/people.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

/** Form with unsaved input: how the test fills it in, sends it, and checks that the input remains. */
type Begun = {
  readonly path: string;
  /** Path by links: an entry of the navigation, then links on the pages. */
  readonly way: readonly string[];
  readonly fill: (page: Page) => Promise<void>;
  readonly send: (page: Page) => Promise<void>;
  readonly isKept: (page: Page) => Promise<void>;
  /** Waits for the page after the save. */
  readonly saved: (page: Page) => Promise<void>;
  /** List that counts the record, and its name there. */
  readonly list: string;
  readonly name: string;
};

const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) =>
  page.getByRole('main').getByRole('heading', { name, level: 1 }).waitFor();
const holdsValue = async (page: Page, label: string, value: string) =>
  await expect.poll(() => page.getByLabel(label, { exact: true }).inputValue()).toBe(value);

async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

describe.skipIf(!hasChromium)('forms under difficult conditions', () => {
  const fixture = useBrowserFixture();

  const begun: readonly Begun[] = [
    {
      path: '/projects/new',
      way: ['Projects', 'New project'],
      fill: (page) => page.getByLabel('Name', { exact: true }).fill('Kept project'),
      send: (page) => click(page, 'Create project'),
      isKept: (page) => holdsValue(page, 'Name', 'Kept project'),
      saved: (page) => heading(page, 'Kept project'),
      list: '/svc/api/projects',
      name: 'Kept project',
    },
    {
      path: '/queries/new',
      way: ['Queries', 'New query'],
      fill: async (page) => {
        await page.getByLabel('Name of the query').fill('Kept query');
        await choose(page, 'Data source', 'Shop database');
        await page.getByRole('textbox', { name: 'SQL of this step' }).click();
        await page.keyboard.type('select 1 as kept');
      },
      send: (page) => click(page, 'Save'),
      isKept: async (page) => {
        await holdsValue(page, 'Name of the query', 'Kept query');
        await page.getByRole('textbox', { name: 'SQL of this step' }).getByText('kept').waitFor();
      },
      saved: (page) => page.getByText('Saved', { exact: true }).waitFor(),
      list: '/svc/api/queries',
      name: 'Kept query',
    },
    {
      path: '/recipients',
      way: ['Recipients'],
      fill: async (page) => {
        await click(page, 'New recipient');
        await choose(page, 'Channel', 'Webhook');
        await page.getByLabel('Name', { exact: true }).fill('Kept recipient');
        await page.getByLabel('Webhook address', { exact: true }).fill('https://example.org/hook');
      },
      send: (page) => page.getByRole('dialog').getByRole('button', { name: 'Add recipient' }).click(),
      isKept: (page) => holdsValue(page, 'Webhook address', 'https://example.org/hook'),
      saved: (page) => page.getByRole('row', { name: /Kept recipient/ }).waitFor(),
      list: '/svc/api/recipients',
      name: 'Kept recipient',
    },
    {
      path: '/subscriptions?new=yes&queryId=1',
      way: ['Queries', 'Delayed orders', 'Subscribe'],
      fill: async (page) => {
        await click(page, 'Continue');
        await click(page, 'New recipient');
        await page.getByLabel('Destination', { exact: true }).fill('https://example.org/kept');
        await page.getByLabel('Name', { exact: true }).fill('Kept on the way');
      },
      send: (page) => click(page, 'Add and continue'),
      isKept: (page) => holdsValue(page, 'Destination', 'https://example.org/kept'),
      saved: (page) => page.getByRole('heading', { name: 'When should it alert, and with what?' }).waitFor(),
      list: '/svc/api/recipients',
      name: 'Kept on the way',
    },
    {
      path: '/data-sources?new=yes',
      way: ['Data sources', 'Connect a data source'],
      fill: async (page) => {
        await page.getByRole('radio', { name: /^SQLite/ }).click();
        await page.getByLabel('Name', { exact: true }).fill('Kept source');
        await page.getByRole('textbox', { name: 'File' }).fill(fixture.service.ordersFile);
      },
      send: (page) => click(page, 'Connect'),
      isKept: (page) => holdsValue(page, 'Name', 'Kept source'),
      saved: (page) => heading(page, 'Kept source'),
      list: '/svc/api/data-sources',
      name: 'Kept source',
    },
  ];

  const countOf = async ({ list, name }: Begun): Promise<unknown> => {
    const answer = await fixture.visitor.context.request.get(list, { params: { search: name } });
    return ((await answer.json()) as { totalCount: unknown }).totalCount;
  };

  test(
    'a reload, a step back and a link ask before they discard a form, and leave no half-made record',
    async () => {
      const { page } = fixture;
      for (const form of begun) {
        page.setDefaultTimeout(25_000);
        await fixture.open('/home', 'Home');
        const [entry = '', ...links] = form.way;
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry }).click();
        for (const name of links)
          await page.getByRole('main').getByRole('link', { name, exact: true }).first().click();
        await form.fill(page);
        const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
        await page.evaluate('history.back()');
        await leaving.getByRole('button', { name: 'Stay' }).click();
        await form.isKept(page);
        const asked = page.waitForEvent('dialog');
        const reload = page.evaluate('location.reload()').catch(() => undefined);
        const dialog = await asked;
        expect(dialog.type()).toBe('beforeunload');
        await dialog.dismiss();
        await reload;
        await form.isKept(page);
        page.once('dialog', (question) => void question.accept());
        await page.goto('/svc/home');
        await heading(page, 'Home');
        expect(await countOf(form)).toBe(0);
      }
      await fixture.open('/subscriptions?new=yes&queryId=1', 'New subscription');
      await begun[3]?.fill(page);
      await page.getByRole('main').getByRole('button', { name: '2 Schedule' }).click();
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
      await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
      await click(page, 'Leave');
      await heading(page, 'Subscriptions');
      expect(fixture.visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'each invalid value is explained in words at its field',
    async () => {
      const { page, main } = fixture;
      const dialog = page.getByRole('dialog');
      const says = async (text: string) => {
        await page.getByText(text, { exact: true }).first().waitFor();
        expect(
          await page.getByText(/must NOT|Bad Request|Conflict|must be [<>]=|must be integer/).count(),
        ).toBe(0);
      };
      const tooLong = 'x'.repeat(201);

      await fixture.open('/queries/new', 'New query');
      await page.getByLabel('Name of the query').fill(tooLong);
      await choose(page, 'Data source', 'Shop database');
      await click(page, 'Save');
      await page.getByRole('alert').getByText('Name of the query: At most 200 characters.').waitFor();
      await expect.poll(() => page.getByLabel('Name of the query').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('Name of the query').fill('Sound');
      await click(page, 'Save');
      await page.getByRole('alert').getByText('Text of step1: Fill this in.').waitFor();
      page.once('dialog', (question) => void question.accept());

      await fixture.open('/subscriptions?new=yes&queryId=1', 'New subscription');
      await choose(page, 'How often', 'By an expression');
      await page.getByLabel('Expression', { exact: true }).fill('every day');
      await click(page, 'Continue');
      await main.getByRole('alert').getByText('Invalid schedule.').waitFor();
      await expect
        .poll(() => page.getByLabel('Expression', { exact: true }).getAttribute('aria-invalid'))
        .toBe('true');
      await page.getByLabel('Expression', { exact: true }).fill('0 8 * * *');
      await click(page, 'Continue');
      await click(page, 'New recipient');
      await page.getByLabel('Destination', { exact: true }).fill('nonsense');
      await click(page, 'Add and continue');
      await says('Fill this in.');
      await page.getByLabel('Name', { exact: true }).fill(tooLong);
      await click(page, 'Add and continue');
      await says('At most 200 characters.');
      await page.getByLabel('Name', { exact: true }).fill('Short');
      await click(page, 'Add and continue');
      await says('The destination must be a URL that begins with https://.');
      await page.getByLabel('Destination', { exact: true }).fill('');
      await page.getByLabel('Name', { exact: true }).fill('');
      await main.getByRole('checkbox', { name: 'Demo inbox' }).check();
      await click(page, 'Continue');
      await page.getByLabel('Minimum rows (optional)').fill('0');
      await says('From 1 to 1,000,000,000.');
      await expect.poll(() => main.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
      await page.getByLabel('Minimum rows (optional)').fill('');
      page.once('dialog', (question) => void question.accept());

      await fixture.open('/data-sources?new=yes', 'Connect a data source');
      await page.getByRole('radio', { name: 'PostgreSQL' }).click();
      await page.getByLabel('Name', { exact: true }).fill(tooLong);
      await page.getByLabel('Host', { exact: true }).fill('http://shop/');
      await page.getByLabel('Database', { exact: true }).fill('shop');
      await page.getByLabel('User', { exact: true }).fill('reader');
      await click(page, 'Connect');
      await says('At most 200 characters.');
      await page.getByLabel('Name', { exact: true }).fill('Short');
      await click(page, 'Connect');
      await says('Must be a host name or an IP address, without a path, port or user.');
      expect(await main.getByRole('alert').count()).toBe(0);
      page.once('dialog', (question) => void question.accept());

      await fixture.open('/data-sources/1', 'Shop database');
      await fixture.act('Actions for Shop database', 'Edit');
      await dialog.getByRole('checkbox', { name: 'Change the connection' }).check();
      await dialog.getByLabel('Host', { exact: true }).fill('');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await says('Fill this in.');
      await dialog.getByLabel('Host', { exact: true }).fill('http://shop/');
      await dialog.getByLabel('Password', { exact: false }).first().fill('secret');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await says('Must be a host name or an IP address, without a path, port or user.');
      page.once('dialog', (question) => void question.accept());

      await fixture.open('/projects/1?tab=members', 'Demo shop');
      await click(page, 'Add a member');
      await dialog.getByLabel('User name').fill('nobody');
      await dialog.getByRole('button', { name: 'Add member' }).click();
      await says('Must be the name of a user.');
      page.once('dialog', (question) => void question.accept());

      await fixture.open('/mcp-settings', 'MCP settings');
      await page.getByLabel('Rows of one result').fill('many');
      await click(page, 'Save settings');
      await says('Fill in a whole number.');
      page.once('dialog', (question) => void question.accept());

      await fixture.open('/recipients', 'Recipients');
      await fixture.act('Actions for Demo inbox', 'Signing and retries');
      await page.getByLabel('Maximum retries').fill('often');
      await page.getByLabel('Seconds before the first retry').fill('1');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await says('At least 5.');
      page.once('dialog', (question) => void question.accept());

      await fixture.open('/users', 'Users');
      await click(page, 'New user');
      await dialog.getByLabel('User name', { exact: true }).fill('short');
      await dialog.getByLabel('First password', { exact: true }).fill('a');
      await dialog.getByRole('button', { name: 'Add user' }).click();
      await says('The password needs at least 8 characters.');
      await expect
        .poll(() => dialog.getByLabel('First password', { exact: true }).getAttribute('aria-invalid'))
        .toBe('true');
      await dialog.getByLabel('User name', { exact: true }).fill(administrator.userName.toUpperCase());
      await dialog.getByLabel('First password', { exact: true }).fill('Long-enough-7');
      await dialog.getByRole('button', { name: 'Add user' }).click();
      await says('Is taken: another user has it, or had it and is archived.');
      await expect
        .poll(() => dialog.getByLabel('User name', { exact: true }).getAttribute('aria-invalid'))
        .toBe('true');
      expect(await dialog.getByRole('alert').count()).toBe(0);
      page.once('dialog', (question) => void question.accept());
      await page.goto('/svc/home');
    },
    flowMaxMs,
  );

  test(
    'a form survives a killed service: the save reports the failure, and succeeds after a restart',
    async () => {
      const { visitor, service } = fixture;
      // A browser without cached code: the code that a first submission needs is not loaded.
      const context = await fixture.browser.newContext({
        baseURL: service.origin,
        storageState: await visitor.context.storageState(),
        reducedMotion: 'reduce',
      });
      const pages: Page[] = [];
      const faults: string[] = [];
      for (const { path, fill } of begun) {
        const page = await context.newPage();
        pages.push(page);
        page.on('pageerror', (error) => faults.push(`${path}: ${error.message}`));
        page.setDefaultTimeout(60_000);
        await page.clock.install();
        await page.goto(`/svc${path}`);
        await fill(page);
      }
      await service.kill();
      for (const [index, page] of pages.entries()) {
        await page.bringToFront();
        // The user returns from another tab: visible data is refetched, and the request fails.
        await page.clock.fastForward(60_000);
        await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
        await begun[index]?.send(page);
        await page.getByRole('alert').getByText('The service is not responding').waitFor();
        await begun[index]?.isKept(page);
        // The palette's code is loaded, but the code of the dialogs that it opens is not.
        await page.keyboard.press('ControlOrMeta+k');
        await page.keyboard.type('keyboard shortcuts');
        await page.keyboard.press('Enter');
        await page
          .getByRole('region', { name: 'Messages' })
          .getByText('Check the network connection')
          .waitFor();
        await begun[index]?.isKept(page);
        await picture(page, `killed-${index}`);
      }
      await service.startAgain();
      for (const [index, page] of pages.entries()) {
        const form = begun[index];
        if (!form) throw new Error('Every page has its form.');
        await page.bringToFront();
        await form.isKept(page);
        await form.send(page);
        await form.saved(page);
        expect(await countOf(form)).toBe(1);
        await page.close();
      }
      expect(faults).toEqual([]);
      await context.close();
    },
    flowMaxMs,
  );
});
