import { axeFindings, picture } from '@svc/testkit/browser/browser.ts';
import { addUser } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.3-346', 'RT-4.3-347'],
  'people change their own name, address and notice mails; users are narrowed by role and state',
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
    });
  },
  inBrowser,
);
