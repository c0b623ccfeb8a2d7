import { axeFindings } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.1-11'],
  'the control tower shows problems first with their reason, only to readers of the project',
  async ({ deliver }) => {
    const { svc, root, source, projectId, addQuery } = await deliver({}, withPages());
    await source.sql('create table alarms (id int primary key); insert into alarms values (1)');
    const add = async (name: string, statement: string) =>
      addSubscription(root, {
        queryId: await addQuery(statement, name),
        recipientIds: [],
        createTasks: true,
      });
    await runNow(root, await add('Alarms', 'select id from alarms'));
    await runNow(root, await add('Broken', 'select id from alarms where 1 / (id - 1) > 0'));

    const viewer = await signIn(svc, await addUser(svc, 'viewer', ['Viewer']));
    await lookAt(svc.origin, viewer, async (page) => {
      await page.goto('/svc/control-tower');
      const rows = page.getByRole('row');
      // The page shows placeholder rows before the data arrives.
      await page.getByRole('row', { name: /Alarms/ }).waitFor();
      await expect.poll(() => rows.count()).toBe(3);
      await expect.poll(() => rows.nth(1).textContent()).toMatch(/Broken.*Critical.*The last run failed/);
      await expect.poll(() => rows.nth(2).textContent()).toMatch(/Alarms.*Healthy/);
      const summary = page.getByRole('region', { name: 'Summary' });
      await summary.getByRole('button', { name: /Healthy\s*1/ }).click();
      await rows.nth(2).waitFor({ state: 'detached' });
      await expect.poll(() => rows.nth(1).textContent()).toMatch(/Alarms/);
    });

    await root.put(`/svc/api/projects/${projectId}/access-mode`, { accessMode: 'Restricted' });
    await lookAt(svc.origin, viewer, async (page) => {
      await page.goto('/svc/control-tower');
      await page.getByText('Nothing to watch yet').waitFor();
    });
    const holder = await signIn(svc, await addUser(svc, 'holder', ['UserAdmin']));
    await lookAt(svc.origin, holder, async (page) => {
      await page.goto('/svc/control-tower');
      await page.getByText('You do not have access').waitFor();
    });
  },
  inBrowser,
);

scenario(
  ['RT-4.3-528'],
  'the control tower shows hour by hour what schedules make due, and links to subscriptions that are due together',
  async ({ deliver }) => {
    const { svc, root, addQuery } = await deliver({}, withPages());
    for (const name of ['First', 'Second']) {
      const queryId = await addQuery('select 1 as one', name);
      await addSubscription(root, {
        queryId,
        recipientIds: [],
        createTasks: true,
        cronExpression: '23 * * * *',
      });
    }
    const viewer = await signIn(svc, await addUser(svc, 'viewer', ['Viewer']));
    await lookAt(svc.origin, viewer, async (page) => {
      await page.goto('/svc/control-tower');
      const load = page.getByRole('region', { name: 'Load of schedules' });
      await load.getByRole('button', { name: 'Show' }).click();
      await load.getByRole('img', { name: /^Due by hour: 4[68] runs in 24 hours/ }).waitFor();
      const clash = load
        .getByRole('table', { name: 'Due together on one data source' })
        .getByRole('row')
        .nth(1);
      await clash.getByRole('link', { name: 'First' }).waitFor();
      await clash.getByRole('link', { name: 'The watched source' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await load.getByRole('button', { name: 'Table' }).click();
      await load.getByRole('table', { name: 'Due by hour' }).waitFor();
      await clash.getByRole('link', { name: 'Second' }).click();
      await page.waitForURL(/\/svc\/subscriptions\/\d+/);
    });
  },
  inBrowser,
);
