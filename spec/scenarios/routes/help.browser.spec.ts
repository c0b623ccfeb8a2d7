import { setUp } from '@svc/testkit/people/people.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

const base = '/tools/watch';

const drawerOf = (page: Page) => page.getByRole('dialog', { name: 'Help', exact: true });

async function openByKey(page: Page): Promise<void> {
  await page.getByRole('main').focus();
  await page.keyboard.press('?');
  await drawerOf(page).waitFor();
}

scenario(
  ['RT-4.1-860', 'RT-4.1-861', 'RT-4.1-862', 'RT-4.1-863'],
  'also below a base path, help opens at the page of the screen, searches locally, and reopens at its last page',
  async ({ start }) => {
    const svc = await start({ 'Svc:PathBase': base }, withPages());
    const root = await setUp(svc);
    await lookAt(svc.origin, root, async (page) => {
      const asked: URL[] = [];
      page.on('request', (request) => asked.push(new URL(request.url())));
      await page.goto(`${base}/svc/data-sources`);
      await page.getByRole('heading', { name: 'Data sources', level: 1 }).waitFor();
      await openByKey(page);
      const drawer = drawerOf(page);
      await drawer.getByRole('article', { name: 'Data sources' }).waitFor();
      await drawer.getByRole('searchbox').fill('restore backup');
      const hit = drawer.getByRole('list', { name: 'Results' }).getByRole('link').first();
      const address = await hit.getAttribute('href');
      expect(address).toMatch(new RegExp(`^${base}/svc/help/.+\\.md#`));
      await hit.click();
      const operating = drawer.getByRole('article', { name: 'Operating the standalone service' });
      await operating.getByRole('link', { name: 'encryption keys', exact: true }).first().click();
      const keys = drawer.getByRole('article', { name: /encryption key/i });
      await keys.waitFor();
      expect(page.url()).toBe(`${svc.origin}${base}/svc/data-sources`);
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
      await openByKey(page);
      await keys.waitFor();
      await drawer.getByRole('searchbox').fill('standard webhooks');
      await drawer
        .getByRole('link', { name: /Verifying signed webhooks/ })
        .first()
        .click();
      const outside = drawer.getByRole('link', { name: /Standard Webhooks/ });
      expect([await outside.getAttribute('target'), await outside.getAttribute('rel')]).toEqual([
        '_blank',
        'noreferrer noopener',
      ]);
      expect(asked.filter(({ protocol, origin }) => protocol !== 'data:' && origin !== svc.origin)).toEqual(
        [],
      );
      // A click with a modifier key opens this address, which returns the text of the page.
      const text = await page.request.get(String(address));
      expect(await text.text()).toContain('# Operating the standalone service');
    });
  },
  inBrowser,
);

scenario(
  ['RT-4.2-864', 'RT-4.2-865'],
  'the list of help pages, their full text and each page are available to programs without a credential',
  async ({ start }) => {
    const svc = await start({}, withPages());
    await setUp(svc);
    const anyone = svc.client();
    const list = await anyone.get('/svc/llms.txt');
    expect([list.status, list.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const links = [...list.text.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(20);
    const texts = new Map<string, string>();
    for (const link of links) {
      const page = await anyone.get(`/svc/${link}`);
      expect([link, page.status, page.headers.get('content-type')]).toEqual([
        link,
        200,
        'text/markdown; charset=utf-8',
      ]);
      expect(page.text).toMatch(/^# \S/);
      texts.set(link.replace('help/', ''), page.text.trim());
    }
    expect(new Set(texts.values()).size).toBe(texts.size);
    const whole = await anyone.get('/svc/llms-full.txt');
    expect(whole.status).toBe(200);
    for (const [path, text] of texts) {
      const isWhole = whole.text.includes(`<page path="${path}">\n\n${text}\n\n</page>`);
      expect([path, isWhole]).toEqual([path, true]);
    }
    for (const path of ['/svc/help/nowhere.md', '/svc/help/adr/README.md', '/svc/help/README.md.br'])
      expect([path, (await anyone.get(path)).status]).toEqual([path, 404]);
  },
  inBrowser,
);
