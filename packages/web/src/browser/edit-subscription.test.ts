import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

/** Side of the square that a finger covers, in pixels. */
const fingerPx = 44;

/**
 * Returns for three points around a control's centre (above, below, right) whether a press there reaches the control.
 */
const hitsAround = (input: HTMLElement | SVGElement, reach: number): boolean[] => {
  const { x, y, width, height } = input.getBoundingClientRect();
  return [
    [0, -reach],
    [0, reach],
    [reach, 0],
  ].map(([right = 0, down = 0]) => {
    const hit = document.elementFromPoint(x + width / 2 + right, y + height / 2 + down);
    return hit === input || (hit?.closest('label')?.htmlFor ?? '') === input.id;
  });
};

describe.skipIf(!hasChromium)('an existing subscription', () => {
  const fixture = useBrowserFixture();

  test(
    'can be edited, snoozed and unsnoozed in place, by mouse and by keyboard',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/subscriptions', 'Subscriptions');
      await main.locator('tbody').getByRole('link').first().click();
      await main.getByRole('button', { name: 'Edit', exact: true }).click();
      const editing = page.getByRole('dialog', { name: 'Edit subscription' });
      await editing.getByLabel('When there are more rows than in the last run').check();
      await editing.getByLabel('Minimum rows (optional)').fill('0');
      await editing.getByRole('button', { name: 'Save' }).click();
      await editing.getByText('From 1 to 1,000,000,000.').waitFor();
      await editing.getByLabel('Minimum rows (optional)').fill('2');
      await editing.getByLabel('Open a task while there are rows').check();
      await editing.getByLabel('Due within, in hours (optional)').fill('24');
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'edit-subscription');
      await editing.getByRole('button', { name: 'Save' }).click();
      await editing.waitFor({ state: 'detached' });
      await main.getByText('When there are more rows than in the last run').waitFor();
      await main.getByText('2 rows', { exact: true }).waitFor();
      await main.getByRole('link', { name: 'Created, due within 24 hours' }).waitFor();

      await main.getByRole('button', { name: 'More actions' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Snooze alerts' }).press('Enter');
      const snoozing = page.getByRole('dialog', { name: 'Snooze the alerts' });
      await snoozing.getByLabel('3 days').check();
      await snoozing.getByLabel('Why (optional)').fill('Being moved to the new warehouse');
      await snoozing.getByRole('button', { name: 'Snooze alerts' }).press('Enter');
      await main.getByText(/Alerts are snoozed until.*Being moved to the new warehouse/).waitFor();
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `snoozed-subscription-${colorScheme}-${width}`);
          expect(await cutButtons(page), `${width} px`).toEqual([]);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await main.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'End the snooze' }).click();
      await main.getByText(/Alerts are snoozed until/).waitFor({ state: 'detached' });
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'has radio buttons and checkboxes of equal size that are large enough for a finger',
    async () => {
      const { browser, service, visitor } = fixture;
      const context = await browser.newContext({
        baseURL: service.origin,
        storageState: await visitor.context.storageState(),
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
      try {
        const page = await context.newPage();
        await page.goto('/svc/subscriptions');
        await page.getByRole('main').locator('tbody').getByRole('link').first().click();
        await page.getByRole('main').getByRole('button', { name: 'Edit', exact: true }).click();
        const editing = page.getByRole('dialog', { name: 'Edit subscription' });
        const circle = editing.getByLabel('When there are more rows than in the last run');
        const box = editing.getByLabel('Watch the row counts');
        for (const control of [circle, box]) {
          await control.scrollIntoViewIfNeeded();
          const hits = await control.evaluate(hitsAround, fingerPx / 2 - 1);
          expect(hits).toEqual([true, true, true]);
        }
        const [round, square] = [await circle.boundingBox(), await box.boundingBox()];
        expect([round?.width, round?.height]).toEqual([square?.width, square?.height]);
        await picture(page, 'subscription-touch');
      } finally {
        await context.close();
      }
    },
    flowMaxMs,
  );

  test(
    'shows its alert in the head of its page, and lets the user reset the alert and change the schedule',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/subscriptions', 'Subscriptions');
      await main.locator('tbody').getByRole('link').first().click();
      await main.getByRole('button', { name: 'Edit', exact: true }).click();
      const editing = page.getByRole('dialog', { name: 'Edit subscription' });
      await editing.getByLabel('While there are rows: when they come, and when they are gone').check();
      await editing.getByLabel('Minimum rows (optional)').fill('');
      await editing.getByLabel('Alert after this many runs with rows').fill('');
      await editing.getByRole('button', { name: 'Save' }).click();
      await editing.getByText('From 1 to 10.').waitFor();
      await editing.getByLabel('Alert after this many runs with rows').fill('1');
      await editing.getByLabel('Recovered after this many runs without rows').fill('2');
      await editing.getByRole('combobox', { name: 'Remind while there are rows' }).click();
      await page.getByRole('option', { name: 'Every day' }).click();
      expect(await axeFindings(page)).toEqual([]);
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await picture(page, `edit-alert-${width}`);
        expect(await cutButtons(page), `${width} px`).toEqual([]);
      }
      await editing.getByRole('button', { name: 'Save' }).click();
      await editing.waitFor({ state: 'detached' });
      const address = page.url();
      await main.getByRole('button', { name: 'Test now' }).click();
      await main.getByText('Sent', { exact: true }).first().waitFor();
      await page.goto(address);
      await main.getByText('Alert', { exact: true }).waitFor();
      await picture(page, 'alert-firing');
      expect(await axeFindings(page)).toEqual([]);
      await fixture.act('More actions', 'Reset the alert');
      await page.getByRole('dialog').getByRole('button', { name: 'Reset alert' }).click();
      await main.getByText('Alert', { exact: true }).waitFor({ state: 'detached' });

      await fixture.act('More actions', 'Change the schedule');
      const rescheduling = page.getByRole('dialog', { name: 'Change the schedule' });
      await rescheduling.getByLabel('Expression').fill('30 7 * * 1');
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'change-schedule');
      await rescheduling.getByRole('button', { name: 'Change schedule' }).click();
      await page.waitForURL((url) => url.href !== address && /\/subscriptions\/\d+$/.test(url.pathname));
      await main
        .getByText(/07:30|7:30/)
        .first()
        .waitFor();
      await page.goto(address);
      await main.getByText('Archived', { exact: true }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
