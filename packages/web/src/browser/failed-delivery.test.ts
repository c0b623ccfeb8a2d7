import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { post } from '@svc/testkit/browser/people.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { cutButtons } from './testing/cut-buttons.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('a failed delivery', () => {
  const fixture = useBrowserFixture();
  let runId = 0;

  beforeAll(async () => {
    const { context } = fixture.visitor;
    const made = async (path: string, body: unknown) =>
      ((await post(context, path, body)) as { readonly id: number }).id;
    const recipientId = await made('/svc/api/recipients', {
      name: 'Closed door',
      notificationType: 'Webhook',
      destination: 'https://closed-door.invalid/hook',
    });
    const subscriptionId = await made('/svc/api/subscriptions', {
      queryId: 1,
      cronExpression: '0 3 1 1 *',
      notificationTrigger: 'Always',
      recipientIds: [recipientId],
    });
    runId = await made(`/svc/api/subscriptions/${subscriptionId}/test-run`, {});
  }, flowMaxMs);

  const openRun = async () => {
    await fixture.open(`/notifications/${runId}`, 'Delayed orders');
    await fixture.main
      .getByRole('table', { name: 'Deliveries' })
      .getByRole('row')
      .filter({ hasText: 'Failed' })
      .first()
      .waitFor();
  };

  test(
    'sending it again shows the outcome of the delivery instead of a mere confirmation of the request',
    async () => {
      const { main, page, visitor } = fixture;
      await openRun();
      await main.getByRole('button', { name: 'Send again to Closed door' }).click();
      const messages = page.getByRole('region', { name: 'Messages' });
      await messages.getByText(/^Sending again to Closed door failed\./).waitFor();
      expect(await messages.locator('[data-tone="done"]').count()).toBe(0);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'its page names the recipient and explains what happened and what to do next',
    async () => {
      const { main } = fixture;
      await openRun();
      const explanation = main.getByRole('region', { name: 'What happened' });
      await expect
        .poll(() => explanation.textContent())
        .toBe(
          'Closed door: The name of the destination was not found. Check the address for a slip of the pen, and that its name exists in DNS.',
        );
    },
    flowMaxMs,
  );

  test(
    'the button of its row is not cut off at any width in either theme',
    async () => {
      const { page } = fixture;
      await openRun();
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 1024, 390, 320]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `failed-run-${width}-${theme}`);
          expect(await cutButtons(page), `${width} px`).toEqual([]);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    },
    flowMaxMs,
  );
});
