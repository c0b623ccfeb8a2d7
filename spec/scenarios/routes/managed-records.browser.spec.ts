import { axeFindings, picture } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { planAndApply } from '../../../packages/server/src/domains/definitions/testing/records.ts';
import { inBrowser, lookAt, withPages } from '../support/pages.ts';
import { scenario } from '../support/scenario.ts';

const files = [
  { path: 'projects/managed/project.yaml', content: 'name: Managed\n' },
  { path: 'settings/mcp.yaml', content: 'maxRows: 500\n' },
];

scenario(
  ['RT-4.3-1019'],
  'the page of a managed record names whose files it is managed from, tells why a change is refused, and lets an Admin release it',
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
