import { axeFindings, picture } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

type Listed = { readonly id: number; readonly name: string; readonly priority: string };

scenario(
  ['RT-4.1-347'],
  'several selected tasks get a priority and a resolution together; a refused task remains selected with its reason',
  async ({ deliver }) => {
    const { svc, root, addQuery } = await deliver({}, withPages());
    const names = ['Alarms', 'Delays', 'Returns'];
    for (const name of names) {
      const queryId = await addQuery('select 1 as one', name);
      await runNow(root, await addSubscription(root, { queryId, recipientIds: [], createTasks: true }));
    }
    const find = async (query: string): Promise<Listed[]> =>
      (await root.get(`/svc/api/tasks?${query}`)).body.items;
    await expect.poll(async () => (await find('state=Open')).length).toBe(3);

    const viewer = await signIn(svc, await addUser(svc, 'viewer', ['Viewer']));
    await lookAt(svc.origin, viewer, async (page) => {
      await page.goto('/svc/tasks');
      await page.getByRole('row', { name: /Alarms/ }).waitFor();
      await page.getByRole('row', { name: /Returns/ }).waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
    });

    await lookAt(svc.origin, root, async (page) => {
      await page.goto('/svc/tasks');
      for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).waitFor();
      await page.getByRole('checkbox', { name: 'Select Delays' }).check();
      const bar = page.getByRole('region', { name: 'Selected rows' });
      await bar.getByText('1 selected').waitFor();
      await bar.getByRole('button', { name: 'Clear selection' }).click();
      await bar.waitFor({ state: 'detached' });

      await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
      await bar.getByText('3 selected').waitFor();
      for (const [width, theme] of [
        [1440, 'light'],
        [1024, 'dark'],
        [390, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        await picture(page, `tasks-selected-${width}-${theme}`);
        expect(await axeFindings(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        );
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await bar.getByRole('button', { name: 'Priority' }).click();
      await page.getByRole('menuitem', { name: 'High' }).click();
      await page.getByText('3 tasks given their new priority.').waitFor();
      expect((await find('state=Open')).map(({ priority }) => priority)).toEqual(['High', 'High', 'High']);
      await bar.waitFor({ state: 'detached' });

      await page.goto('/svc/tasks?state=All');
      await page.getByRole('checkbox', { name: 'Select Alarms' }).waitFor();
      // Another user resolves one task meanwhile. That task is refused, and the other tasks are resolved.
      await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
      await bar.getByRole('button', { name: 'Resolve' }).click();
      const dialog = page.getByRole('dialog', { name: 'Resolve 3 tasks?' });
      await dialog.getByRole('textbox').fill('Seen to together.');
      const [one] = await find('search=Delays');
      await root.post(`/svc/api/tasks/${one?.id}/resolve`, {});
      await dialog.getByRole('button', { name: 'Resolve 3 tasks' }).click();
      await page.getByText('2 tasks resolved.').waitFor();
      await page.getByText(/^“Delays”: /).waitFor();
      expect(await find('state=Open')).toEqual([]);
      await bar.getByText('1 selected').waitFor();
      expect(await page.getByRole('checkbox', { name: 'Select Delays' }).isChecked()).toBe(true);
      await bar.getByRole('button', { name: 'Reopen' }).click();
      await page.getByText('1 task reopened.').waitFor();
      expect((await find('state=Open')).map(({ name }) => name)).toEqual(['Delays']);
    });
  },
  inBrowser,
);

scenario(
  ['RT-4.1-1476'],
  'the page of a task begins with its stored rows, and without stored rows with its timeline',
  async ({ deliver }) => {
    const { svc, root, addQuery } = await deliver({}, withPages());
    const open = async (storeResults: boolean): Promise<number> => {
      const queryId = await addQuery('select 1 as one', storeResults ? 'Stored' : 'Unstored');
      const id = await addSubscription(root, {
        queryId,
        recipientIds: [],
        createTasks: true,
        storeResults,
      });
      await runNow(root, id);
      return (await root.get(`/svc/api/tasks?subscriptionId=${id}`)).body.items[0].id;
    };
    const [stored, unstored] = [await open(true), await open(false)];
    await lookAt(svc.origin, root, async (page) => {
      const tabs = page.getByRole('tab');
      await page.goto(`/svc/tasks/${stored}`);
      await page.getByRole('tab', { name: 'Rows', selected: true }).waitFor();
      await page.getByRole('region', { name: 'Last kept result' }).waitFor();
      expect(await tabs.allTextContents()).toEqual(['Rows', 'Timeline', 'Runs', 'Earlier and later']);

      await page.goto(`/svc/tasks/${unstored}`);
      await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor();
      expect(await tabs.allTextContents()).toEqual(['Timeline', 'Runs', 'Rows', 'Earlier and later']);
      await page.getByRole('tab', { name: 'Rows' }).click();
      await page.getByText('No stored rows').waitFor();
      await picture(page, 'task-without-rows');
    });
  },
  inBrowser,
);
