import { readFile } from 'node:fs/promises';
import { axeFindings, hasChromium, settled, visit } from '@svc/testkit/browser/browser.ts';
import { addPerson, post, signIn } from '@svc/testkit/browser/people.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const mia = { userName: 'mia', password: 'Correct-horse-9', roles: ['Viewer'] };

/** A page of each kind, and the pages with the most content. */
const mainPages = [
  '/home',
  '/data-sources',
  '/projects/1',
  '/queries',
  '/queries/1',
  '/queries/1/edit',
  '/subscriptions/1',
  '/notifications',
  '/recipients',
  '/api-keys',
  '/users',
  '/audit',
  '/mcp-settings',
  '/mcp-playground',
  '/mcp-learning',
  '/settings',
] as const;

describe.skipIf(!hasChromium)('home page and frame of the pages', () => {
  const fixture = useBrowserFixture();

  const { open } = fixture;

  test(
    'Home shows key figures, trends, uptime and activity, for periods that are stored in the address',
    async () => {
      const { main, page, visitor } = fixture;
      await open('/home', 'Home');
      const activity = main.getByRole('region', { name: 'Activity' });
      await activity.getByRole('link', { name: 'Subscription to Delayed orders was created' }).waitFor();
      const figures = main.getByRole('list', { name: 'Key figures' });
      await figures.getByRole('link', { name: '3 Data sources' }).waitFor();
      const trends = main.getByRole('region', { name: 'Trends' });
      await trends.getByRole('img', { name: /^Runs by day/ }).waitFor();
      await trends.getByRole('button', { name: '7 days' }).click();
      await page.waitForURL((url) => url.searchParams.get('days') === '7');
      await trends.getByRole('button', { name: 'Table' }).click();
      const table = trends.getByRole('table', { name: 'Trends by day' });
      await table.waitFor();
      // The previous rows remain until the response for the new choice arrives.
      await expect.poll(() => table.locator('tbody tr').count()).toBe(7);
      const uptime = main.getByRole('region', { name: 'Runs on time' });
      await uptime.getByRole('img', { name: /^Hour by hour/ }).waitFor();
      await uptime.getByRole('button', { name: '7 days' }).click();
      await page.waitForURL((url) => url.searchParams.get('hours') === '168');
      expect(await axeFindings(page)).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'at 320 px Home shows full query names, runs show their time, and a list shows its search and columns on one line',
    async () => {
      const { main, page } = fixture;
      await page.setViewportSize({ width: 320, height: 800 });
      await open('/home', 'Home');
      const cell = main
        .getByRole('table', { name: 'Last runs' })
        .getByRole('cell', { name: /^Delayed orders/ })
        .first();
      await cell.waitFor({ timeout: 120_000 });
      const [client, scroll] = await Promise.all([
        cell.evaluate((element) => Object(element).clientWidth as number),
        cell.evaluate((element) => Object(element).scrollWidth as number),
      ]);
      expect(scroll).toBeLessThanOrEqual(client);
      await open('/subscriptions/1', 'Delayed orders');
      await main.getByRole('table', { name: 'Runs' }).getByText('When', { exact: true }).waitFor();
      // The search and the choice of columns share a line. The filters have the next one.
      await open('/queries', 'Queries');
      const middle = async (role: 'searchbox' | 'button', name: string | RegExp) => {
        const box = await main.getByRole(role, { name }).first().boundingBox();
        return box ? box.y + box.height / 2 : Number.NaN;
      };
      const [search, columns, filter] = await Promise.all([
        middle('searchbox', 'Search queries'),
        middle('button', 'Choose columns'),
        middle('button', /^Project/),
      ]);
      expect(Math.abs(search - columns)).toBeLessThan(2);
      expect(filter).toBeGreaterThan(search + 20);
      await page.setViewportSize({ width: 1440, height: 900 });
    },
    flowMaxMs,
  );

  test(
    'each entry of the navigation has a different icon, and an Admin can open the job dashboard',
    async () => {
      const { page } = fixture;
      await open('/about', 'About');
      const navigation = page.getByRole('navigation', { name: 'Main' });
      await navigation.getByRole('link', { name: 'Background jobs' }).waitFor();
      const shapes = (await page.evaluate(
        `[...document.querySelectorAll('nav[aria-label="Main"] a')].map((link) => link.querySelector('path').getAttribute('d'))`,
      )) as string[];
      expect(shapes.length).toBeGreaterThan(10);
      expect(new Set(shapes).size).toBe(shapes.length);
      // The dashboard is another application, so the browser loads its document.
      const document = page.waitForRequest(
        (request) => request.resourceType() === 'document' && new URL(request.url()).pathname === '/warp',
      );
      await navigation.getByRole('link', { name: 'Background jobs' }).click();
      await document;
    },
    flowMaxMs,
  );

  test(
    'Ctrl K opens the palette, which finds a query by a part of its name',
    async () => {
      const { main, page } = fixture;
      await open('/about', 'About');
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: /Search pages/ });
      await field.fill('layed ord');
      await page.getByRole('option', { name: /^Delayed orders Demo shop/ }).click();
      await main.getByRole('heading', { name: 'Delayed orders', level: 1 }).waitFor();
      await page.waitForURL((url) => url.pathname === '/svc/queries/1');
    },
    flowMaxMs,
  );

  test(
    'a refused page explains the problem and shows the trace id',
    async () => {
      const { main, page } = fixture;
      const answer = page.waitForResponse((response) => response.url().endsWith('/svc/api/projects/999'));
      await open('/projects/999', 'Not found');
      const response = await answer;
      const again = await page.request.get('/svc/api/projects/999');
      const { detail } = (await again.json()) as { detail: string };
      const traceId = response.headers()['trace-id'] ?? '';
      expect(traceId).toMatch(/^\w{16,}/);
      const alert = main.getByRole('alert');
      await alert.getByText(detail).waitFor();
      await alert.getByText(traceId).waitFor();
      await alert.getByRole('button', { name: 'Copy trace id' }).waitFor();
      await alert.getByRole('link', { name: 'Home' }).waitFor();
    },
    flowMaxMs,
  );

  test(
    'the audit can be downloaded as CSV with the filters of the page',
    async () => {
      const { main, page, visitor } = fixture;
      await open('/audit?event=setup', 'Audit');
      await main.getByRole('table', { name: 'Audit' }).getByRole('button').nth(2).waitFor();
      const coming = page.waitForEvent('download');
      await main.getByRole('button', { name: 'Download CSV' }).click();
      const file = await coming;
      expect(file.suggestedFilename()).toMatch(/^audit \d{4}-\d\d-\d\d\.csv$/);
      const [, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.filter((line) => !line.includes('setup.'))).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a user of the identity provider has no password actions, and the session of another user can be ended',
    async () => {
      const { main, page, visitor } = fixture;
      await open('/users', 'Users');
      await post(visitor.context, '/svc/api/users/external', {
        issuer: 'https://idp.example.com',
        subject: 'subject-1',
        userName: 'sso.person',
        roles: ['Viewer'],
      });
      await page.reload();
      const row = main.getByRole('row', { name: /sso\.person/ });
      await row.getByText('External', { exact: true }).waitFor();
      await row.getByRole('button', { name: 'Actions for sso.person' }).click();
      await page.getByRole('menuitem', { name: 'Sessions', exact: true }).waitFor();
      const acts = await page.getByRole('menuitem').allTextContents();
      expect(acts.filter((act) => /password/i.test(act))).toEqual([]);
      await page.keyboard.press('Escape');

      const other = await visit(fixture.browser, fixture.service.origin);
      await addPerson(visitor.context, other.context, mia);
      await signIn(other.page, mia.userName, mia.password);
      await page.reload();
      await main.getByRole('button', { name: 'Actions for mia' }).click();
      await page.getByRole('menuitem', { name: 'Sessions' }).click();
      const sessions = page.getByRole('dialog', { name: 'Sessions of mia' });
      await sessions.getByText(/Chrome/).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await sessions.getByRole('button', { name: 'End', exact: true }).click();
      await sessions.getByText('mia is signed in nowhere.').waitFor();
      await other.page.goto('/svc/home');
      await other.page.waitForURL((url) => url.pathname === '/svc/login');
      await other.context.close();
    },
    flowMaxMs,
  );

  test(
    'a change of theme has no transition when reduced motion is set',
    async () => {
      const { page, visitor } = fixture;
      await open('/home', 'Home');
      await page.evaluate(
        `globalThis.begun = 0; document.addEventListener('transitionrun', () => { globalThis.begun += 1; }, true)`,
      );
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
        await settled(visitor);
      }
      expect(await page.evaluate('globalThis.begun')).toBe(0);
    },
    flowMaxMs,
  );

  test(
    'a closed dialog returns the focus to the button that opened it, or to the title if that button is gone',
    async () => {
      const { main, page, visitor } = fixture;
      const focused = (name: string | RegExp, role: 'button' | 'link' | 'heading' = 'button') =>
        expect
          .poll(() =>
            main
              .getByRole(role, { name, exact: true })
              .evaluateAll((nodes) => nodes.some((node) => node === node.ownerDocument.activeElement)),
          )
          .toBe(true);
      const closed = async (name: string) => {
        await page.getByRole('dialog', { name }).waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog', { name }).waitFor({ state: 'detached' });
      };
      await open('/recipients', 'Recipients');
      const name = 'New recipient';
      await main.getByRole('button', { name }).focus();
      await page.keyboard.press('?');
      await closed('Help');
      await focused(name);
      await page.keyboard.press('ControlOrMeta+k');
      await closed('Search or go to');
      await focused(name);
      await page.keyboard.press('Enter');
      await closed('New recipient');
      await focused(name);
      // After a dialog from a menu, the focus returns to the menu's button.
      await fixture.act('Actions for Demo inbox', 'Used by');
      await closed('Used by: Demo inbox');
      await focused('Actions for Demo inbox');
      // Archiving removes the row and its button.
      await post(visitor.context, '/svc/api/recipients', {
        name: 'Soon gone',
        notificationType: 'Webhook',
        destination: 'https://example.org/soon',
      });
      await open('/recipients', 'Recipients');
      await fixture.act('Actions for Soon gone', 'Archive');
      await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
      await main.getByText('Soon gone').waitFor({ state: 'detached' });
      await focused('Recipients', 'heading');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'the palette offers the buttons of the current page under their own labels',
    async () => {
      const { main, page, visitor } = fixture;
      const takes = async (text: string, act: string) => {
        await page.keyboard.press('ControlOrMeta+k');
        const palette = page.getByRole('dialog', { name: 'Search or go to' });
        await palette.getByRole('combobox').fill(text);
        await palette.getByRole('option', { name: act, exact: true, selected: true }).waitFor();
        await page.keyboard.press('Enter');
      };
      await open('/queries', 'Queries');
      await takes('new q', 'New query');
      await main.getByRole('heading', { name: 'New query', level: 1 }).waitFor();
      await open('/queries/1', 'Delayed orders');
      await takes('lock', 'Lock');
      await main.getByRole('button', { name: 'Unlock' }).waitFor();
      await takes('unlock', 'Unlock');
      await main.getByRole('button', { name: 'Lock', exact: true }).waitFor();
      await open('/users', 'Users');
      await takes('new us', 'New user');
      await page.getByRole('dialog', { name: 'New user' }).getByLabel('User name').waitFor();
      // While a dialog is open, the palette offers the dialog's actions.
      await takes('canc', 'Cancel');
      await page.getByRole('dialog', { name: 'New user' }).waitFor({ state: 'detached' });
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'at a zoom of 200 % no main page scrolls sideways, and with reduced motion no animation runs',
    async () => {
      const { service, visitor } = fixture;
      const context = await fixture.browser.newContext({
        baseURL: service.origin,
        viewport: { width: 720, height: 450 },
        deviceScaleFactor: 2,
        reducedMotion: 'reduce',
        storageState: await visitor.context.storageState(),
      });
      const zoomed = await context.newPage();
      const findings: string[] = [];
      const note = async (path: string) => {
        const wider = (await zoomed.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
        if (wider > 0) findings.push(`${path}: ${wider} px wider than its window`);
        const moving = (await zoomed.evaluate(
          `document.getAnimations().filter((each) => each.playState === 'running' && each.effect.getComputedTiming().activeDuration > 1).length`,
        )) as number;
        if (moving > 0) findings.push(`${path}: ${moving} animations run`);
      };
      for (const path of mainPages) {
        await zoomed.goto(`/svc${path}`);
        await zoomed.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
        await note(path);
        await zoomed.keyboard.press('Control+k');
        await zoomed.getByRole('combobox', { name: /Search pages/ }).waitFor();
        await note(`${path} with the palette`);
      }
      expect(findings).toEqual([]);
      await context.close();
    },
    flowMaxMs,
  );
});
