import { axeFindings, hasChromium, picture, settled, visit } from '@svc/testkit/browser/browser.ts';
import { administrator, signIn } from '@svc/testkit/browser/people.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

/** The visible article. */
const shown = `document.querySelector('[role=dialog] article')`;

describe.skipIf(!hasChromium)('the documentation in a drawer', () => {
  const fixture = useBrowserFixture({ service: { withDemo: false } });

  const drawer = () => fixture.page.getByRole('dialog', { name: 'Help', exact: true });
  const article = (name: string) => drawer().getByRole('article', { name });
  const close = async () => {
    await fixture.page.keyboard.press('Escape');
    await drawer().waitFor({ state: 'detached' });
  };
  /** Opens the drawer by its key, after the page has loaded. */
  const openByKey = async () => {
    await fixture.page.getByRole('main').focus();
    await fixture.page.keyboard.press('?');
    await drawer().waitFor();
  };

  test(
    'opens at the page of the screen, by its key, from the navigation, from the palette and next to a title',
    async () => {
      const { page, main, visitor } = fixture;
      await fixture.open('/data-sources', 'Data sources');
      await openByKey();
      await article('Data sources').waitFor();
      await picture(page, 'help-data-sources');
      expect(await axeFindings(page)).toEqual([]);
      await close();
      await fixture.walk('/subscriptions', 'Subscriptions');
      await page.getByRole('button', { name: 'Help' }).click();
      await article('Subscriptions and their runs').waitFor();
      await close();
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: /Search pages/ }).fill('documentation');
      await page.getByRole('option', { name: /^Help/, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await article('Subscriptions and their runs').waitFor();
      await close();
      await fixture.walk('/api-keys', 'API keys');
      await main.getByRole('button', { name: 'Help' }).click();
      await article('People, projects and keys').waitFor();
      await close();
      // The drawer returns the focus after it has closed.
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Help');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'searches the pages of the build by keyboard alone, without a request outside /svc/api',
    async () => {
      const { page, visitor } = fixture;
      await fixture.walk('/home', 'Home');
      await openByKey();
      const asked: string[] = [];
      const note = (request: { url(): string }) => asked.push(request.url());
      page.on('request', note);
      await page.keyboard.type('MaxLifetimeDays');
      await drawer().getByRole('list', { name: 'Results' }).waitFor();
      await picture(page, 'help-search');
      expect(await axeFindings(page)).toEqual([]);
      await drawer().getByRole('searchbox').fill('verify signture');
      const hits = drawer().getByRole('list', { name: 'Results' }).getByRole('link');
      await expect.poll(() => hits.first().textContent()).toContain('signed webhooks');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await article('Verifying signed webhooks').waitFor();
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('ARTICLE');
      await drawer().getByRole('searchbox').fill('zzzzqqq');
      await drawer().getByText('Nothing is written about “zzzzqqq”.').waitFor();
      await page.keyboard.press('Escape');
      await article('Verifying signed webhooks').waitFor();
      page.off('request', note);
      expect(asked.filter((url) => !url.includes('/svc/api/'))).toEqual([]);
      await close();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'opens links between pages in the drawer and others in a new tab, and reopens at its last position',
    async () => {
      const { page, visitor } = fixture;
      await fixture.walk('/settings', 'Settings');
      await openByKey();
      await drawer().getByRole('button', { name: 'All pages' }).click();
      await article('Documentation').getByRole('link', { name: 'Signatures of webhooks' }).click();
      const signatures = article('Verifying signed webhooks');
      await signatures.waitFor();
      const outside = signatures.getByRole('link', { name: /Standard Webhooks/ });
      expect(await outside.getAttribute('target')).toBe('_blank');
      expect(await outside.getAttribute('rel')).toContain('noopener');
      expect(await signatures.getByRole('heading', { name: 'Java', exact: true }).getAttribute('id')).toBe(
        'help-java',
      );
      await page.evaluate(`${shown}.scrollTop = 300`);
      await expect.poll(() => page.evaluate(`${shown}?.scrollTop`)).toBe(300);
      await close();
      await openByKey();
      await expect.poll(() => page.evaluate(`${shown}?.scrollTop`)).toBe(300);
      await close();
      await page.reload();
      await fixture.main.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      await settled(visitor);
      await openByKey();
      await expect.poll(() => page.evaluate(`${shown}?.scrollTop`)).toBe(300);
      await fixture.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await signatures.getByRole('button', { name: 'Copy code' }).first().click();
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('createHmac');
      await close();
      // Another screen opens its own page. The back button returns to the previous page.
      await fixture.walk('/recipients', 'Recipients');
      await openByKey();
      await article('Recipients and approvals').waitFor();
      await drawer().getByRole('button', { name: 'Back to the page before' }).click();
      await expect.poll(() => page.evaluate(`${shown}?.scrollTop`)).toBe(300);
      await drawer().getByRole('button', { name: 'Keyboard shortcuts' }).click();
      await drawer().waitFor({ state: 'detached' });
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'fits on a phone in the dark theme',
    async () => {
      const { browser, service } = fixture;
      const phone = await visit(browser, service.origin, { theme: 'dark', width: 320 });
      await signIn(phone.page, administrator.userName, administrator.password);
      await phone.page.goto('/svc/data-sources');
      await phone.page.getByRole('heading', { name: 'Data sources', level: 1 }).waitFor();
      await settled(phone);
      await phone.page.getByRole('button', { name: 'Open the navigation' }).click();
      await phone.page.getByRole('dialog').getByRole('button', { name: 'Help' }).click();
      const help = phone.page.getByRole('dialog', { name: 'Help', exact: true });
      await help.getByRole('article', { name: 'Data sources' }).waitFor();
      await picture(phone.page, 'help-phone-dark');
      expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      expect(await axeFindings(phone.page)).toEqual([]);
      await help.getByRole('searchbox').fill('backup');
      await help.getByRole('list', { name: 'Results' }).waitFor();
      await picture(phone.page, 'help-phone-search');
      expect(phone.complaints).toEqual([]);
      await phone.context.close();
    },
    flowMaxMs,
  );
});
