import { axeFindings, picture } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

/** Checks a page at three widths, each in one of the two themes. */
async function look(page: Page, name: string): Promise<void> {
  for (const [width, theme] of [
    [1440, 'light'],
    [1024, 'dark'],
    [390, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await picture(page, `${name}-${width}-${theme}`);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

scenario(
  ['RT-4.3-343', 'RT-4.3-344', 'RT-4.3-901'],
  'a filtered list can be saved and shared by link, and several subscriptions can be snoozed, paused and archived',
  async ({ deliver }) => {
    const { svc, root, addQuery } = await deliver({}, withPages());
    for (const name of ['Alarms', 'Delays', 'Returns']) {
      const queryId = await addQuery('select 1 as one', name);
      await addSubscription(root, { queryId, recipientIds: [], createTasks: true });
    }
    const link = await lookAt(svc.origin, root, async (page) => {
      const views = page.getByRole('button', { name: 'Saved views' });
      await page.goto('/svc/subscriptions?search=a');
      await page.getByRole('row', { name: /Alarms/ }).waitFor();
      await page.getByRole('row', { name: /Returns/ }).waitFor({ state: 'detached' });
      await views.click();
      await page.getByLabel('Save what is shown now as').fill('With an a');
      await page.getByRole('button', { name: 'Save view' }).click();
      await page.getByRole('link', { name: 'With an a' }).waitFor();
      await look(page, 'saved-views');
      const [button, popover] = await Promise.all([
        views.boundingBox(),
        page.getByRole('dialog', { name: 'Saved views' }).boundingBox(),
      ]);
      // The popover is below its button, not in a corner of the window.
      expect(popover?.y).toBeGreaterThan(button?.y ?? Number.NaN);
      await page.getByLabel('Save what is shown now as').fill('with an A');
      await page.getByRole('button', { name: 'Save view' }).click();
      await page.getByText('Is the name of another view.').waitFor();
      await page.goto('/svc/subscriptions');
      await page.getByRole('row', { name: /Returns/ }).waitFor();
      await page.getByRole('button', { name: 'Choose columns' }).click();
      await page.getByRole('dialog', { name: 'Columns' }).getByLabel('Schedule').uncheck();
      await page.getByRole('columnheader', { name: 'Schedule' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await views.click();
      await page.getByText('To save one, search, filter or sort the list first.').waitFor();
      await page.getByRole('link', { name: 'With an a' }).click();
      await page.getByRole('row', { name: /Returns/ }).waitFor({ state: 'detached' });
      const shared = page.url();

      const bar = page.getByRole('region', { name: 'Selected rows' });
      await page.goto('/svc/subscriptions');
      await page.getByRole('checkbox', { name: 'Select Alarms' }).check();
      await page.getByRole('checkbox', { name: 'Select Delays' }).check();
      await look(page, 'subscriptions-selected');
      await bar.getByRole('button', { name: 'Snooze' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Snooze alerts' }).click();
      await page.getByText('2 subscriptions snoozed.').waitFor();
      await page.getByRole('checkbox', { name: 'Select Alarms' }).check();
      await bar.getByRole('button', { name: 'End the snooze' }).click();
      await page.getByText('1 subscription no longer snoozed.').waitFor();
      await page.getByRole('checkbox', { name: 'Select Alarms' }).check();
      await page.getByRole('checkbox', { name: 'Select Delays' }).check();
      // Another user archives one subscription meanwhile. Its pause fails, and the other subscription is paused.
      const { body: list } = await root.get('/svc/api/subscriptions?search=Delays');
      await root.delete(`/svc/api/subscriptions/${list.items[0].id}`);
      await bar.getByRole('button', { name: 'Pause' }).click();
      const outcome = page.getByRole('dialog', { name: '1 of 2 subscriptions paused.' });
      await outcome.getByText('Delays: This subscription is archived. Reactivate it first.').waitFor();
      await look(page, 'subscriptions-refused');
      await outcome.getByRole('button', { name: 'Close', exact: true }).last().click();
      await root.post(`/svc/api/subscriptions/${list.items[0].id}/reactivate`);
      await page.goto('/svc/subscriptions?state=Paused');
      await page.getByRole('row', { name: /Alarms.*Paused/ }).waitFor();
      await look(page, 'subscriptions-paused');
      await page.getByRole('button', { name: 'Resume Alarms' }).click();
      await page.getByText('Its schedule runs again.').waitFor();
      await page.getByRole('row', { name: /Alarms/ }).waitFor({ state: 'detached' });
      await page.goto('/svc/subscriptions');
      await page.getByRole('button', { name: 'Pause Alarms' }).click();
      await page.getByRole('link', { name: 'Alarms' }).click();
      await page.getByText('its schedule does not run until it is resumed.').waitFor();
      await look(page, 'subscription-paused');
      await page.getByRole('button', { name: 'Resume', exact: true }).click();
      await page.getByText('Active', { exact: true }).waitFor();
      await page.goto('/svc/subscriptions');
      await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
      await bar.getByRole('button', { name: 'Archive' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
      await page.getByText('3 subscriptions archived.').waitFor();
      await page.goto('/svc/subscriptions?state=Archived');
      await page.getByRole('checkbox', { name: 'Select Delays' }).check();
      await bar.getByRole('button', { name: 'Reactivate' }).click();
      await page.getByText('1 subscription reactivated.').waitFor();
      return shared;
    });
    const { items } = (await root.get('/svc/api/subscriptions?state=Active')).body;
    expect(items.map(({ queryName }: { queryName: string }) => queryName)).toEqual(['Delays']);

    const viewer = await signIn(svc, await addUser(svc, 'viewer', ['Viewer']));
    await lookAt(svc.origin, viewer, async (page) => {
      await page.goto(link);
      await page.getByRole('row', { name: /Delays/ }).waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
      await page.getByRole('button', { name: 'Saved views' }).click();
      await page.getByText('None yet.').waitFor();
    });
  },
  inBrowser,
);

scenario(
  ['RT-4.3-345'],
  'runs can be found by recipient and day, and selected failed runs can be sent again',
  async ({ deliver }) => {
    const { svc, root, sink, addQuery } = await deliver({}, withPages());
    const recipientOf = (name: string, at: string) =>
      addRecipient(root, { name, notificationType: 'Webhook', destination: `${sink.url}/${at}` });
    const run = async (name: string, recipientId: number, sql = 'select 1 as one') => {
      const queryId = await addQuery(sql, name);
      return runNow(root, await addSubscription(root, { queryId, recipientIds: [recipientId] }));
    };
    const [desk, shop] = [await recipientOf('Desk', 'desk'), await recipientOf('Shop', 'shop')];
    await run('For the desk', desk);
    sink.answers.set('/shop', 500);
    await run('For the shop', shop);
    sink.answers.delete('/shop');
    await lookAt(svc.origin, root, async (page) => {
      await page.goto('/svc/notifications');
      await page.getByRole('link', { name: /Notifications 1 unread/ }).waitFor();
      await page.getByRole('button', { name: 'Recipient', exact: true }).click();
      await page.getByRole('option', { name: 'Shop' }).click();
      await page.getByRole('row', { name: /For the desk/ }).waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /For the shop/ }).waitFor();
      await page.getByLabel('From', { exact: true }).fill('2001-01-01');
      await page.waitForURL((url) => url.searchParams.get('from') === '2001-01-01');
      await page.getByRole('row', { name: /For the shop/ }).waitFor();
      await page.getByRole('checkbox', { name: /Select For the shop/ }).check();
      await look(page, 'notifications-narrowed');
      const sent = sink.received.length;
      await page.getByRole('button', { name: 'Resend 1 failed run' }).click();
      await page.getByText('Sending 1 delivery again.').waitFor();
      await expect.poll(() => sink.received.slice(sent).map(({ path }) => path)).toEqual(['/shop']);
      await page.getByLabel('To', { exact: true }).fill('2001-01-02');
      await page.getByText('Nothing matches').waitFor();
    });
  },
  inBrowser,
);
