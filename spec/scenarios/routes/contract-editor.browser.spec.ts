import { axeFindings, picture } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { contractEditor } from '../support/pages/contract-editor.ts';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

const api = '/svc/api/data-quality/contracts';

/** Creates tables with data for each type of rule, and reads their metadata. */
async function shop({ source, root, dataSourceId }: DeliveryFixture): Promise<void> {
  await source.sql(`create table customers (id int primary key);
    insert into customers select generate_series(1, 4);
    create table orders (id int primary key, customer_id int, status text, amount numeric, email text,
      placed_at timestamptz not null);
    insert into orders select n, n, case when n > 3 then 'open' end, n * 10, 'ada' || n || '@example.org', now()
      from generate_series(1, 10) n`);
  await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
}

const contractOf = ({ projectId, dataSourceId }: DeliveryFixture, rules: readonly object[]) => ({
  projectId,
  dataSourceId,
  schemaName: 'public',
  tableName: 'orders',
  name: 'Orders',
  rules,
});

scenario(
  ['RT-4.1-371', 'RT-4.1-372', 'RT-4.1-904'],
  'an Admin writes a data contract with a rule of each type, checks each rule in place, and saves the contract',
  async ({ deliver }) => {
    const fixture = await deliver({}, withPages());
    const { svc, root } = fixture;
    await shop(fixture);
    await lookAt(svc.origin, root, async (page) => {
      await page.goto('/svc/data-quality');
      await page.getByRole('link', { name: 'New data contract' }).first().click();
      const editor = contractEditor(page);
      await editor.choose('Data source', fixture.sourceName);
      await editor.choose('Table', 'public.orders');
      const { add, inRule } = editor;

      await add('Freshness');
      await editor.choose('Column', 'placed_at');
      await inRule(0).getByLabel('Fails when older than', { exact: true }).fill('2');
      await add('Volume');
      await inRule(1).getByLabel('At least this many rows').fill('20');
      await add('Null rate');
      await editor.chooseIn(inRule(2), 'Columns', 'status');
      await inRule(2).getByLabel('Fails above').fill('5');
      await inRule(2).getByLabel('Warns above (optional)').fill('1');
      await add('Range');
      await editor.chooseIn(inRule(3), 'Column', 'amount');
      await inRule(3).getByLabel('From (optional)').fill('20');
      await add('Pattern');
      await editor.chooseIn(inRule(4), 'Column', 'email');
      await inRule(4).getByLabel('Regular expression').fill('@example\\.org$');
      await add('Accepted values');
      await editor.chooseIn(inRule(5), 'Column', 'status');
      await inRule(5).getByRole('combobox', { name: 'Accepted values' }).fill('open');
      await page.keyboard.press('Enter');
      await add('Referential');
      await editor.chooseIn(inRule(6), 'Columns', 'customer_id');
      await page.keyboard.press('Escape');
      await editor.chooseIn(inRule(6), 'Refers to', 'public.customers');
      await add('Uniqueness');
      await editor.chooseIn(inRule(7), 'Columns', 'id');
      await page.keyboard.press('Escape');
      await editor.chooseIn(inRule(7), 'Severity', 'Critical');
      await add('Schema');
      await inRule(8).getByRole('button', { name: 'Do not expect amount' }).click();
      await add('Custom SQL');
      const sql = inRule(9).getByRole('textbox', { name: 'SQL', exact: true });
      await sql.click();
      await page.keyboard.type('select id, emaul from ord');
      await page
        .getByRole('listbox')
        .getByRole('option', { name: /^orders/ })
        .waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.type('ers where amount > 90');
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect.poll(() => inRule(9).textContent(), { timeout: 60_000 }).toMatch(/Error.*emaul/);
      await inRule(9).locator('.cm-lintRange-error', { hasText: 'emaul' }).waitFor();
      expect(await sql.getAttribute('aria-invalid')).toBe('true');
      await picture(page, 'contract-custom-sql');
      expect(await axeFindings(page)).toEqual([]);
      await sql.fill('select id, email from orders where amount > 90');
      await inRule(9).locator('.cm-lintRange-error').waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Check all' }).click();
      const answers = [
        /Passed.*\d+ minutes? old/,
        /Failed.*10 rows/,
        /Warned.*3 of 10/,
        /Failed.*1 of 10/,
        /Passed.*0 of 10/,
        /Passed.*0 of 10/,
        /Failed.*6 of 10/,
        /Passed.*0 of 10/,
        /Passed/,
        /Failed.*1 of 10/,
      ];
      for (const [at, answer] of answers.entries())
        await expect.poll(() => inRule(at).textContent(), { timeout: 60_000 }).toMatch(answer);
      // Failing rows appear at their rule, without email addresses.
      const failing = inRule(9).getByRole('region', { name: 'Rows that broke the rule' });
      await failing.getByRole('cell', { name: '10', exact: true }).waitFor();
      expect(await page.getByText(/ada\d+@example\.org/).count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      expect((await root.get(api)).body.totalCount).toBe(0);

      await page.getByRole('textbox', { name: 'Name of the contract' }).fill('Orders');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    });
    const [{ id }] = (await root.get(api)).body.items;
    const { body } = await root.get(`${api}/${id}`);
    const rule = (type: string, rest: object) => ({ type, severity: 'Medium', failAbove: 0, ...rest });
    expect(body.rules).toMatchObject([
      rule('Freshness', { columns: ['placed_at'], config: { maxAgeMinutes: 2_880 } }),
      rule('Volume', { name: 'At least 20 rows', config: { minRows: 20 } }),
      rule('NullRate', { columns: ['status'], failAbove: 5, warnAbove: 1 }),
      rule('Range', { columns: ['amount'], config: { min: '20', max: null } }),
      rule('Pattern', { columns: ['email'], config: { pattern: '@example\\.org$' } }),
      rule('AcceptedValues', { columns: ['status'], config: { values: ['open'] } }),
      rule('Referential', {
        name: 'customer_id exists in customers',
        columns: ['customer_id'],
        config: { schema: 'public', table: 'customers', columns: ['id'] },
      }),
      rule('Uniqueness', { columns: ['id'], severity: 'Critical' }),
      rule('Schema', {
        config: {
          expected: [
            { name: 'id', databaseType: 'integer', isNullable: false },
            { name: 'customer_id' },
            { name: 'status' },
            { name: 'email' },
            { name: 'placed_at', isNullable: false },
          ],
        },
      }),
      rule('CustomSql', {
        config: { kind: 'FailingRows', sql: 'select id, email from orders where amount > 90' },
      }),
    ]);
    expect(body.schedule).toMatchObject({ cronExpression: '0 8 * * *' });
  },
  inBrowser,
);

scenario(
  ['RT-4.1-371', 'RT-4.1-373', 'RT-4.1-374'],
  'an Editor changes a data contract and sees errors in place, and can change neither custom SQL nor the owner',
  async ({ deliver }) => {
    const fixture = await deliver({}, withPages());
    const { svc, root } = fixture;
    await shop(fixture);
    const made = await root.post(
      api,
      contractOf(fixture, [
        { name: 'Status', type: 'NullRate', columns: ['status'] },
        { name: 'Own', type: 'CustomSql', config: { sql: 'select id from orders', kind: 'FailingRows' } },
      ]),
    );
    expect(made.status, made.text).toBe(201);
    const path = `${api}/${made.body.id}`;
    const editor = await signIn(svc, await addUser(svc, 'editor', ['Editor']));
    const look = async (page: Page) => {
      await page.goto(`/svc/data-quality/${made.body.id}`);
      expect(await page.getByRole('button', { name: 'Change owner' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      const { inRule, add } = contractEditor(page);
      await page.getByRole('button', { name: 'Status', exact: true }).click();
      await page.getByRole('button', { name: 'Own', exact: true }).click();
      expect(await page.getByRole('button', { name: 'Check: Own' }).isDisabled()).toBe(true);
      await inRule(1).getByText('Only an Admin adds or changes custom SQL', { exact: false }).waitFor();
      expect(await inRule(1).getByLabel('SQL', { exact: true }).isEditable()).toBe(false);
      await page.getByRole('button', { name: 'Add rule' }).click();
      expect(await page.getByRole('menuitem', { name: /^Custom SQL/ }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');

      await inRule(0).getByLabel('Name (optional)').fill('Every order has a status');
      await inRule(0).getByLabel('Warns above (optional)').fill('9');
      await add('Pattern');
      await contractEditor(page).chooseIn(inRule(2), 'Column', 'email');
      await inRule(2).getByLabel('Regular expression').fill('(');
      const save = page.getByRole('button', { name: 'Save', exact: true });
      await save.click();
      await inRule(0).getByText('Not above the number that fails.').waitFor();
      await inRule(0).getByLabel('Warns above (optional)').fill('');
      await save.click();
      // An error that only the service detects appears at its field as well.
      await inRule(2).getByText('Is no regular expression.').waitFor();
      await inRule(2).getByLabel('Regular expression').fill('@');
      await page.getByLabel('Fails below').fill('99');
      await save.click();
      await page.getByText('Not above the score that warns.').waitFor();
      await page.getByLabel('Fails below').fill('50');
      expect(await axeFindings(page)).toEqual([]);
      await save.click();
      await page.getByRole('button', { name: 'Evaluate now' }).click();
      const failed = page.getByRole('listitem').filter({ hasText: 'Every order has a status' });
      await failed.getByText('3 of 10 rows broke it').waitFor();
      await page.getByRole('tab', { name: 'Evaluations' }).click();
      await page.getByRole('img', { name: /^Scores of 1 evaluation: .* at the end, / }).waitFor();
      await page.getByRole('table', { name: 'Evaluations' }).getByRole('link').first().click();
      await page.waitForURL((url) => url.searchParams.has('evaluation'));
      await failed.getByText('3 of 10 rows broke it').waitFor();
    };
    await lookAt(svc.origin, editor, look);
    const after = (await root.get(path)).body;
    expect(after).toMatchObject({ failScore: 50, version: 2 });
    expect(after.rules.map(({ id }: { id: number }) => id).slice(0, 2)).toEqual(
      made.body.rules.map(({ id }: { id: number }) => id),
    );
    expect(after.rules).toMatchObject([
      { name: 'Every order has a status' },
      { name: 'Own' },
      { type: 'Pattern' },
    ]);

    await addUser(svc, 'heir', ['Editor']);
    await lookAt(svc.origin, root, async (page) => {
      await page.goto(`/svc/data-quality/${made.body.id}`);
      await page.getByRole('button', { name: 'Change owner' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Owner' }).fill('heir');
      await page.getByRole('option', { name: 'heir' }).click();
      await dialog.getByRole('button', { name: 'Change owner' }).click();
      await page.getByRole('complementary', { name: 'Facts' }).getByText('heir').waitFor();
    });
    expect((await root.get(path)).body.ownerName).toBe('heir');
  },
  inBrowser,
);

scenario(
  ['RT-4.1-375'],
  'of two editors of a data contract, the later one sees the differences, overwrites nothing, and can save a copy',
  async ({ deliver }) => {
    const fixture = await deliver({}, withPages());
    const { svc, root } = fixture;
    await shop(fixture);
    const rules = [{ name: 'Status', type: 'NullRate', columns: ['status'] }];
    const made = await root.post(api, contractOf(fixture, rules));
    expect(made.status, made.text).toBe(201);
    const path = `${api}/${made.body.id}`;
    await lookAt(svc.origin, root, async (page) => {
      await page.goto(`/svc/data-quality/${made.body.id}/edit`);
      await page.getByRole('textbox', { name: 'Name of the contract' }).fill('Orders, mine');
      const theirs = await root.put(path, {
        ...contractOf(fixture, [{ ...made.body.rules[0], failAbove: 7 }]),
        name: 'Orders, theirs',
      });
      expect(theirs.status, theirs.text).toBe(200);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const conflict = page.getByRole('alert', { name: 'Changed meanwhile' });
      await conflict.getByText('Orders, theirs', { exact: true }).waitFor();
      await conflict.getByText('Fail above: 7').waitFor();
      expect((await root.get(path)).body.name).toBe('Orders, theirs');
      expect(await axeFindings(page)).toEqual([]);
      await conflict.getByRole('button', { name: 'Keep mine as a copy' }).click();
      await page.getByRole('heading', { name: 'Orders, mine (my copy)', level: 1 }).waitFor();
    });
    const { items } = (await root.get(`${api}?sort=name`)).body;
    expect(items.map(({ name }: { name: string }) => name)).toEqual([
      'Orders, mine (my copy)',
      'Orders, theirs',
    ]);
  },
  inBrowser,
);

scenario(
  ['RT-4.1-376'],
  'a data contract alerts on change, has quiet hours, opens tasks as configured, and can be imported from its document',
  async ({ deliver }) => {
    const fixture = await deliver({}, withPages());
    const { svc, root } = fixture;
    await shop(fixture);
    const made = await root.post(
      api,
      contractOf(fixture, [{ name: 'Status', type: 'NullRate', columns: ['status'] }]),
    );
    expect(made.status, made.text).toBe(201);
    const path = `${api}/${made.body.id}`;
    await lookAt(svc.origin, root, async (page) => {
      await page.goto(`/svc/data-quality/${made.body.id}/edit`);
      await page.getByLabel('When it starts to fail, and when it recovers').check();
      await page.getByLabel('Alert after this many failures').fill('2');
      await page.getByLabel('Quiet hours').check();
      await page.getByLabel('Alert at once when a critical rule fails').check();
      await page.getByLabel('Open a task when it fails').check();
      await page.getByLabel('Due within, in hours (optional)').fill('800');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('From 1 to 720.').waitFor();
      await page.getByLabel('Due within, in hours (optional)').fill('8');
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('link', { name: 'Created, due within 8 hours' }).waitFor();
      expect((await root.get(path)).body).toMatchObject({
        alertMode: 'OnChange',
        createTasks: true,
        slaHours: 8,
        alert: { pendingRuns: 2 },
        quietHours: { criticalPasses: true },
      });

      const document = (await root.get(`${path}/odcs`)).text;
      await page.goto('/svc/data-quality');
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Import data contracts' });
      const { chooseIn } = contractEditor(page);
      await chooseIn(dialog, 'Project', 'Shop');
      await chooseIn(dialog, 'Data source', fixture.sourceName);
      await dialog.getByLabel('Document').fill(document);
      await dialog.getByRole('button', { name: 'Review' }).click();
      await dialog.getByRole('region', { name: 'Result' }).getByText('public.orders').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect((await root.get(api)).body.totalCount).toBe(1);
      await dialog.getByRole('button', { name: 'Import 1 data contract' }).click();
      await page.getByRole('button', { name: 'Evaluate now' }).waitFor();
    });
    expect((await root.get(api)).body.totalCount).toBe(2);
  },
  inBrowser,
);
