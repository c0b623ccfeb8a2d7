import { axeFindings, picture } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addRecipient } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.1-16'],
  'readers of a project, and no other users, see its data contracts with the result of each rule',
  async ({ deliver }) => {
    const { svc, root, source, sink, projectId, dataSourceId } = await deliver({}, withPages());
    await source.sql(`create table orders (id int primary key, status text);
      insert into orders select n, case when n > 3 then 'open' end from generate_series(1, 10) n`);
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
    const made = await root.post('/svc/api/data-quality/contracts', {
      projectId,
      dataSourceId,
      schemaName: 'public',
      tableName: 'orders',
      name: 'Orders',
      rules: [
        { name: 'Every order has a status', type: 'NullRate', columns: ['status'], severity: 'High' },
        { name: 'There are orders', type: 'Volume', config: { minRows: 5 } },
      ],
    });
    expect(made.status, made.text).toBe(201);

    await addRecipient(root, {
      name: 'Board',
      notificationType: 'Webhook',
      destination: `${sink.url}/board`,
    });
    const editor = await signIn(svc, await addUser(svc, 'editor', ['Editor']));
    await lookAt(svc.origin, editor, async (page) => {
      await page.goto('/svc/data-quality');
      await page.getByRole('row', { name: /Orders.*public\.orders/ }).waitFor();
      await page.getByRole('link', { name: 'Orders' }).click();
      await page.getByText('Not evaluated yet').first().waitFor();
      await page.getByRole('button', { name: 'Evaluate now' }).click();
      const failed = page.getByRole('listitem').filter({ hasText: 'Every order has a status' });
      await failed.getByText('3 of 10 rows broke it').waitFor();
      await expect.poll(() => failed.textContent()).toContain('Failed');
      const passed = page.getByRole('listitem').filter({ hasText: 'There are orders' });
      await expect.poll(() => passed.textContent()).toContain('Passed');
      await failed.getByText('Rows that broke it (3)').click();
      await failed.getByRole('region').getByText('NULL').first().waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.goto('/svc/data-quality');
      const row = page.getByRole('row', { name: /Orders.*public\.orders/ });
      await row.getByText('Failed', { exact: true }).waitFor();
      expect(await axeFindings(page)).toEqual([]);

      await row.getByRole('link', { name: 'Orders' }).click();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Snooze alerts' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('3 days').check();
      await dialog.getByLabel('Why (optional)').fill('Being mended');
      await dialog.getByRole('button', { name: 'Snooze alerts' }).click();
      await page.getByText('Being mended').waitFor();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'End the snooze' }).click();
      await page.getByText('Being mended').waitFor({ state: 'detached' });

      await page.getByRole('tab', { name: 'Recipients' }).click();
      await page.getByRole('combobox', { name: 'Recipient to attach' }).fill('Board');
      await page.getByRole('option', { name: 'Board' }).click();
      await page.getByRole('button', { name: 'Attach' }).click();
      await page.getByRole('button', { name: 'Detach Board' }).waitFor();
      expect((await root.get(`/svc/api/data-quality/contracts/${made.body.id}`)).body).toMatchObject({
        snoozedUntil: null,
        recipients: [{ name: 'Board' }],
      });
      await page.getByRole('button', { name: 'Detach Board' }).click();
      await page.getByRole('button', { name: 'Detach Board' }).waitFor({ state: 'detached' });
    });

    const viewer = await signIn(svc, await addUser(svc, 'viewer', ['Viewer']));
    await lookAt(svc.origin, viewer, async (page) => {
      await page.goto(`/svc/data-quality/${made.body.id}`);
      await page.getByText('3 of 10 rows broke it').waitFor();
      expect(await page.getByRole('button', { name: 'Evaluate now' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);
      await page.getByRole('tab', { name: 'Recipients' }).click();
      expect(await page.getByRole('button', { name: 'Attach' }).count()).toBe(0);
    });
    const holder = await signIn(svc, await addUser(svc, 'holder', ['UserAdmin']));
    await root.put(`/svc/api/projects/${projectId}/access-mode`, { accessMode: 'Restricted' });
    await lookAt(svc.origin, viewer, async (page) => {
      await page.goto(`/svc/data-quality/${made.body.id}`);
      await page.getByText('Not found').first().waitFor();
    });
    await lookAt(svc.origin, holder, async (page) => {
      await page.goto('/svc/data-quality');
      await page.getByText('You do not have access').waitFor();
    });
  },
  inBrowser,
);

scenario(
  ['RT-4.1-1477', 'RT-4.1-1478'],
  'a score just below its limit is rounded down, and the chart has the limit of each evaluation',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId } = await deliver({}, withPages());
    await source.sql(`create table parcels (id int, weight int);
      insert into parcels select n, case when n > 7996 then -1 else n end from generate_series(1, 10000) n`);
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
    const rule = { name: 'Weight', type: 'Range', columns: ['weight'], config: { min: 0 }, failAbove: 9_000 };
    const contract = {
      projectId,
      dataSourceId,
      schemaName: 'public',
      tableName: 'parcels',
      name: 'Parcels',
      warnScore: 90,
      failScore: 80,
      rules: [rule],
    };
    const made = await root.post('/svc/api/data-quality/contracts', contract);
    expect(made.status, made.text).toBe(201);
    const path = `/svc/api/data-quality/contracts/${made.body.id}`;
    const ended = async (count: number) => {
      expect((await root.post(`${path}/evaluate`)).status).toBe(202);
      const read = async () =>
        (await root.get(`${path}/evaluations?status=Failed`)).body.totalCount +
        (await root.get(`${path}/evaluations?status=Warned`)).body.totalCount;
      await expect.poll(read, { timeout: 60_000 }).toBe(count);
    };
    await ended(1);
    // An evaluation of an earlier version, which stored no limit.
    await svc.sql('update svc.contract_evaluations set fail_score = null');
    await ended(2);
    expect((await root.put(path, { ...contract, failScore: 60 })).status).toBe(200);
    await ended(3);
    expect((await root.get(`${path}/evaluations`)).body.items[0]).toMatchObject({
      score: 79.96,
      failScore: 60,
    });
    await lookAt(svc.origin, root, async (page) => {
      await page.goto(`/svc/data-quality/${made.body.id}?tab=evaluations`);
      await page.getByRole('img', { name: 'Scores of 3 evaluations: 79.9 at the end, 2 failed' }).waitFor();
      await page.getByText('Now: warns below 90, fails below 60').waitFor();
      const limits = page.locator('[data-line="limit"]');
      expect(await limits.count()).toBe(1);
      // The second evaluation has the limit 80, the third one 60, and the first one none.
      const corners =
        (await limits.getAttribute('points'))?.split(' ').map((corner) => corner.split(',')) ?? [];
      expect(corners.map(([x]) => Number(x))).toEqual([200, 400, 400, 600]);
      const heights = corners.map(([, y]) => Number(y));
      expect(heights[0]).toBe(heights[1]);
      expect(heights[2]).toBe(heights[3]);
      expect(heights[2]).toBeGreaterThan(heights[1] ?? 0);
      await page.getByRole('cell', { name: '79.9', exact: true }).first().waitFor();
      expect(await page.getByText('80', { exact: true }).count()).toBe(0);
      await picture(page, 'score-just-below-its-limit');

      await page.goto('/svc/data-quality');
      const row = page.getByRole('row', { name: /Parcels.*public\.parcels/ });
      await row.getByText('79.9', { exact: true }).waitFor();
    });
  },
  inBrowser,
);
