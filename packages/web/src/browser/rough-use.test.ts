import { axeFindings, hasChromium, picture, visit } from '@svc/testkit/browser/browser.ts';
import { administrator, fillSignIn, post, signIn } from '@svc/testkit/browser/people.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

/** Names that a page must show unchanged: a tag, right-to-left text, emoji, and a long word without spaces. */
const hostileNames = [
  '<img src=x onerror="document.title=1">',
  '\u202eeman sti \u05d0\u05d1\u05d2 مشروع',
  '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(6),
  'W'.repeat(100),
];

describe.skipIf(!hasChromium)('difficult user input', () => {
  const fixture = useBrowserFixture();

  test(
    'a double click causes one submission',
    async () => {
      const { page, main, visitor } = fixture;
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
      });
      // The form's checker loads with the first submission, so the second click comes before it.
      const { promise: clicked, resolve: letGo } = Promise.withResolvers<void>();
      await page.route(/field-errors/, async (route) => {
        await clicked;
        await route.continue();
      });
      await fixture.open('/projects/new', 'New project');
      await main.getByLabel('Name', { exact: true }).fill('Only once');
      await main.getByRole('button', { name: 'Create project' }).dblclick();
      letGo();
      await main.getByRole('heading', { name: 'Only once', level: 1 }).waitFor();
      expect(sent.filter((path) => path === '/svc/api/projects')).toHaveLength(1);
      await page.unroute(/field-errors/);

      await fixture.open('/subscriptions/1', 'Delayed orders');
      await main.getByRole('button', { name: 'Test now' }).dblclick();
      await page.waitForURL('**/svc/notifications/*');
      expect(sent.filter((path) => path.endsWith('/test-run'))).toHaveLength(1);

      await fixture.open('/queries/1', 'Delayed orders');
      await main.getByRole('button', { name: 'Run query' }).dblclick();
      await main.getByRole('grid', { name: 'Result' }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'names are shown exactly as written, run no code and widen no page',
    async () => {
      const { page, main, visitor } = fixture;
      const findings: string[] = [];
      for (const name of hostileNames) await post(visitor.context, '/svc/api/projects', { name });
      for (const width of [1440, 320]) {
        await page.setViewportSize({ width, height: 844 });
        await fixture.open('/projects', 'Projects');
        for (const name of hostileNames) await main.getByRole('link', { name, exact: true }).waitFor();
        await picture(page, `hostile-names-${width}`);
        for (const name of hostileNames) {
          await main.getByRole('link', { name, exact: true }).click();
          await main.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
          const wider = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
          if (wider > 0) findings.push(`${name}: ${wider} px wider than a window of ${width} px`);
          await picture(page, `hostile-name-${hostileNames.indexOf(name)}-${width}`);
          await page.goBack();
          await main.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(findings).toEqual([]);
      expect(await page.title()).not.toBe('1');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'in each list a hostile name stays in its row, runs no code and has a full tooltip if it is cut off',
    async () => {
      const { page, main, visitor, service } = fixture;
      const { context } = visitor;
      const long = 'L"\'<b>'.repeat(33);
      for (const [index, name] of [...hostileNames, long].entries()) {
        const connection = { file: service.ordersFile };
        await post(context, '/svc/api/data-sources', { name, engine: 'SQLite', connection });
        const steps = [{ dataSourceId: 1, sql: 'select 1 as one' }];
        const query = (await post(context, '/svc/api/queries', { projectId: 1, name, steps })) as {
          id: number;
        };
        const recipient = (await post(context, '/svc/api/recipients', {
          notificationType: 'Webhook',
          name,
          destination: `https://example.org/${index}`,
        })) as { id: number };
        await post(context, '/svc/api/subscriptions', {
          queryId: query.id,
          cronExpression: '0 0 1 1 *',
          timeZone: 'UTC',
          recipientIds: [recipient.id],
        });
        await post(context, '/svc/api/users/internal', {
          userName: `hostile.${index}`,
          displayName: name,
          password: 'Starting-word-9',
        });
        await post(context, '/svc/api/api-keys', {
          name,
          scopes: ['Read'],
          allowedProjectIds: [1],
          expiresAt: null,
        });
      }
      const findings: string[] = [];
      for (const width of [1440, 320]) {
        await page.setViewportSize({ width, height: 844 });
        for (const [path, title] of [
          ['/data-sources', 'Data sources'],
          ['/queries', 'Queries'],
          ['/recipients', 'Recipients'],
          ['/subscriptions', 'Subscriptions'],
          ['/users', 'Users'],
          ['/api-keys', 'API keys'],
        ] as const) {
          await fixture.open(path, title);
          const row = main.getByRole('row').filter({ hasText: long });
          await row.waitFor();
          const cell = row.getByRole('cell').filter({ hasText: long }).first();
          // A phone shows the whole text over several lines.
          if (width === 1440) {
            await cell.hover();
            await expect.poll(() => cell.getAttribute('title')).toContain(long);
          }
          const wider = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
          if (wider > 0) findings.push(`${path}: ${wider} px wider than a window of ${width} px`);
          expect(await main.locator('tbody b, tbody img').count()).toBe(0);
          await picture(page, `hostile-list${path.replace('/', '-')}-${width}`);
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(findings).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a name that is too long is refused at its field, and the entered text remains',
    async () => {
      const { page, main } = fixture;
      const name = 'x'.repeat(10_000);
      await fixture.open('/projects/new', 'New project');
      const field = main.getByLabel('Name', { exact: true });
      await field.fill(name);
      await main.getByRole('button', { name: 'Create project' }).click();
      await page.locator('[aria-invalid="true"]').waitFor();
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
      await expect.poll(() => field.inputValue()).toBe(name);
      await field.fill('   ');
      // Typing removes the mark, and the next refusal restores it.
      await page.locator('[aria-invalid="true"]').waitFor({ state: 'detached' });
      await main.getByRole('button', { name: 'Create project' }).click();
      await page.locator('[aria-invalid="true"]').waitFor();
    },
    flowMaxMs,
  );

  test(
    'a user whose session has ended loses no input: the form links to the sign-in page and can be sent afterwards',
    async () => {
      const other = await visit(fixture.browser, fixture.service.origin);
      await signIn(other.page, administrator.userName, administrator.password);
      await other.page.goto('/svc/projects/new');
      const main = other.page.getByRole('main');
      await main.getByLabel('Name', { exact: true }).fill('Begun before');
      await other.context.clearCookies();
      await main.getByRole('button', { name: 'Create project' }).click();
      const refusal = main.getByRole('alert');
      await refusal.getByText('You are signed out.').waitFor();
      expect(await axeFindings(other.page)).toEqual([]);
      await picture(other.page, 'session-ended-form');
      const opening = other.context.waitForEvent('page');
      await refusal.getByRole('link', { name: 'Sign in in a new tab' }).click();
      const tab = await opening;
      await fillSignIn(tab, administrator.userName, administrator.password);
      await tab.waitForURL('**/svc/projects/new');
      await tab.close();
      await main.getByRole('button', { name: 'Create project' }).click();
      await main.getByRole('heading', { name: 'Begun before', level: 1 }).waitFor();

      await other.context.clearCookies();
      await other.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit' }).click();
      await main.getByRole('alert').getByText('You are signed out').waitFor();
      await picture(other.page, 'session-ended-page');
      await main.getByRole('link', { name: 'Sign in' }).click();
      await other.page.waitForURL((url) => url.searchParams.get('returnTo') === '/audit');
      await fillSignIn(other.page, administrator.userName, administrator.password);
      await other.page.waitForURL('**/svc/audit');
      expect(other.complaints).toEqual([]);
      await other.context.close();
    },
    flowMaxMs,
  );
});
