import { readFile } from 'node:fs/promises';
import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const endless = 'select count(*) from generate_series(1, 10000000000)';

describe.skipIf(!hasChromium)('work with records and runs on the pages', () => {
  const fixture = useBrowserFixture();

  const { open, choose, act } = fixture;

  test(
    'a result can be downloaded as CSV and XLSX, and the CSV is masked',
    async () => {
      const { main, page, visitor } = fixture;
      await open('/queries/1', 'Delayed orders');
      await main.getByRole('button', { name: 'Run query' }).click();
      await main.getByRole('grid', { name: 'Result' }).waitFor();
      const download = async (kind: string) => {
        await main.getByRole('button', { name: 'Download', exact: true }).click();
        const coming = page.waitForEvent('download');
        await page.getByRole('menuitem', { name: kind }).click();
        const file = await coming;
        return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
      };
      const csv = await download('CSV');
      expect(csv.name).toBe('Delayed orders.csv');
      const [heading = '', first = ''] = csv.content.toString('utf8').split('\r\n');
      expect(heading).toContain('order_id,placed_at,customer,email');
      expect(first).not.toMatch(/@/);
      const xlsx = await download('Excel (XLSX)');
      expect(xlsx.name).toBe('Delayed orders.xlsx');
      expect(xlsx.content.subarray(0, 2).toString()).toBe('PK');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a run can be stopped, and the service confirms that it has ended',
    async () => {
      const { main, page, visitor } = fixture;
      await open('/queries/new', 'New query');
      await choose('Data source', 'Shop database');
      await main.getByLabel('Name of the query').fill('Endless');
      await main.getByRole('textbox', { name: 'SQL of this step' }).click();
      await page.keyboard.type(endless);
      await main.getByRole('button', { name: 'Run query' }).click();
      await main.getByRole('button', { name: 'Stop', exact: true }).click();
      await main.getByText('The service confirms that the data source has ended it.').waitFor();
      await main.getByRole('textbox', { name: 'SQL of this step' }).click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('select 1 as one');
      await main.getByRole('button', { name: 'Run query' }).click();
      await main.getByText('1 row', { exact: true }).waitFor();
      await main.getByRole('textbox', { name: 'SQL of this step' }).click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(endless);
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await main.getByText('Saved', { exact: true }).waitFor();
      // Waits for the page of the saved query, which replaces the page of the new query.
      await main.getByRole('heading', { name: 'Edit Endless', level: 1 }).waitFor();
      await main.getByRole('button', { name: 'Run query' }).click();
      await main.getByRole('button', { name: 'Stop', exact: true }).click();
      await main.getByText('The service confirms that the data source has ended it.').waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a query joins steps over two data sources with a parameter, and completion offers the columns of the steps',
    async () => {
      const { main, page, visitor } = fixture;
      await open('/queries/new', 'New query');
      await main.getByLabel('Name of the query').fill('Two sources');
      await choose('Data source', 'Shop database');
      const text = (name: string) => main.getByRole('textbox', { name });
      await text('SQL of this step').click();
      await page.keyboard.type('select 1 as number, {{word}} as word');
      await main.getByRole('button', { name: 'Join with another data source' }).click();
      await main.getByLabel('Name of this step').fill('letters');
      await choose('Data source', 'Sales targets (file)');
      await text('SQL of this step').click();
      await page.keyboard.type("select 1 as number, 'B' as letter");
      await main.getByRole('button', { name: 'Final query' }).click();
      await text('SQL of the final query').click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(
        'select step1.word, letters.letter from step1 join letters using (number) where letters.',
      );
      await page.getByRole('listbox').getByRole('option', { name: 'letter', exact: true }).waitFor();
      await picture(page, 'completion-of-steps');
      await page.keyboard.press('Escape');
      await page.keyboard.type("letter = 'B'");
      await main.getByRole('button', { name: /^Parameters/ }).click();
      await main.getByLabel('Default of word').fill('A');
      await main.getByRole('button', { name: 'Run all' }).click();
      await main.getByRole('gridcell', { name: 'A', exact: true }).waitFor();
      await main.getByRole('gridcell', { name: 'B', exact: true }).waitFor();
      await page.setViewportSize({ width: 800, height: 900 });
      const panel = main.getByRole('complementary', { name: 'Tables, parameters, checks, plan and runs' });
      await panel.waitFor({ state: 'hidden' });
      await main.getByRole('button', { name: 'Tables, parameters, plan' }).click();
      await panel.getByLabel('Default of word').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'editor-800-panel');
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'hidden' });
      await page.setViewportSize({ width: 1440, height: 900 });
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await main.getByText('Saved', { exact: true }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a recipient can be added, edited without showing its destination, and archived',
    async () => {
      const { main, page, visitor } = fixture;
      await open('/recipients', 'Recipients');
      await main.getByRole('button', { name: 'New recipient' }).click();
      const adding = page.getByRole('dialog', { name: 'New recipient' });
      await choose('Channel', 'Webhook');
      await adding.getByLabel('Name', { exact: true }).fill('Desk');
      await adding.getByLabel('Webhook address').fill('https://hooks.example.com/services/secret-part');
      await adding.getByRole('button', { name: 'Add recipient' }).click();
      await main.getByRole('row', { name: /Desk/ }).waitFor();
      await act('Actions for Desk', 'Edit');
      const editing = page.getByRole('dialog', { name: 'Edit Desk' });
      expect(await editing.getByLabel('Webhook address').inputValue()).not.toContain('secret-part');
      await editing.getByLabel('Name', { exact: true }).fill('Order desk');
      await editing.getByRole('button', { name: 'Add a header' }).click();
      await editing.getByLabel('Name of header 1').fill('Authorization');
      await editing.getByLabel('Value of header 1').fill('Bearer of-the-desk');
      expect(await axeFindings(page)).toEqual([]);
      await editing.getByRole('button', { name: 'Save' }).click();
      await main.getByRole('row', { name: /Order desk/ }).waitFor();
      await act('Actions for Order desk', 'Archive');
      await page.getByRole('button', { name: 'Archive recipient' }).click();
      await main.getByRole('row', { name: /Order desk/ }).waitFor({ state: 'detached' });
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a user can be added, edited, made a member of a project that is then restricted, and switched off',
    async () => {
      const { main, page, visitor } = fixture;
      await open('/users', 'Users');
      await main.getByRole('button', { name: 'New user' }).click();
      const adding = page.getByRole('dialog', { name: 'New user' });
      await adding.getByLabel('User name', { exact: true }).fill('mia');
      await adding.getByLabel('First password', { exact: true }).fill('Starting-word-9');
      await adding.getByRole('button', { name: 'Add user' }).click();
      await act('Actions for mia', 'Edit');
      const editing = page.getByRole('dialog', { name: 'Edit mia' });
      await editing.getByLabel('Display name (optional)').fill('Mia Horvat');
      await editing.getByRole('button', { name: 'Save' }).click();
      await main.getByRole('row', { name: /Mia Horvat/ }).waitFor();
      await act('Actions for mia', 'Change roles');
      await page.getByRole('dialog').getByRole('checkbox', { name: 'Editor' }).check();
      await page.getByRole('button', { name: 'Change roles' }).click();
      await main
        .getByRole('row', { name: /Mia Horvat/ })
        .getByText(/Editor/)
        .waitFor();

      await open('/projects/1?tab=members', 'Demo shop');
      await main.getByRole('button', { name: 'Add a member' }).click();
      await page.getByRole('dialog').getByLabel('User name').fill('mia');
      await page.getByRole('button', { name: 'Add member' }).click();
      await main.getByRole('row', { name: /Mia Horvat/ }).waitFor();
      await choose('Role of mia', 'Editor');
      await act('More actions', 'Restrict to members');
      await page.getByRole('button', { name: 'Restrict project' }).click();
      await main.getByText('Restricted', { exact: true }).waitFor();
      await act('More actions', 'Open to everybody with a role');
      await page.getByRole('button', { name: 'Open project' }).click();
      await main.getByText('Open', { exact: true }).waitFor();
      await main.getByRole('button', { name: 'Remove mia' }).click();
      await page.getByRole('button', { name: 'Remove member' }).click();
      await main.getByRole('row', { name: /Mia Horvat/ }).waitFor({ state: 'detached' });

      await open('/users?search=mia', 'Users');
      await act('Actions for mia', 'Switch off');
      await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
      await main
        .getByRole('row', { name: /Mia Horvat/ })
        .getByText('Off', { exact: true })
        .waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'the audit page can be filtered by a group of events, and by the event of one entry',
    async () => {
      const { main, page, visitor } = fixture;
      await open('/audit', 'Audit');
      const table = main.getByRole('table', { name: 'Audit' });
      await main.getByRole('button', { name: 'Event', exact: true }).first().click();
      await page.getByRole('menuitem', { name: 'Users' }).click();
      await page.waitForURL((url) => url.searchParams.get('event') === 'users');
      await table.getByRole('button', { name: 'Users: created' }).first().click();
      const entry = page.getByRole('dialog', { name: 'Users: created' });
      await entry.getByRole('link', { name: 'users.created' }).click();
      await page.waitForURL((url) => url.searchParams.get('event') === 'users.created');
      await main.getByText('Users: created').first().waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a subscription can be replaced by one with the same recipients, and the earlier one is archived',
    async () => {
      const { main, page, visitor } = fixture;
      await open('/subscriptions/1', 'Delayed orders');
      await main.getByRole('link', { name: 'Replace' }).click();
      await main.getByRole('heading', { name: 'Replace a subscription' }).waitFor();
      await main.getByRole('heading', { name: 'When does it run?' }).waitFor();
      await choose('How often', 'Every day');
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByRole('checkbox', { name: 'Demo inbox', checked: true }).waitFor();
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByRole('heading', { name: 'When should it alert, and with what?' }).waitFor();
      await main.getByRole('button', { name: 'Continue' }).click();
      await main
        .getByRole('checkbox', { name: 'Archive the one that this replaces', checked: true })
        .waitFor();
      await main.getByRole('button', { name: 'Create subscription' }).click();
      await page.waitForURL((url) => /\/subscriptions\/(?!1$)\d+$/.test(url.pathname));
      await open('/subscriptions/1', 'Delayed orders');
      await main.getByText('Archived', { exact: true }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
