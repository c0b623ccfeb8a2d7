import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings, hasChromium, openBrowser, picture, type Visitor, visit } from './testing/browser.ts';
import { setUp, signIn } from './testing/people.ts';
import { startService, type TestService } from './testing/service.ts';

const startMaxMs = 90_000;
const tourMaxMs = 900_000;

/** Every page that is served, with the demo's records behind the ids. */
const tour: readonly { readonly path: string; readonly heading: string | RegExp }[] = [
  { path: '/home', heading: 'Home' },
  { path: '/about', heading: 'About' },
  { path: '/settings', heading: 'Settings' },
  { path: '/data-sources', heading: 'Data sources' },
  { path: '/data-sources?new=yes', heading: 'Connect a data source' },
  { path: '/data-sources/1', heading: /.+/ },
  { path: '/projects', heading: 'Projects' },
  { path: '/projects/new', heading: 'New project' },
  { path: '/projects/1', heading: /.+/ },
  { path: '/projects/1?tab=members', heading: /.+/ },
  { path: '/queries', heading: 'Queries' },
  { path: '/queries/new', heading: 'New query' },
  { path: '/queries/1', heading: /.+/ },
  { path: '/queries/1?tab=text', heading: /.+/ },
  { path: '/queries/1/edit', heading: /Edit/ },
  { path: '/subscriptions', heading: 'Subscriptions' },
  { path: '/subscriptions?new=yes', heading: 'New subscription' },
  { path: '/subscriptions/1', heading: /.+/ },
  { path: '/subscriptions/1?tab=schedule', heading: /.+/ },
  { path: '/notifications', heading: 'Notifications' },
  { path: '/notifications/1', heading: /.+/ },
  { path: '/notifications/1?tab=rows', heading: /.+/ },
  { path: '/recipients', heading: 'Recipients' },
  { path: '/approvals', heading: 'Approvals' },
  { path: '/admin-settings', heading: 'Admin settings' },
  { path: '/api-keys', heading: 'API keys' },
  { path: '/users', heading: 'Users' },
  { path: '/mcp-playground', heading: 'MCP playground' },
  { path: '/mcp-settings', heading: 'MCP settings' },
  { path: '/mcp-settings?project=1', heading: 'MCP settings' },
  { path: '/mcp-settings?tab=history', heading: 'MCP settings' },
  { path: '/audit', heading: 'Audit' },
  { path: '/subscriptions?new=yes&queryId=1', heading: 'New subscription' },
  { path: '/projects/999', heading: 'Not found' },
];

/** Follows the system to a theme, without motion, and waits until the page has it. */
async function turnTo(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();
}

/** What axe finds on a wide page, in both themes. */
async function wideFindings(page: Page, path: string): Promise<string[]> {
  const findings: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await turnTo(page, theme);
    await picture(page, `${fileName(path)}-1440-${theme}`);
    findings.push(...(await axeFindings(page)).map((finding) => `${path} (${theme}): ${finding}`));
  }
  return findings;
}

