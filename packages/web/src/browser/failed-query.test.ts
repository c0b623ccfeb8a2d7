import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { post } from '@svc/testkit/browser/people.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('a run whose query failed', () => {
  const fixture = useBrowserFixture();
  let runId = 0;

  beforeAll(async () => {
    const { context } = fixture.visitor;
    const made = async (path: string, body: unknown) =>
      ((await post(context, path, body)) as { readonly id: number }).id;
    const recipientId = await made('/svc/api/recipients', {
      name: 'Night shift',
      notificationType: 'Webhook',
      destination: 'https://night-shift.invalid/hook',
    });
    const queryId = await made('/svc/api/queries', {
      projectId: 1,
      name: 'Late parcels',
      steps: [{ dataSourceId: 1, sql: 'select id,\n  carrier_nam as carrier\nfrom shop.orders' }],
    });
    const subscriptionId = await made('/svc/api/subscriptions', {
      queryId,
      cronExpression: '0 3 1 1 *',
      notificationTrigger: 'Always',
      recipientIds: [recipientId],
    });
    runId = await made(`/svc/api/subscriptions/${subscriptionId}/test-run`, {});
  }, flowMaxMs);

  test(
    'shows the database message with its step, line and column, and a link to the editor, at each width and in both themes',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open(`/notifications/${runId}`, 'Late parcels');
      const what = main.getByRole('region', { name: 'What happened' });
      await what.getByRole('heading', { name: 'The query failed in step 1, line 2, column 3' }).waitFor();
      expect(await what.textContent()).toContain('column "carrier_nam" does not exist');
      expect(await what.locator('mark').textContent()).toBe('carrier_nam');
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `failed-query-${width}-${theme}`);
          expect(await cutButtons(page), `${width} px`).toEqual([]);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await what.getByRole('link', { name: 'Edit query' }).press('Enter');
      await main.getByRole('heading', { name: 'Late parcels', level: 1 }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
