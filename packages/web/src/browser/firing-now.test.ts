import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { post } from '@svc/testkit/browser/people.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('current problems', () => {
  const fixture = useBrowserFixture();

  beforeAll(async () => {
    const { context } = fixture.visitor;
    const made = async (path: string, body: unknown) =>
      ((await post(context, path, body)) as { readonly id: number }).id;
    const subscribe = async (name: string, sql: string) => {
      const steps = [{ dataSourceId: 1, sql }];
      const queryId = await made('/svc/api/queries', { projectId: 1, name, steps });
      const subscriptionId = await made('/svc/api/subscriptions', {
        queryId,
        cronExpression: '0 3 1 1 *',
        notificationTrigger: 'WhileRows',
        recipientIds: [],
        createTasks: true,
      });
      await post(context, `/svc/api/subscriptions/${subscriptionId}/test-run`, {});
    };
    await subscribe('Unpaid orders', 'select id from shop.orders order by id limit 3');
    await subscribe('Broken stock', 'select nothing from shop.orders');
  }, flowMaxMs);

  test(
    'appear on Home and in the control tower, link to their rows, and can be acknowledged and snoozed',
    async () => {
      const { main, page, visitor } = fixture;
      const item = (name: string) => main.getByRole('listitem').filter({ hasText: name });
      await fixture.open('/home', 'Home');
      await main.getByRole('heading', { name: /^Firing now/ }).waitFor({ timeout: flowMaxMs });
      await item('Unpaid orders').getByText('Alert with 3 rows').waitFor({ timeout: flowMaxMs });
      await item('Broken stock').getByText('The last run failed').waitFor({ timeout: flowMaxMs });
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `firing-now-${width}-${theme}`);
          expect(await cutButtons(page), `${width} px`).toEqual([]);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });

      await item('Unpaid orders').getByRole('button', { name: 'Actions for Unpaid orders' }).click();
      await page.getByRole('menuitem', { name: 'Acknowledge' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Note (optional)').fill('I call the bank.');
      await dialog.getByRole('button', { name: 'Acknowledge' }).click();
      await dialog.waitFor({ state: 'detached' });
      await item('Unpaid orders')
        .getByText(/^Acknowledged by .+: I call the bank\.$/)
        .waitFor();

      await fixture.walk('/control-tower', 'Control tower');
      await item('Broken stock').getByRole('button', { name: 'Actions for Broken stock' }).click();
      await page.getByRole('menuitem', { name: 'Snooze alerts' }).click();
      await dialog.getByLabel('Until tomorrow, 9:00').check();
      await dialog.getByRole('button', { name: 'Snooze alerts' }).click();
      await dialog.waitFor({ state: 'detached' });
      await item('Broken stock')
        .getByText(/^Snoozed until .+09:00$/)
        .waitFor();

      await fixture.walk('/subscriptions', 'Subscriptions');
      const row = (name: string) => main.getByRole('row').filter({ hasText: name });
      await row('Unpaid orders').getByText('Acknowledged').waitFor();
      await row('Broken stock').getByText('Failing').waitFor();

      await fixture.walk('/home', 'Home');
      await item('Unpaid orders').getByRole('link', { name: 'See rows' }).click();
      await main.getByRole('heading', { name: 'Unpaid orders', level: 1 }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
