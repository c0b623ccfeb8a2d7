import { axeFindings, picture } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { addPastRuns, watchTable, wave } from '../support/past-runs.ts';
import { scenario } from '../support/scenario.ts';

const themes = ['light', 'dark'] as const;

scenario(
  ['RT-4.3-82'],
  'row counts are watched from the page of a subscription, and an anomaly is marked as expected by keyboard',
  async ({ deliver }) => {
    const fixture = await deliver({}, withPages());
    const { svc, root, projectId } = fixture;
    const { id, fill } = await watchTable(fixture);
    await addPastRuns(fixture, id, wave(25, 28));
    const editor = await signIn(svc, await addUser(svc, 'editor', ['Editor']));
    const chart = async () => (await root.get(`/svc/api/subscriptions/${id}/anomaly-chart`)).body;
    await lookAt(svc.origin, editor, async (page) => {
      await page.goto(`/svc/subscriptions/${id}?tab=counts`);
      await page.getByRole('img', { name: /^Rows of 28 runs/ }).waitFor();
      await page.getByRole('button', { name: 'Watch row counts' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Watch row counts' });
      await dialog.getByLabel('Learn from this many days').fill('3');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('At least 7.').waitFor();
      await dialog.getByLabel('Learn from this many days').fill('60');
      await dialog.getByRole('combobox', { name: 'Public holidays of' }).fill('Croa');
      await page.getByRole('option', { name: 'Croatia' }).click();
      await dialog.getByRole('combobox', { name: 'Other holidays' }).fill('2026-12-24');
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Medium sensitivity, from 60 days').first().waitFor();
      expect((await chart()).model).toMatchObject({ holidayCountry: 'HR', holidayDates: ['2026-12-24'] });

      await fill(300);
      await runNow(root, id);
      await fill(24);
      await runNow(root, id);
      await page.reload();
      const row = page.getByRole('row', { name: /300 rows; \d+ to \d+ were expected/ });
      await row.waitFor();
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `row-counts-${colorScheme}-${width}`);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await row.getByRole('button', { name: /^Actions for the run of/ }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Expected: it counts as usual' }).press('Enter');
      await row.getByText('Expected', { exact: true }).waitFor();
      expect((await chart()).points.at(-2)).toMatchObject({ verdict: 'Expected' });
    });

    const viewer = await signIn(svc, await addUser(svc, 'viewer', ['Viewer']));
    await root.post(`/svc/api/projects/${projectId}/members`, { userName: 'viewer', role: 'Viewer' });
    await lookAt(svc.origin, viewer, async (page) => {
      await page.goto(`/svc/subscriptions/${id}?tab=counts`);
      await page.getByRole('row', { name: /300 rows/ }).waitFor();
      expect(await page.getByRole('button', { name: /Actions for the run|Change how/ }).count()).toBe(0);
    });
  },
  inBrowser,
);
