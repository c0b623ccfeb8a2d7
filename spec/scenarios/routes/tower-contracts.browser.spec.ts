import { axeFindings } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.1-34'],
  'the control tower shows the health of data contracts only to readers of the project',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId } = await deliver({}, withPages());
    await source.sql(
      `create table orders (id int primary key, status text); insert into orders values (1, null)`,
    );
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
    const add = async (name: string, minRows: number) => {
      const made = await root.post('/svc/api/data-quality/contracts', {
        projectId,
        dataSourceId,
        schemaName: 'public',
        tableName: 'orders',
        name,
        rules: [{ name: 'There are orders', type: 'Volume', severity: 'Critical', config: { minRows } }],
      });
      expect(made.status, made.text).toBe(201);
      const begun = await root.post(`/svc/api/data-quality/contracts/${made.body.id}/evaluate`);
      expect(begun.status, begun.text).toBe(202);
      return made.body.id as number;
    };
    await add('Enough orders', 1);
    const broken = await add('Many orders', 5);
    await expect
      .poll(async () => (await root.get('/svc/api/control-tower/statistics')).body, { timeout: 60_000 })
      .toMatchObject({ critical: 1, healthy: 1 });

    const viewer = await signIn(svc, await addUser(svc, 'viewer', ['Viewer']));
    await lookAt(svc.origin, viewer, async (page) => {
      await page.goto('/svc/control-tower?kind=Contract');
      const rows = page.getByRole('row');
      // The page shows placeholder rows before the data arrives.
      await page.getByRole('row', { name: /Enough orders/ }).waitFor();
      await expect
        .poll(() => rows.nth(1).textContent())
        .toMatch(/Many orders.*Contract.*Critical.*The data broke the contract/);
      await expect.poll(() => rows.nth(2).textContent()).toMatch(/Enough orders.*Contract.*Healthy/);
      expect(await axeFindings(page)).toEqual([]);
      await rows.nth(1).getByRole('link', { name: 'Many orders' }).click();
      await page.waitForURL(`**/svc/data-quality/${broken}`);
    });
    await root.put(`/svc/api/projects/${projectId}/access-mode`, { accessMode: 'Restricted' });
    await lookAt(svc.origin, viewer, async (page) => {
      await page.goto('/svc/control-tower');
      await page.getByText('Nothing to watch yet').waitFor();
    });
  },
  inBrowser,
);
