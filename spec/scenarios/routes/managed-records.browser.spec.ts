import { axeFindings, picture } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { exported, planAndApply } from '../../../packages/server/src/domains/definitions/testing/records.ts';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

const files = [
  { path: 'projects/managed/project.yaml', content: 'name: Managed\n' },
  { path: 'settings/mcp.yaml', content: 'maxRows: 500\n' },
];

scenario(
  ['RT-4.3-1019'],
  'the page of a managed record names its manager, explains a refused change, and lets an Admin release it',
  async ({ deliver }) => {
    const { svc, root } = await deliver({}, withPages());
    await planAndApply(root, files, { manager: 'shop-records', managed: true });
    const { body } = await root.get('/svc/api/projects?search=Managed');
    const project = `/svc/projects/${body.items[0].id}`;
    const badge = 'Managed from files: shop-records';
    const editor = await signIn(svc, await addUser(svc, 'edna', ['Editor']));
    await lookAt(svc.origin, editor, async (page) => {
      await page.goto(project);
      await page.getByText(badge).waitFor();
      expect(await page.getByRole('button', { name: 'Release' }).count()).toBe(0);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Rename or describe' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('By hand');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/the files of shop-records: change it there and apply them/).waitFor();
    });
    await lookAt(svc.origin, root, async (page) => {
      await page.goto('/svc/mcp-settings');
      await page.getByText(badge).waitFor();
      await page.goto(project);
      await page.getByText(badge).waitFor();
      for (const [width, theme] of [
        [1440, 'light'],
        [390, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        await picture(page, `managed-${width}-${theme}`);
        expect(await axeFindings(page)).toEqual([]);
      }
      await page.getByRole('button', { name: 'Release' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
      await page.getByText(badge).waitFor({ state: 'detached' });
    });
    const object = `/svc/api/definitions/objects/Project/${body.items[0].id}`;
    expect((await root.get(object)).body).toMatchObject({ manager: 'shop-records', isManaged: false });
  },
  inBrowser,
);

scenario(
  ['RT-4.3-1070'],
  'the editors of a managed query and a managed contract state this when they open',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId, addQuery } = await deliver({}, withPages());
    await source.sql('create table orders (id int primary key)');
    const queryId = await addQuery('select id from orders', 'Orders');
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
    const { body: contract } = await root.post('/svc/api/data-quality/contracts', {
      projectId,
      name: 'Orders',
      dataSourceId,
      schemaName: 'public',
      tableName: 'orders',
      rules: [{ name: 'Some rows', type: 'Volume', config: { minRows: 1 } }],
    });
    expect(contract).toMatchObject({ name: 'Orders' });
    const editors = [`/svc/queries/${queryId}/edit`, `/svc/data-quality/${contract.id}/edit`];
    const badge = 'Managed from files: records-of-the-shop-of-the-north-east-region';
    await lookAt(svc.origin, root, async (page) => {
      for (const editor of editors) {
        await page.goto(editor);
        await page.getByText('Saved', { exact: true }).waitFor();
        await page.waitForLoadState('networkidle');
        expect(await page.getByText('Managed from files').count()).toBe(0);
      }
    });
    const manager = 'records-of-the-shop-of-the-north-east-region';
    await planAndApply(root, await exported(root), { manager, managed: true });
    await lookAt(svc.origin, root, async (page) => {
      for (const [index, editor] of editors.entries()) {
        await page.goto(editor);
        for (const [width, theme] of [
          [1440, 'light'],
          [390, 'dark'],
        ] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
          await page.getByText(badge).waitFor();
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
          await picture(page, `managed-editor-${index}-${width}-${theme}`);
          expect(await axeFindings(page)).toEqual([]);
        }
      }
    });
  },
  inBrowser,
);
