import { hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const rowsRead = /\/svc\/api\/queries\/\d+\/last-result/;

describe.skipIf(!hasChromium)('rows of a task', () => {
  const fixture = useBrowserFixture();

  test(
    'the page of a task appears before its rows; a failed read of the rows shows its problem and a retry',
    async () => {
      const { main, page } = fixture;
      await fixture.open('/subscriptions?new=yes&queryId=1', 'New subscription');
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByLabel('Open a task while there are rows').check();
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByRole('button', { name: 'Create and send now' }).click();
      await main.getByText('Its task holds the rows.').waitFor();

      let isReleased = (_: 'continue' | 'fail') => {};
      const released = new Promise<'continue' | 'fail'>((resolve) => {
        isReleased = resolve;
      });
      await page.route(rowsRead, async (route) => {
        if ((await released) === 'continue') await route.continue();
        else await route.fulfill({ status: 500, json: { status: 500, title: 'An error occurred' } });
      });
      await page.goto('/svc/tasks/1');
      await main.getByRole('heading', { name: 'Delayed orders', level: 1 }).waitFor();
      await main.getByRole('tab', { name: 'Rows', selected: true }).waitFor();
      const panel = main.getByRole('tabpanel', { name: 'Rows' });
      await panel.getByRole('status').filter({ hasText: 'Loading' }).waitFor();
      await picture(page, 'task-rows-pending');

      isReleased('fail');
      const problem = panel.getByRole('alert');
      await problem.waitFor();
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `task-rows-failed-${width}-${theme}`);
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.unroute(rowsRead);
      await problem.getByRole('button', { name: 'Try again' }).click();
      await panel.getByRole('region', { name: 'Last kept result' }).waitFor();
      expect(await problem.count()).toBe(0);
    },
    flowMaxMs,
  );
});
