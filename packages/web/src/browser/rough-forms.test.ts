import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium, picture } from './testing/browser.ts';
import { flowMaxMs, useWorkbench } from './testing/workbench.ts';

/** A form that somebody is in the middle of: how it is filled in, sent, and what tells that it is still filled in. */
type Begun = {
  readonly path: string;
  readonly fill: (page: Page) => Promise<void>;
  readonly send: (page: Page) => Promise<void>;
  readonly isKept: (page: Page) => Promise<void>;
  /** What the page shows once it was saved. */
  readonly saved: (page: Page) => Promise<void>;
  /** Where it is counted, and by which name. */
  readonly list: string;
  readonly name: string;
};

const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) =>
  page.getByRole('main').getByRole('heading', { name, level: 1 }).waitFor();
const holdsValue = async (page: Page, label: string, value: string) =>
  expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(value);

async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

describe.skipIf(!hasChromium)('forms in rough hands', () => {
  const bench = useWorkbench();

  const begun: readonly Begun[] = [
    {
      path: '/projects/new',
      fill: (page) => page.getByLabel('Name', { exact: true }).fill('Kept project'),
      send: (page) => click(page, 'Create project'),
      isKept: (page) => holdsValue(page, 'Name', 'Kept project'),
      saved: (page) => heading(page, 'Kept project'),
      list: '/svc/api/projects',
      name: 'Kept project',
    },
    {
      path: '/queries/new',
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
      fill: async (page) => {
        await click(page, 'Add a recipient');
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
      fill: async (page) => {
        await click(page, 'Continue');
        await click(page, 'Somebody else');
        await page.getByLabel('Destination', { exact: true }).fill('https://example.org/kept');
        await page.getByLabel('Name', { exact: true }).fill('Kept on the way');
      },
      send: (page) => click(page, 'Add and continue'),
      isKept: (page) => holdsValue(page, 'Destination', 'https://example.org/kept'),
      saved: (page) => page.getByRole('heading', { name: 'When are they told, and what?' }).waitFor(),
      list: '/svc/api/recipients',
      name: 'Kept on the way',
    },
    {
      path: '/data-sources?new=yes',
      fill: async (page) => {
        await page.getByRole('radio', { name: /^SQLite/ }).click();
        await page.getByLabel('Name', { exact: true }).fill('Kept source');
        await page.getByRole('textbox', { name: 'File' }).fill(bench.service.ordersFile);
      },
      send: (page) => click(page, 'Connect'),
      isKept: (page) => holdsValue(page, 'Name', 'Kept source'),
      saved: (page) => heading(page, 'Kept source'),
      list: '/svc/api/data-sources',
      name: 'Kept source',
    },
  ];

  test(
    'a service that is killed in the middle of a form takes nothing: the save says so, and works once it is back',
    async () => {
      const { visitor, service } = bench;
      // A browser that has nothing of the pages' code yet: what a form needs first when it is sent is not there.
      const context = await bench.browser.newContext({
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
        // As somebody does who looks elsewhere meanwhile: what is shown is read anew, and cannot be.
        await page.clock.fastForward(60_000);
        await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
        await begun[index]?.send(page);
        await page.getByRole('alert').getByText('The service does not answer').waitFor();
        await begun[index]?.isKept(page);
        await page.keyboard.press('ControlOrMeta+k');
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
        const list = await visitor.context.request.get(form.list, { params: { search: form.name } });
        expect(await list.json()).toMatchObject({ totalCount: 1 });
        await page.close();
      }
      expect(faults).toEqual([]);
      await context.close();
    },
    flowMaxMs,
  );
});
