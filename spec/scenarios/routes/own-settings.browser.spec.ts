import { axeFindings, picture } from '@svc/testkit/browser/browser.ts';
import { addUser } from '@svc/testkit/people/people.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.3-346', 'RT-4.3-347', 'RT-4.1-903'],
  'users can change their own name, address and notice mails, and the list of users can be filtered by role and state',
  async ({ deliver }) => {
    const { svc, root } = await deliver({}, withPages());
    await addUser(svc, 'vera', ['Viewer']);
    await addUser(svc, 'audrey', ['Auditor']);
    await lookAt(svc.origin, root, async (page) => {
      await page.goto('/svc/settings');
      await page.getByLabel('Display name (optional)').fill('Root of all');
      await page.getByLabel('Email (optional)').fill('nowhere');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(() => page.getByLabel('Email (optional)').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('Email (optional)').fill('root@example.org');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('They go to root@example.org.').waitFor();
      await page.getByRole('checkbox', { name: 'Task commented' }).uncheck();
      await expect
        .poll(async () => (await root.get('/svc/api/user-settings')).body)
        .toMatchObject({ displayName: 'Root of all', unmailedNoticeKinds: ['TaskCommented'] });
      for (const [width, theme] of [
        [1440, 'light'],
        [390, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 1_200 });
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        await picture(page, `own-settings-${width}-${theme}`);
        expect(await axeFindings(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });

      await page.goto('/svc/users?role=Auditor');
      await page.getByRole('row', { name: /audrey/ }).waitFor();
      await page.getByRole('row', { name: /vera/ }).waitFor({ state: 'detached' });
      await page.goto('/svc/users?state=disabled');
      await page.getByText('Nothing matches').waitFor();
      await page.goto('/svc/about');
      await page.getByText(/^\d+\.\d+\.\d+$/).waitFor();
      await page.getByText('None granted: all rights reserved').waitFor();
      await page.getByRole('link', { name: 'What errors mean, and what to do' }).waitFor();
      await page.getByRole('heading', { name: /^0\.1\.0/, level: 3 }).waitFor();
      expect(await page.getByRole('main').getByRole('listitem').count()).toBeGreaterThan(10);
      await picture(page, 'about');
      expect(await axeFindings(page)).toEqual([]);
    });
  },
  inBrowser,
);

scenario(
  ['RT-4.3-902'],
  'the selected time zone and theme of a user apply on other pages and in another browser',
  async ({ deliver }) => {
    const { svc, root } = await deliver({}, withPages());
    const theme = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme');
    await lookAt(svc.origin, root, async (page) => {
      await page.goto('/svc/settings');
      const zone = page.getByRole('combobox', { name: 'Time zone' });
      await zone.click();
      await zone.fill('Kiritimati');
      await page.getByRole('option', { name: 'Pacific/Kiritimati' }).click();
      await page.getByText('Times are shown in Pacific/Kiritimati.').waitFor();
      await page.getByRole('combobox', { name: 'Theme' }).click();
      await page.getByRole('option', { name: 'Dark' }).click();
      await expect.poll(() => theme(page)).toBe('dark');
      expect(await axeFindings(page)).toEqual([]);
    });
    await expect
      .poll(async () => (await root.get('/svc/api/user-settings')).body)
      .toMatchObject({ timeZone: 'Pacific/Kiritimati', theme: 'Dark' });
    await lookAt(svc.origin, root, async (page) => {
      await page.goto('/svc/users');
      await expect.poll(() => theme(page)).toBe('dark');
      // The zone is 14 hours ahead of UTC all year.
      await page.getByRole('row').getByText('GMT+14').first().waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Theme: Dark' }).click();
      await page.getByRole('menuitem', { name: 'Light' }).click();
      await expect.poll(() => theme(page)).toBe('light');
    });
    await expect.poll(async () => (await root.get('/svc/api/user-settings')).body.theme).toBe('Light');
    expect((await root.get('/svc/api/users')).body.items[0].lastSignedInAt).toMatch(/Z$/);
  },
  inBrowser,
);

scenario(
  ['RT-4.3-903'],
  'security events can be searched by name, and show the names of their records',
  async ({ deliver }) => {
    const { svc, root, addQuery } = await deliver({}, withPages());
    await addQuery('select 1 as one', 'Harbour watch');
    await lookAt(svc.origin, root, async (page) => {
      await page.goto('/svc/audit');
      await page.getByRole('searchbox', { name: 'Search names, events and details' }).fill('harbour');
      const row = page.getByRole('row', { name: /Queries: query created/ });
      await row.getByRole('link', { name: 'Harbour watch' }).waitFor();
      await row.getByRole('link', { name: 'Shop' }).waitFor();
      await page.getByRole('row', { name: /Setup/ }).waitFor({ state: 'detached' });
      await picture(page, 'audit-found');
      expect(await axeFindings(page)).toEqual([]);
      await row.getByRole('button', { name: 'Queries: query created' }).click();
      await page.getByRole('dialog').getByText('Harbour watch').waitFor();
    });
  },
  inBrowser,
);
