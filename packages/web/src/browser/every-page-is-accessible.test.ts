import { axeFindings, hasChromium, picture, visit } from '@svc/testkit/browser/browser.ts';
import { post, signIn } from '@svc/testkit/browser/people.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const tourMaxMs = 1_800_000;

type Stop = {
  readonly path: string;
  readonly heading: string;
  /** Tab in the address, for a page with the same heading as the previous stop. */
  readonly tab?: string;
};

/** Every page of the UI, with ids of demo records. */
const tour: readonly Stop[] = [
  { path: '/home', heading: 'Home' },
  { path: '/about', heading: 'About' },
  { path: '/settings', heading: 'Settings' },
  { path: '/data-sources', heading: 'Data sources' },
  { path: '/data-sources?new=yes', heading: 'Connect a data source' },
  { path: '/data-sources/1', heading: 'Shop database' },
  { path: '/data-sources/1/relationships', heading: 'Relationships' },
  { path: '/projects', heading: 'Projects' },
  { path: '/projects/new', heading: 'New project' },
  { path: '/projects/1', heading: 'Demo shop' },
  { path: '/projects/1?tab=documents', heading: 'Demo shop', tab: 'Documents' },
  { path: '/projects/1?tab=documentation', heading: 'Demo shop', tab: 'Documentation' },
  { path: '/projects/1?tab=code', heading: 'Demo shop', tab: 'Code' },
  { path: '/projects/1?tab=mcp-context', heading: 'Demo shop', tab: 'MCP context' },
  { path: '/projects/1?tab=members', heading: 'Demo shop', tab: 'Members' },
  { path: '/queries', heading: 'Queries' },
  { path: '/queries/new', heading: 'New query' },
  { path: '/queries/1', heading: 'Delayed orders' },
  { path: '/queries/1?tab=text', heading: 'Delayed orders', tab: 'Text' },
  { path: '/queries/1?tab=history', heading: 'Delayed orders', tab: 'History' },
  { path: '/queries/1?tab=ai-clients', heading: 'Delayed orders', tab: 'AI clients' },
  { path: '/queries/1/edit', heading: 'Edit Delayed orders' },
  { path: '/subscriptions', heading: 'Subscriptions' },
  { path: '/subscriptions?new=yes', heading: 'New subscription' },
  { path: '/subscriptions/1', heading: 'Delayed orders' },
  { path: '/subscriptions/1?tab=counts', heading: 'Delayed orders', tab: 'Row counts' },
  { path: '/subscriptions/1?tab=schedule', heading: 'Delayed orders', tab: 'Schedule' },
  { path: '/notifications', heading: 'Notifications' },
  { path: '/notifications/1', heading: 'Delayed orders' },
  { path: '/notifications/1?tab=rows', heading: 'Delayed orders', tab: 'Rows' },
  { path: '/control-tower', heading: 'Control tower' },
  { path: '/data-quality', heading: 'Data quality' },
  { path: '/data-quality/1', heading: 'Orders are as promised' },
  { path: '/data-quality/1?tab=evaluations', heading: 'Orders are as promised', tab: 'Evaluations' },
  { path: '/data-quality/1/edit', heading: 'Edit Orders are as promised' },
  { path: '/tasks', heading: 'Tasks' },
  { path: '/recipients', heading: 'Recipients' },
  { path: '/approvals', heading: 'Approvals' },
  { path: '/admin-settings', heading: 'Admin settings' },
  { path: '/api-keys', heading: 'API keys' },
  { path: '/users', heading: 'Users' },
  { path: '/first-alert', heading: 'Get your first alert' },
  { path: '/ask', heading: 'Ask' },
  { path: '/evaluation', heading: 'Evaluation' },
  { path: '/evaluation?tab=candidates', heading: 'Evaluation', tab: 'Candidates' },
  { path: '/mcp-playground', heading: 'MCP playground' },
  { path: '/mcp-learning', heading: 'MCP learning' },
  { path: '/mcp-learning?tab=patches', heading: 'MCP learning', tab: 'Documentation patches' },
  { path: '/mcp-settings', heading: 'MCP settings' },
  { path: '/mcp-settings?tab=published', heading: 'MCP settings', tab: 'Published queries' },
  { path: '/mcp-settings?tab=history', heading: 'MCP settings', tab: 'History' },
  { path: '/mcp-settings?project=1', heading: 'MCP settings', tab: 'Settings' },
  { path: '/audit', heading: 'Audit' },
  { path: '/subscriptions?new=yes&queryId=1', heading: 'New subscription' },
  { path: '/projects/999', heading: 'Not found' },
];

