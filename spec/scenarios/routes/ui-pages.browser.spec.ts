import type { RoleName } from '@svc/contract';
import { hasChromium, openBrowser, type TestBrowser, visit } from '@svc/testkit/browser/browser.ts';
import { addUser, setupRequest, signIn } from '@svc/testkit/people/people.ts';
import { type DeliveryFixture, startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import type { RunningService } from '@svc/testkit/service/service.ts';
import { buildWeb } from '@svc/testkit/service/web-build.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { oidc, startSigningOn } from '../support/hosts/single-sign-on.ts';
import { addPageRecords, type PageRecords } from '../support/pages/page-records.ts';
import { headingAt, walk } from '../support/pages/walk.ts';
import { scenario } from '../support/scenario.ts';

/** Options of scenarios in a real browser. Without Chromium, they are skipped and a log line reports it. */
const inBrowser = { skip: !hasChromium, timeout: 900_000 };
const startMaxMs = 900_000;
const waitMax = { timeout: 120_000, interval: 100 };
const runCount = 230;

let fixture: DeliveryFixture;
let browser: TestBrowser;
let ids: PageRecords;

beforeAll(async () => {
  if (!hasChromium) return;
  const pages = { folder: buildWeb() };
  fixture = await startDeliveryFixture({ svc: { pages } });
  ids = await addPageRecords(fixture, runCount);
  browser = await openBrowser();
}, startMaxMs);

afterAll(async () => {
  await browser?.close();
  await fixture?.close();
});

let count = 0;

/** Opens a page in a new browser context. With `roles`, a new user with these roles is signed in. */
async function someone(
  roles?: readonly RoleName[],
  svc: RunningService = fixture.svc,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const { context, page } = await visit(browser, svc.origin);
  if (roles) {
    const client = await signIn(svc, await addUser(svc, `visitor-${count++}`, roles));
    await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: svc.origin })));
  }
  return { page, close: () => context.close() };
}

const refused = 'You do not have access';

/** Pages that need project access, with their headings. */
const projectPages = (): readonly (readonly [string, string])[] => [
  ['/data-sources', 'Data sources'],
  [`/data-sources/${fixture.dataSourceId}`, fixture.sourceName],
  [`/data-sources/${fixture.dataSourceId}/relationships`, 'Relationships'],
  ['/projects', 'Projects'],
  ['/projects/new', 'New project'],
  [`/projects/${fixture.projectId}`, 'Shop'],
  ['/queries', 'Queries'],
  ['/queries/new', 'New query'],
  [`/queries/${ids.query}`, 'The only query'],
  [`/queries/${ids.query}/edit`, 'Edit The only query'],
  [`/queries/${ids.query}/versions`, 'Versions'],
  [`/queries/${ids.query}/versions/${ids.version}`, 'Version 1 of The only query'],
  ['/subscriptions', 'Subscriptions'],
  [`/subscriptions/${ids.subscription}`, 'The only query'],
  ['/notifications', 'Notifications'],
  [`/notifications/${ids.run}`, 'The only query'],
  ['/recipients', 'Recipients'],
  ['/control-tower', 'Control tower'],
  ['/data-quality', 'Data quality'],
  ['/tasks', 'Tasks'],
  [`/tasks/${ids.task}`, 'The only query'],
  ['/api-keys', 'API keys'],
];

/** Navigates through the pages as a user with these roles, and expects these headings. */
async function walkAs(
  roles: readonly RoleName[],
  stops: readonly (readonly [string, string])[],
): Promise<void> {
  const { page, close } = await someone(roles);
  await walk(page, stops);
  await close();
}

/** Loads each page as a user with these roles. Returns the paths with their headings. */
async function headingsFor(roles: readonly RoleName[], paths: readonly string[]) {
  const { page, close } = await someone(roles);
  const headings: (readonly [string, string])[] = [];
  for (const path of paths) headings.push([path, await headingAt(page, path)]);
  await close();
  return headings;
}

scenario(
  ['RT-4.1-01', 'RT-4.1-02'],
  'the pages are below /svc, and each redirects a signed-out visitor to the sign-in page',
  async () => {
    const { page, close } = await someone();
    for (const path of ['', '/home', '/settings', `/queries/${ids.query}/edit`, '/users']) {
      await page.goto(`/svc${path}`);
      await page.waitForURL((url) => url.pathname === '/svc/login');
      await page.getByLabel('User name').waitFor();
    }
    await close();
  },
  inBrowser,
);

