import { addUser } from '@svc/testkit/people/people.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

const zone = 'Pacific/Auckland';

scenario(
  ['RT-4.1-900', 'RT-4.1-901', 'RT-4.1-902'],
  'the pages of a query, its subscription and a run show the last result, the next run and the owner',
  async ({ deliver }) => {
    const { svc, root, sink, addQuery, dataSourceId } = await deliver({}, withPages());
    const queryId = await addQuery('select 7 as lucky', 'Lucky numbers');
    const recipientId = await addRecipient(root, {
      notificationType: 'Webhook',
      destination: `${sink.url}/in`,
    });
    const subscribed = (storeResults: boolean) =>
      addSubscription(root, {
        queryId,
        storeResults,
        cronExpression: '30 7 * * *',
        timeZone: zone,
        recipientIds: [recipientId],
      });
    const keeping = await subscribed(true);
    const kept = await runNow(root, keeping);
    const forgetting = await subscribed(false);
    const lost = await runNow(root, forgetting);

    await lookAt(svc.origin, root, async (page) => {
      const facts = page.getByRole('complementary', { name: 'Facts' });
      const fact = (name: string) =>
        facts.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd');
      const shared = async (runs: string, owner = 'The first administrator') => {
        await fact('Next run').getByText(zone).waitFor();
        await fact('Next run').getByText('07:30').waitFor();
        await fact('Latest runs').getByRole('img', { name: runs }).waitFor();
        await fact('Owner').getByText(owner).waitFor();
        await fact('Version').getByRole('link', { name: '1' }).waitFor();
      };
      await page.goto(`/svc/queries/${queryId}`);
      await shared('The last 2 runs: 0 failed or timed out.');
      const rows = page.getByRole('region', { name: 'Last kept result' });
      await rows.getByRole('gridcell', { name: '7', exact: true }).waitFor();
      await rows.getByRole('link', { name: 'Last kept result' }).waitFor();
      await rows.getByText('run by The first administrator, version 1: 1 row').waitFor();

      await page.goto(`/svc/subscriptions/${keeping}`);
      await shared('The last 1 run: 0 failed or timed out.');
      await page.getByRole('tab', { name: 'Last result' }).click();
      await rows.getByRole('gridcell', { name: '7', exact: true }).waitFor();
      await page.goto(`/svc/subscriptions/${forgetting}?tab=result`);
      await page.getByText('Its runs keep no rows.').waitFor();

      // The run shows the owner of its subscription and the version that ran, even after a change of the query.
      const { userId } = await addUser(svc, 'lucky-owner', ['Editor']);
      expect((await root.put(`/svc/api/subscriptions/${forgetting}/owner`, { userId })).status).toBe(204);
      const steps = [{ dataSourceId, sql: 'select 8 as lucky' }];
      const changed = await root.put(`/svc/api/queries/${queryId}`, { name: 'Lucky numbers', steps });
      expect(changed.body, changed.text).toMatchObject({ versionNumber: 2 });
      await page.goto(`/svc/notifications/${lost.id}?tab=rows`);
      await shared('The last 1 run: 0 failed or timed out.', 'lucky-owner');
      await page.getByRole('link', { name: 'See the last kept result' }).click();
      await page.waitForURL(`**/notifications/${kept.id}`);
      await page.getByRole('tab', { name: 'Rows' }).click();
      await page.getByRole('gridcell', { name: '7', exact: true }).waitFor();
      expect(await facts.locator('[data-present]').count()).toBe(1);
    });
  },
  inBrowser,
);