const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];
/** Wide window, navigation with icons, phone, and a wide window at a zoom of 400 %. */
const widths = [1440, 1024, 390, 320] as const;

/** Emulates the system theme without motion and waits until the page has applied it. */
async function turnTo(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();
}

/** Returns the names of visible table columns that are too narrow for readable content. */
const narrowColumns = `[...document.querySelectorAll('main table th')]
  .filter((cell) => cell.innerText.trim() !== '' && cell.checkVisibility() && cell.clientWidth < 48)
  .map((cell) => cell.innerText)`;

/**
 * Returns the axe findings of a page in both themes, and overflows of its window. Starts in the present theme, because
 * a change of theme or width costs more than a picture.
 */
async function findingsOn(page: Page, path: string, [first, second]: readonly Theme[]): Promise<string[]> {
  const findings: string[] = [];
  const look = async (width: number, theme: Theme | undefined, withAxe: boolean) => {
    await page.setViewportSize({ width, height: width > 1024 ? 900 : 844 });
    // The picture waits until the page is rendered, because axe reads its colours.
    await picture(page, `${fileName(path)}-${width}-${theme}`);
    const wider = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
    if (wider > 0) findings.push(`${path}: ${wider} px wider than a window of ${width} px`);
    const narrow = (await page.evaluate(narrowColumns)) as readonly string[];
    findings.push(
      ...narrow.map((column) => `${path}: at ${width} px nothing is seen of the column ${column}`),
    );
    const cut = await cutButtons(page);
    findings.push(...cut.map((button) => `${path}: at ${width} px ${button}`));
    if (!withAxe) return;
    findings.push(...(await axeFindings(page)).map((each) => `${path} (${width} px, ${theme}): ${each}`));
  };
  // At 1024 px the navigation shows only icons, so axe also checks its accessible names there.
  for (const width of widths) await look(width, first, width >= 1024);
  if (second) await turnTo(page, second);
  for (const width of [...widths].reverse()) await look(width, second, width === 1440);
  return findings;
}

const fileName = (path: string): string => path.replaceAll(/\W+/g, '-').replace(/^-/, '');

