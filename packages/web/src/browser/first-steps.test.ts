import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { post } from '@svc/testkit/browser/people.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('the first steps', () => {
  const fixture = useBrowserFixture();

  test(
    'stay next to the demo until the user’s own alert was sent, and do not reappear',
    async () => {
      const { main, page, visitor } = fixture;
      const steps = main.getByRole('region', { name: 'Get your first alert' });
      await main
        .getByRole('table', { name: 'Last runs' })
        .getByText('Sent', { exact: true })
        .first()
        .waitFor();
      await steps.getByRole('link', { name: 'Connect a data source' }).waitFor();
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `first-steps-${width}-${theme}`);
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
      const { id } = (await post(visitor.context, '/svc/api/subscriptions', {
        queryId: 1,
        cronExpression: '0 3 1 1 *',
        notificationTrigger: 'Always',
        recipientIds: [1],
      })) as { readonly id: number };
      await fixture.open('/home', 'Home');
      await steps.waitFor();
      await post(visitor.context, `/svc/api/subscriptions/${id}/test-run`, {});
      await steps.waitFor({ state: 'detached' });
      await fixture.open('/home', 'Home');
      await main.getByRole('region', { name: 'Trends' }).waitFor();
      expect(await steps.count()).toBe(0);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'include a data contract of the demo that fails on purpose, with the rows that broke it',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/data-quality', 'Data quality');
      const row = main.getByRole('row', { name: /Orders are as promised.*shop\.orders/ });
      await row.getByText('Failed', { exact: true }).waitFor();
      await picture(page, 'demo-contract-list');
      await row.getByRole('link', { name: 'Orders are as promised' }).click();
      const late = main.getByRole('listitem').filter({ hasText: 'Few orders are late' });
      await late.getByText(/^Rows that broke it/).click();
      await late.getByRole('region').getByText('Delayed').first().waitFor();
      await picture(page, 'demo-contract');
      expect(await axeFindings(page)).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
