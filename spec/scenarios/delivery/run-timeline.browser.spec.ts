import { axeFindings } from '@svc/testkit/browser/browser.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.3-526', 'RT-4.3-527'],
  'the page of a run links to the request that started it and to the task that it opened, and the task links back',
  async ({ deliver }) => {
    const dashboard = { prefix: '/warp' };
    const { svc, root, source, sink, addQuery } = await deliver({}, { ...withPages(), dashboard });
    await source.sql('create table alarms (id int primary key); insert into alarms values (1), (2)');
    const recipientId = await addRecipient(root, {
      notificationType: 'Webhook',
      name: 'The desk',
      destination: sink.url,
    });
    const queryId = await addQuery('select id from alarms', 'Alarms');
    const id = await addSubscription(root, { queryId, recipientIds: [recipientId], createTasks: true });
    const run = await runNow(root, id);
    await lookAt(svc.origin, root, async (page) => {
      await page.goto(`/svc/notifications/${run.id}?tab=timeline`);
      const lines = page.getByRole('list', { name: 'Timeline' });
      await lines.getByText('POST /svc/api/subscriptions/{id}/test-run').waitFor();
      await lines.getByText(/^SQL of .* on The watched source: 2 rows$/).waitFor();
      await lines.getByText('Masked, while the rows came').waitFor();
      await lines.getByText('Delivery to The desk: sent').waitFor();
      await lines.getByText('Request and response').click();
      await lines.getByText('None: delivered').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await lines.getByRole('link', { name: 'Task' }).click();
      await page.waitForURL(/\/svc\/tasks\/\d+/);
      await page.getByRole('tab', { name: 'Timeline' }).click();
      await page.getByRole('link', { name: 'The run' }).click();
      await page.waitForURL(new RegExp(`/svc/notifications/${run.id}`));
      await page.goto(`/svc/notifications/${run.id}?tab=timeline`);
      const to = await lines.getByRole('link', { name: 'Job' }).getAttribute('href');
      const { body: job } = await root.get(String(to).replace('/warp/', '/warp/api/'));
      expect(job.origin).toMatchObject({ routeTemplate: '/svc/api/subscriptions/{id}/test-run' });
    });
  },
  inBrowser,
);