scenario(
  ['RT-1-03'],
  'every page is the same document, and navigation between pages does not reload it',
  async () => {
    const { page, close } = await someone(['Viewer']);
    const documents = await Promise.all(
      ['/svc/home', `/svc/queries/${ids.query}`, '/svc/nowhere'].map(async (path) => {
        const answer = await page.request.get(path);
        expect([answer.status(), answer.headers()['content-type']]).toEqual([
          200,
          'text/html; charset=utf-8',
        ]);
        // Each response has its own nonce.
        return (await answer.text()).replaceAll(/nonce="[^"]*"/g, 'nonce');
      }),
    );
    expect(new Set(documents).size).toBe(1);
    await headingAt(page, '/about');
    let loads = 0;
    page.on('request', (request) => {
      if (request.resourceType() === 'document') loads += 1;
    });
    const navigation = page.getByRole('navigation', { name: 'Main' });
    for (const label of ['Queries', 'Subscriptions', 'Home']) {
      await navigation.getByRole('link', { name: label, exact: true }).click();
      await page.getByRole('main').getByRole('heading', { level: 1, name: label, exact: true }).waitFor();
    }
    expect(loads).toBe(0);
    await close();
  },
  inBrowser,
);

scenario(
  ['RT-4.1-09'],
  'every signed-in user sees key figures, trends, activity and uptime of the records that they can access',
  async () => {
    for (const roles of [[], ['UserAdmin'], ['Viewer'], ['Admin']] as const) {
      const { page, close } = await someone(roles);
      const main = page.getByRole('main');
      for (const path of ['', '/home']) {
        await page.goto(`/svc${path}`);
        await page.waitForURL((url) => url.pathname === '/svc/home');
        const figures = main.getByRole('list', { name: 'Key figures' });
        await figures.waitFor();
        for (const section of ['Trends', 'Runs on time', 'Activity'])
          await main.getByRole('region', { name: section }).waitFor();
        const canRead = roles.some((role) => role === 'Viewer' || role === 'Admin');
        if (!canRead) {
          await main.getByText('no role that reads projects has been given to you yet').waitFor();
          continue;
        }
        await figures.getByRole('link', { name: `${runCount} Runs` }).waitFor();
        await figures.getByRole('link', { name: `${runCount / 10} Failed runs` }).waitFor();
        await main
          .getByRole('region', { name: 'Trends' })
          .getByRole('img', { name: `Runs by day: ${runCount}, of which` })
          .waitFor();
        await main
          .getByRole('region', { name: 'Runs on time' })
          .getByText(/^\d+(\.\d)?%$/)
          .waitFor();
        await main
          .getByRole('region', { name: 'Activity' })
          .getByText('The only query failed')
          .first()
          .waitFor();
      }
      await close();
    }
  },
  inBrowser,
);

scenario(
  ['RT-4.1-28'],
  'an Auditor can read the MCP settings page, a SecurityAdmin can change it, and other users cannot open it',
  async () => {
    for (const [role, canChange] of [
      ['Auditor', false],
      ['SecurityAdmin', true],
    ] as const) {
      const { page, close } = await someone([role]);
      expect(await headingAt(page, '/mcp-settings')).toBe('MCP settings');
      const rows = page.getByRole('main').getByLabel('Rows of one result');
      await rows.waitFor();
      await vi.waitFor(async () => expect(await rows.isEnabled()).toBe(canChange), waitMax);
      await close();
    }
    expect(await headingsFor(['Viewer'], ['/mcp-settings'])).toEqual([['/mcp-settings', refused]]);
  },
  inBrowser,
);

scenario(
  ['RT-4.1-29'],
  'only users with project access can call an MCP tool in the browser',
  async () => {
    for (const roles of [['Viewer'], ['Editor'], ['Admin']] as const) {
      const { page, close } = await someone(roles);
      expect(await headingAt(page, '/mcp-playground?tool=query')).toBe('MCP playground');
      await page.getByLabel('data_source').fill(fixture.sourceName);
      await page.getByLabel('sql').fill('select 40 + 2 as answer');
      await page.getByRole('button', { name: 'Call tool' }).click();
      await page.getByRole('region', { name: 'Answer' }).getByRole('gridcell', { name: '42' }).waitFor();
      await close();
    }
    expect(await headingsFor(['Auditor'], ['/mcp-playground'])).toEqual([['/mcp-playground', refused]]);
  },
  inBrowser,
);

scenario(
  ['RT-4.1-03'],
  'an unknown path under /svc redirects to the home page',
  async () => {
    const { page, close } = await someone(['Viewer']);
    for (const path of ['/nowhere', '/queries-of-mine', '/queries/1/nothing/here', '/home/more', '']) {
      await page.goto(`/svc${path}`);
      await page.waitForURL((url) => url.pathname === '/svc/home');
      await page.getByRole('main').getByRole('heading', { name: 'Home' }).waitFor();
    }
    await close();
  },
  inBrowser,
);