describe.skipIf(!hasChromium)('pages', () => {
  const fixture = useBrowserFixture();
  const open = (path: string, heading: string | RegExp) => fixture.open(path, heading);

  test(
    'no page has axe violations, overflows its window or cuts off a button, in both themes, down to 320 px',
    async () => {
      const { page, main } = fixture;
      // The pages of runs need a run. The demo's subscription runs within seconds.
      await main.getByRole('table', { name: 'Last runs' }).waitFor();
      const findings: string[] = [];
      for (const [index, { path, heading, tab }] of tour.entries()) {
        await fixture.walk(path, heading);
        if (tab !== undefined) await main.getByRole('tab', { name: tab, selected: true }).waitFor();
        findings.push(...(await findingsOn(page, path, index % 2 === 0 ? themes : themes.toReversed())));
      }
      await turnTo(page, 'light');
      expect(findings).toEqual([]);
    },
    tourMaxMs,
  );

  test(
    'an API key is shown once, works in the list, and can be revoked',
    async () => {
      const { page } = fixture;
      await open('/api-keys', 'API keys');
      await page.getByRole('button', { name: 'New API key' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('Choose at least one project.').waitFor();
      await dialog.getByLabel('Name', { exact: true }).fill('Nightly script');
      await dialog.getByRole('combobox', { name: 'Projects' }).click();
      await page.getByRole('option').first().click();
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText(/^sk-sem_/).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.getByText(/^sk-sem_/).waitFor();
      await page.getByRole('checkbox', { name: 'I have stored the key' }).check();
      await page.getByRole('button', { name: 'Done' }).click();
      // Newest first: after the replacement the new key is above the old one.
      const row = page.getByRole('row', { name: /Nightly script/ }).first();
      await row.getByText('Active', { exact: true }).waitFor();
      const act = async (name: string) => {
        await row.getByRole('button', { name: 'Actions for Nightly script' }).click();
        await page.getByRole('menuitem', { name }).click();
      };
      await act('Scopes and usage');
      await page.getByText('It was made to read only; its owner has the role Admin.').waitFor();
      await page.getByText('GET /svc/api/projects', { exact: true }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('tab', { name: 'Usage' }).click();
      await page.getByText('It was not used in the last 30 days.').waitFor();
      await page.keyboard.press('Escape');
      await act('Replace');
      await page.getByRole('button', { name: 'Create the new key' }).click();
      await page
        .getByRole('dialog')
        .getByText(/^sk-sem_/)
        .waitFor();
      await page.getByRole('checkbox', { name: 'I have stored the key' }).check();
      await page.getByRole('button', { name: 'Done' }).click();
      await page
        .getByRole('row', { name: /Nightly script/ })
        .nth(1)
        .waitFor();
      await act('Revoke');
      await page.getByRole('button', { name: 'Revoke key' }).click();
      await row.getByText('Inactive').waitFor();
    },
    flowMaxMs,
  );

  test(
    'filters and sorting are stored in the address and survive a reload',
    async () => {
      const { page } = fixture;
      await open('/notifications', 'Notifications');
      await page.getByRole('button', { name: 'Rows', exact: true }).click();
      await page.getByRole('button', { name: 'Status', exact: true }).last().click();
      await page.keyboard.press('Escape');
      await page.goto('/svc/notifications?status=Failed&sort=-resultCount');
      await page.reload();
      await page.getByText('Nothing matches').waitFor();
      await page.getByRole('button', { name: 'Remove the filter Status' }).click();
      await page.waitForURL((url) => !url.search.includes('status') && url.search.includes('sort'));
      await page.getByRole('columnheader', { name: 'Rows', exact: true }).waitFor();
      await expect
        .poll(() => page.getByRole('columnheader', { name: 'Rows', exact: true }).getAttribute('aria-sort'))
        .toBe('descending');
    },
    flowMaxMs,
  );

  test(
    'a list shows its old rows, dimmed and busy, with their own counts, until the next page has loaded',
    async () => {
      const { page, main, visitor } = fixture;
      for (let number = 1; number <= 21; number++)
        await post(visitor.context, '/svc/api/projects', {
          name: `Paged ${String(number).padStart(2, '0')}`,
        });
      await open('/projects?search=Paged&sort=name', 'Projects');
      const table = main.getByRole('table', { name: 'Projects' });
      const figures = main.getByText(/^\d+–\d+ of 21$/);
      const before = await figures.textContent();
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      await page.route(/\/svc\/api\/projects\?.*page=1/, async (route) => {
        await answered;
        await route.continue();
      });
      await main.getByRole('button', { name: 'Next page' }).click();
      await page.waitForURL((url) => url.searchParams.get('page') === '1');
      await main.locator('table[aria-busy="true"][data-stale]').waitFor();
      await table.getByRole('link', { name: 'Paged 01' }).waitFor();
      await page.waitForFunction(
        `getComputedStyle(document.querySelector('table[data-stale] tbody')).opacity < 1`,
      );
      expect(await figures.textContent()).toBe(before);
      answer();
      await table.getByRole('link', { name: 'Paged 21' }).waitFor();
      await expect.poll(() => table.getAttribute('aria-busy')).toBe('false');
      expect(await figures.textContent()).not.toBe(before);
      await page.unroute(/\/svc\/api\/projects\?.*page=1/);
    },
    tourMaxMs,
  );

  test(
    'a chart is at most two clicks away from a result, and statistics are one click away',
    async () => {
      const { page } = fixture;
      await open('/queries/1', /.+/);
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
    },
    flowMaxMs,
  );

  test(
    'an Auditor sees the page of keys and no project page',
    async () => {
      const { page } = fixture;
      await open('/users', 'Users');
      await page.getByRole('button', { name: 'New user' }).click();
      const dialog = page.getByRole('dialog', { name: 'New user' });
      await dialog.getByLabel('User name', { exact: true }).fill('otto');
      await dialog.getByLabel('First password', { exact: true }).fill('Starting-word-9');
      await dialog.getByRole('checkbox', { name: 'Viewer' }).uncheck();
      await dialog.getByRole('checkbox', { name: 'Auditor' }).check();
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Add user' }).click();
      await page.getByRole('row', { name: /otto/ }).getByText('Auditor').waitFor();
      const auditor = await visit(fixture.browser, fixture.service.origin);
      await signIn(auditor.page, 'otto', 'Starting-word-9');
      // An administrator has set the password, so the user must change it first.
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
      await auditor.page.getByText('You do not have access').waitFor();
      expect(auditor.complaints).toEqual([]);
      await auditor.context.close();
    },
    flowMaxMs,
  );

  test('no page logged an error or sent a request to another origin during these tests', () => {
    expect(fixture.visitor.complaints).toEqual([]);
  });
});