/** What is wider than a narrow window, and what axe finds where the navigation is icons only. */
async function narrowFindings(page: Page, path: string): Promise<string[]> {
  const findings: string[] = [];
  for (const width of [1024, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await turnTo(page, width === 390 ? 'dark' : 'light');
    // The picture also waits until the theme has been painted, which axe reads colours from.
    await picture(page, `${fileName(path)}-${width}`);
    // At 1024 other things than the navigation have to carry its words.
    if (width === 1024)
      findings.push(...(await axeFindings(page)).map((finding) => `${path} (${width} px): ${finding}`));
    const overflow = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
    if (overflow > 0) findings.push(`${path}: ${overflow} px wider than a window of ${width} px`);
  }
  return findings;
}

async function open(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await page.goto(`/svc${path}`);
  await page.getByRole('heading', { name: heading }).first().waitFor();
  await page.waitForLoadState('networkidle');
}

const fileName = (path: string): string => path.replaceAll(/\W+/g, '-').replace(/^-/, '');

describe.skipIf(!hasChromium)('pages', () => {
  let service: TestService;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    service = await startService();
    browser = await openBrowser();
    visitor = await visit(browser, service.origin);
    page = visitor.page;
    await setUp(page, service);
    // The demo's subscription runs within seconds; pages of runs need one.
    await page.getByRole('table', { name: 'Last runs' }).waitFor({ timeout: startMaxMs });
  }, startMaxMs);
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await picture(page, `failed-${task.name.slice(0, 40)}`);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test(
    'axe finds nothing on any page in either theme, and none is wider than its window, down to 320 px',
    async () => {
      const findings: string[] = [];
      for (const { path, heading } of tour) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await open(page, path, heading);
        findings.push(...(await wideFindings(page, path)), ...(await narrowFindings(page, path)));
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(findings).toEqual([]);
    },
    tourMaxMs,
  );

  test('an API key is shown once, works in the list, and can be revoked', async () => {
    await open(page, '/api-keys', 'API keys');
    await page.getByRole('button', { name: 'New API key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make key' }).click();
    await dialog.getByText('Choose at least one project.').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Nightly script');
    await dialog.getByRole('combobox', { name: 'Projects' }).click();
    await page.getByRole('option').first().click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Make key' }).click();
    await dialog.getByText(/^sk-sem_/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.getByText(/^sk-sem_/).waitFor();
    await page.getByRole('checkbox', { name: 'I have put the key where it belongs' }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    // Newest first: after the replacement the new key stands above the old one.
    const row = page.getByRole('row', { name: /Nightly script/ }).first();
    await row.getByText('Active', { exact: true }).waitFor();
    const act = async (name: string) => {
      await row.getByRole('button', { name: 'Acts on Nightly script' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Rights and uses');
    await page.getByText('It was made to read only; its owner has the role Admin.').waitFor();
    await page.getByText('GET /svc/api/projects', { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('tab', { name: 'What it was used for' }).click();
    await page.getByText('It was not used in the last 30 days.').waitFor();
    await page.keyboard.press('Escape');
    await act('Replace');
    await page.getByRole('button', { name: 'Make the new key' }).click();
    await page.getByText(/^sk-sem_/).waitFor();
    await page.getByRole('checkbox', { name: 'I have put the key where it belongs' }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('row', { name: /Nightly script/ })
      .nth(1)
      .waitFor();
    await act('Revoke');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText('Inactive').waitFor();
  });

  test('filters, sorting and search live in the address and survive a reload', async () => {
    await open(page, '/notifications', 'Notifications');
    await page.getByRole('button', { name: 'Rows', exact: true }).click();
    await page.getByRole('button', { name: 'Status', exact: true }).last().click();
    await page.keyboard.press('Escape');
    await page.goto('/svc/notifications?status=Failed&sort=-resultCount');
    await page.reload();
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Remove the filter Status' }).click();
    await page.waitForURL((url) => !url.search.includes('status') && url.search.includes('sort'));
    await page.getByRole('columnheader', { name: 'Rows' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Rows' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
  });

  test('a chart is two clicks from a result, and statistics one', async () => {
    await open(page, '/queries/1', /.+/);
    await page.getByRole('button', { name: 'Run query' }).click();
    await page
      .getByRole('button', { name: /^Statistics of/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText('Distinct').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Chart' }).click();
    await page.getByRole('img', { name: /over/ }).waitFor();
    await picture(page, 'chart-light');
    expect(await axeFindings(page)).toEqual([]);
  });

  test('an Auditor sees keys and settings, and no project page', async () => {
    await open(page, '/users', 'Users');
    await page.getByRole('button', { name: 'Add a user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a user' });
    await dialog.getByLabel('User name', { exact: true }).fill('otto');
    await dialog.getByLabel('First password', { exact: true }).fill('Starting-word-9');
    await dialog.getByRole('checkbox', { name: 'Viewer' }).uncheck();
    await dialog.getByRole('checkbox', { name: 'Auditor' }).check();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await page.getByRole('row', { name: /otto/ }).getByText('Auditor').waitFor();
    const auditor = await visit(browser, service.origin);
    await signIn(auditor.page, 'otto', 'Starting-word-9');
    // An administrator set the password, so that it is changed before anything else.
    await auditor.page.waitForURL('**/svc/settings');
    await auditor.page.getByLabel('Current password', { exact: true }).fill('Starting-word-9');
    await auditor.page.getByLabel('New password', { exact: true }).fill('My-own-word-9');
    await auditor.page.getByLabel('Repeat the new password', { exact: true }).fill('My-own-word-9');
    await auditor.page.getByRole('button', { name: 'Change password' }).click();
    await auditor.page.getByText('Your password was changed.').waitFor();
    const navigation = auditor.page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'API keys' }).click();
    await auditor.page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await navigation.getByRole('link', { name: 'Queries' }).count()).toBe(0);
    await auditor.page.goto('/svc/queries');
    await auditor.page.getByText('You may not see this').waitFor();
    expect(auditor.complaints).toEqual([]);
    await auditor.context.close();
  });

  test('nothing complained on the way, and nothing was asked of another origin', () => {
    expect(visitor.complaints).toEqual([]);
  });
});