scenario(
  ['RT-4.1-07'],
  'the pages for sign-in, sign-out and errors are public',
  async () => {
    for (const roles of [undefined, ['Auditor']] as const) {
      const { page, close } = await someone(roles);
      expect(await headingAt(page, '/logout')).toBe('Sign out');
      expect(await headingAt(page, '/error?reason=sso-provider')).toBe('That did not work');
      await page.goto('/svc/login');
      // The sign-in page redirects a signed-in user.
      if (roles) await page.waitForURL((url) => url.pathname === '/svc/home');
      else await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await close();
    }
  },
  inBrowser,
);

scenario(
  ['RT-4.1-07'],
  'the sign-in page offers the identity provider, and its button leads to the requested page',
  async ({ start, onEnd }) => {
    const pages = { folder: buildWeb() };
    const signing = await startSigningOn((settings, options) => start(settings, { ...options, pages }), {
      [oidc('DisplayName')]: 'Example ID',
    });
    onEnd(signing.close);
    const name = signing.person();
    const { page, close } = await someone(undefined, signing.svc);
    await page.goto('/svc/settings');
    await page.waitForURL((url) => url.pathname === '/svc/login');
    await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
    await page.waitForURL((url) => url.pathname === '/svc/settings');
    await page.getByRole('main').getByText(name, { exact: true }).first().waitFor();
    await page.getByRole('main').getByText('At the identity provider').waitFor();
    await close();
  },
  inBrowser,
);

scenario(
  ['RT-4.1-08'],
  'the setup page is public while no administrator exists, and then closed',
  async ({ start }) => {
    const svc = await start({}, { pages: { folder: buildWeb() } });
    const { page, close } = await someone(undefined, svc);
    await page.goto('/svc/');
    await page.waitForURL((url) => url.pathname === '/svc/setup');
    await page.getByLabel('Setup token').waitFor();
    expect((await svc.client().post('/svc/api/setup/superadmin', setupRequest)).status).toBeLessThan(300);
    await page.goto('/svc/setup');
    await page.waitForURL((url) => url.pathname === '/svc/login');
    await close();
  },
  inBrowser,
);

scenario(
  ['RT-4.1-10'],
  'every signed-in user can open the about page and the settings page with the password form, regardless of roles',
  async () => {
    for (const roles of [[], ['Viewer'], ['MigrationOperator']] as const) {
      const { page, close } = await someone(roles);
      expect(await headingAt(page, '/about')).toBe('About');
      expect(await headingAt(page, '/settings')).toBe('Settings');
      await page.getByLabel('Current password', { exact: true }).waitFor();
      await close();
    }
  },
  inBrowser,
);

scenario(
  [
    'RT-4.1-05',
    'RT-4.1-12',
    'RT-4.1-13',
    'RT-4.1-15',
    'RT-4.1-20',
    'RT-4.1-21',
    'RT-4.1-22',
    'RT-4.1-23',
    'RT-4.1-24',
    'RT-4.1-26',
    'RT-4.1-27',
    'DL-4-14',
    'DL-4-16',
  ],
  'pages of projects are open to a Viewer, an Editor and an Admin',
  async () => {
    const expected = projectPages();
    const paths = expected.map(([path]) => path);
    expect(await headingsFor(['Viewer'], paths)).toEqual(expected);
    for (const role of ['Editor', 'Admin'] as const) await walkAs([role], expected);
  },
  inBrowser,
);

scenario(
  ['RT-4.1-06', 'RT-4.1-12', 'RT-4.1-13', 'RT-4.1-27', 'RT-4.1-32'],
  'a user with only functional permissions sees the pages of these permissions, and no project pages',
  async () => {
    const paths = [...projectPages().map(([path]) => path), '/users'];
    const ofAuditor = (path: string) => (path === '/api-keys' ? 'API keys' : refused);
    await walkAs(
      ['Auditor'],
      paths.map((path) => [path, ofAuditor(path)]),
    );
    await walkAs(
      ['UserAdmin'],
      [
        ['/api-keys', 'API keys'],
        ['/users', 'Users'],
        ['/queries', refused],
      ],
    );
    const source = `/data-sources/${fixture.dataSourceId}`;
    await walkAs(
      ['DataSourceAdmin'],
      [
        ['/data-sources', 'Data sources'],
        [source, refused],
        ['/recipients', refused],
      ],
    );
    // A page load is refused in the same way as a navigation.
    expect(await headingsFor(['Auditor'], ['/queries/new'])).toEqual([['/queries/new', refused]]);
  },
  inBrowser,
);

