import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const widths = [1440, 1024, 390, 320] as const;

describe.skipIf(!hasChromium)('tasks', () => {
  const fixture = useBrowserFixture();

  test(
    'a new subscription opens a task, which can be viewed, assigned, commented, snoozed and resolved by keyboard',
    async () => {
      const { main, page, visitor, open } = fixture;
      const send = async (act: string) => {
        await page.getByRole('button', { name: act, exact: true }).click();
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      };
      await open('/tasks', 'Tasks');
      await main.getByText('No open tasks').waitFor();

      await open('/subscriptions?new=yes&queryId=1', 'New subscription');
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByLabel('Open a task while there are rows').check();
      await main.getByLabel('Due within, in hours (optional)').fill('8');
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByText('opens a task, due within 8 hours.').waitFor();
      await main.getByRole('button', { name: 'Create and send now' }).click();
      await main.getByText('Its task holds the rows.').waitFor();

      await fixture.walk('/tasks', 'Tasks');
      await main
        .getByRole('table', { name: 'Tasks' })
        .getByRole('link', { name: 'Delayed orders' })
        .waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await main.getByRole('heading', { name: 'Delayed orders', level: 1 }).waitFor();
      // The stored rows are the first tab.
      await main.getByRole('tab', { name: 'Rows', selected: true }).waitFor();
      await main.getByRole('tab', { name: 'Timeline' }).click();
      await main.getByRole('img', { name: /^Rows of \d+ runs?/ }).waitFor();
      const timeline = main.getByRole('list', { name: 'Timeline' });
      await timeline.getByText('Opened').waitFor();

      await page.keyboard.press('a');
      await page.getByRole('combobox', { name: 'Assignee' }).click();
      await page.getByRole('option').first().click();
      await send('Assign task');
      await timeline.getByText('Assigned', { exact: true }).waitFor();

      await page.keyboard.press('c');
      await page.getByRole('textbox', { name: 'Comment' }).fill('Calling the carrier.');
      await send('Add comment');
      await timeline.getByText('Calling the carrier.').waitFor();
      await main.getByRole('button', { name: 'Watch', exact: true }).click();
      await main.getByRole('button', { name: 'Stop watching' }).waitFor();

      await page.keyboard.press('s');
      await send('Snooze task');
      await timeline.getByText('Snoozed', { exact: true }).waitFor();
      await fixture.act('More actions', 'End the snooze');
      await timeline.getByText('No longer snoozed').waitFor();
      await fixture.act('More actions', 'High');
      await timeline.getByText('From Normal to High.').waitFor();

      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `task-${theme}-${width}`);
          expect(await cutButtons(page)).toEqual([]);
          expect(
            await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          ).toBeLessThanOrEqual(0);
        }
        await page.setViewportSize({ width: 1440, height: 900 });
        expect(await axeFindings(page)).toEqual([]);
      }
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });

      await page.keyboard.press('r');
      await page.getByRole('textbox', { name: 'Resolution (optional)' }).fill('All delivered.');
      await send('Resolve task');
      await timeline.getByText('All delivered.').waitFor();
      await main.getByRole('button', { name: 'Reopen' }).waitFor();
      await main.getByRole('tab', { name: 'Runs' }).click();
      await main.getByRole('table', { name: 'Runs' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);

      await fixture.walk('/tasks?state=Resolved', 'Tasks');
      await main.getByRole('link', { name: /^Delayed orders/ }).waitFor();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await picture(page, `tasks-${width}`);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        );
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
