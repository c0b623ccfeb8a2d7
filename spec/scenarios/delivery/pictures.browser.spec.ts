import { axeFindings } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.1-357'],
  'the page of a subscription shows the row counts of its runs and the alert threshold, as a chart and as a table',
  async ({ deliver }) => {
    const { svc, root, source, addQuery, sink } = await deliver({}, withPages());
    await source.sql('create table alarms (id int primary key); insert into alarms values (1), (2), (3)');
    const queryId = await addQuery('select id from alarms', 'Alarms');
    const recipientId = await addRecipient(root, { notificationType: 'Webhook', destination: sink.url });
    const id = await addSubscription(root, { queryId, recipientIds: [recipientId], minimumRowCount: 5 });
    await runNow(root, id);
    await source.sql('insert into alarms select generate_series(4, 9)');
    await runNow(root, id);
    const viewer = await signIn(svc, await addUser(svc, 'viewer', ['Viewer']));
    await lookAt(svc.origin, viewer, async (page) => {
      await page.goto(`/svc/subscriptions/${id}?tab=counts`);
      const chart = page.getByRole('img', {
        name: 'Rows of 2 runs: 9 at the end, 0 unusual, alerts from 5',
      });
      await chart.waitFor();
      await page.getByText('Alerts from 5 rows').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Table' }).click();
      const table = page.getByRole('table', { name: 'Row counts' });
      expect(await table.getByRole('row').nth(1).textContent()).toMatch(/9/);
      expect(await table.getByRole('row').nth(2).textContent()).toMatch(/3/);
      await page.goto(`/svc/subscriptions/${id}`);
      await page.getByRole('img', { name: 'The last 2 runs: 0 failed or timed out.' }).waitFor();
    });
  },
  inBrowser,
);

scenario(
  ['RT-4.1-358', 'RT-4.3-523', 'RT-4.3-524'],
  'the lists of subscriptions and recipients show the outcomes of the last runs and attempts, with one request each',
  async ({ deliver }) => {
    const { svc, root, source, addQuery, sink } = await deliver({}, withPages());
    await source.sql('create table alarms (id int primary key); insert into alarms values (1), (2), (3)');
    const recipientId = await addRecipient(root, { notificationType: 'Webhook', destination: sink.url });
    const recipientIds = [recipientId];
    for (const name of ['Alarms', 'Broken']) {
      const sql = name === 'Broken' ? 'select 1 / (id - 1) from alarms' : 'select id from alarms';
      const id = await addSubscription(root, { queryId: await addQuery(sql, name), recipientIds });
      await runNow(root, id);
    }
    const viewer = await signIn(svc, await addUser(svc, 'viewer', ['Viewer']));
    await lookAt(svc.origin, viewer, async (page) => {
      const asked: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith('/svc/api/notifications/recent-'))
          asked.push(pathname.slice(pathname.lastIndexOf('/') + 1));
      });
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto('/svc/subscriptions');
      await page.getByRole('img', { name: 'Rows of the last 1 run: 3 at the end, 3 at most' }).waitFor();
      await page
        .getByRole('img', { name: 'Rows of the last 1 run: no rows were counted; 1 failed' })
        .waitFor();
      expect(asked).toEqual(['recent-runs']);
      expect(await axeFindings(page)).toEqual([]);
      await page.goto('/svc/recipients');
      await page.getByRole('img', { name: 'The last 1 attempt: 0 failed.' }).waitFor();
      expect(asked).toEqual(['recent-runs', 'recent-deliveries']);
      expect(await axeFindings(page)).toEqual([]);
    });
  },
  inBrowser,
);