scenario(
  ['RT-4.1-32'],
  'the page of users is available to an Admin and not to an Editor',
  async () => {
    expect(await headingsFor(['Admin'], ['/users'])).toEqual([['/users', 'Users']]);
    expect(await headingsFor(['Editor'], ['/users'])).toEqual([['/users', refused]]);
  },
  inBrowser,
);

scenario(
  ['RT-4.1-04'],
  'the navigation shows no page that the user cannot open, and the API refuses its data',
  async () => {
    const reads: Readonly<Record<string, string>> = {
      'Data sources': '/svc/api/data-sources',
      Projects: '/svc/api/projects',
      Queries: '/svc/api/queries',
      Subscriptions: '/svc/api/subscriptions',
      Notifications: '/svc/api/notifications',
      Users: '/svc/api/users',
      Audit: '/svc/api/mcp/audit',
    };
    for (const roles of [[], ['Viewer'], ['UserAdmin'], ['Auditor'], ['Admin']] as const) {
      const { page, close } = await someone(roles);
      const rights = page.waitForResponse((answer) => answer.url().endsWith('/svc/api/auth/permissions'));
      await headingAt(page, '/about');
      expect((await rights).status()).toBe(200);
      const allowed: string[] = [];
      for (const [label, read] of Object.entries(reads)) {
        const status = (await page.request.get(read)).status();
        expect([200, 403], `${roles}: ${label}`).toContain(status);
        if (status === 200) allowed.push(label);
      }
      const navigation = page.getByRole('navigation', { name: 'Main' });
      await vi.waitFor(async () => {
        const shown = await navigation.getByRole('link').allTextContents();
        expect(Object.keys(reads).filter((label) => shown.includes(label))).toEqual(allowed);
      }, waitMax);
      await close();
    }
  },
  inBrowser,
);

scenario(
  ['RT-4.1-25', 'DL-2.4-02'],
  'only a SecurityAdmin or an Admin can change recipients, and a webhook can have a body template',
  async () => {
    for (const roles of [['Viewer'], ['Editor']] as const) {
      const { page, close } = await someone(roles);
      await headingAt(page, '/recipients');
      await page
        .getByRole('main')
        .getByRole('row', { name: /Recipient/ })
        .first()
        .waitFor();
      expect(await page.getByRole('button', { name: /New recipient|^Actions for/ }).count()).toBe(0);
      await close();
    }
    for (const roles of [['Viewer', 'SecurityAdmin'], ['Admin']] as const) {
      const { page, close } = await someone(roles);
      await headingAt(page, '/recipients');
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .waitFor();
      await page.getByRole('main').getByRole('button', { name: 'New recipient' }).click();
      const dialog = page.getByRole('dialog', { name: 'New recipient' });
      await dialog.getByRole('combobox', { name: 'Channel' }).click();
      await page.getByRole('option', { name: 'Webhook' }).click();
      await dialog.getByLabel(/^Body template/).waitFor();
      await dialog.getByRole('combobox', { name: 'Channel' }).click();
      await page.getByRole('option', { name: 'Email' }).click();
      await dialog.getByLabel('Email address').waitFor();
      expect(await dialog.getByLabel(/^Body template/).count()).toBe(0);
      await close();
    }
  },
  inBrowser,
);

scenario(
  ['DL-4-15', 'DL-8-06'],
  'the history is filtered by status and paged by the service, with 20 runs on a page by default and at most 200',
  async () => {
    const { page, close } = await someone(['Viewer']);
    const main = page.getByRole('main');
    const rows = main.getByRole('table', { name: 'Notifications' }).locator('tbody tr');
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/svc/api/notifications') asked.push(search);
    });
    await headingAt(page, '/notifications');
    await main.getByText(`1–20 of ${runCount}`, { exact: true }).waitFor();
    await expect.poll(() => rows.count()).toBe(20);
    const first = await rows.allTextContents();
    await main.getByRole('button', { name: 'Next page' }).click();
    await main.getByText(`21–40 of ${runCount}`, { exact: true }).waitFor();
    const again = async () => (await rows.allTextContents()).filter((row) => first.includes(row));
    await expect.poll(again).toEqual([]);
    await expect.poll(() => rows.count()).toBe(20);
    expect(asked.some((search) => new URLSearchParams(search).get('page') === '1')).toBe(true);
    await main.getByRole('button', { name: 'Status', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Failed' }).click();
    await main.getByText(`1–20 of ${runCount / 10}`, { exact: true }).waitFor();
    expect(new Set(await rows.locator('td:first-child').allTextContents())).toEqual(new Set(['Failed']));
    await headingAt(page, '/notifications?pageSize=5000');
    await main.getByText(`1–200 of ${runCount}`, { exact: true }).waitFor();
    await expect.poll(() => rows.count()).toBe(200);
    await close();
  },
  inBrowser,
);
