import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { post } from '@svc/testkit/browser/people.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('writing SQL', () => {
  const fixture = useBrowserFixture();
  const text = () => fixture.main.getByRole('textbox', { name: 'SQL of this step' });
  const lines = async () =>
    (await text().locator('.cm-line').allTextContents()).map((line) => line.trimEnd());
  const list = () => fixture.page.getByRole('listbox');

  beforeAll(async () => {
    const { main, page } = fixture;
    const end = (table: string, column: string) => ({ schema: 'shop', table, columns: [column] });
    await post(page.context(), '/svc/api/data-sources/1/refresh-metadata', {});
    await post(page.context(), '/svc/api/data-sources/1/relationships', {
      source: end('orders', 'customer_id'),
      target: end('customers', 'id'),
    });
    await fixture.open('/queries/new', 'New query');
    await main.getByLabel('Name of the query').fill('Written');
    await fixture.choose('Data source', 'Shop database');
    await main.getByRole('complementary').getByText('orders', { exact: true }).first().waitFor();
  }, flowMaxMs);

  const write = async (sql: string) => {
    await text().click();
    await fixture.page.keyboard.press('ControlOrMeta+a');
    await fixture.page.keyboard.press('Delete');
    await fixture.page.keyboard.type(sql, { delay: 15 });
  };

  test(
    'Enter after a short alias starts a new line, and inserts no keyword that the user did not select',
    async () => {
      const { page } = fixture;
      await write('select amount as a');
      await page.keyboard.press('Enter');
      await page.keyboard.type('from orders');
      expect(await lines()).toEqual(['select amount as a', 'from orders']);
      await write('sel');
      await list().getByRole('option', { name: 'select', exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(lines).toEqual(['sel', '']);
    },
    flowMaxMs,
  );

  test(
    'Enter inserts a schema name that matches the typed letters, and an option selected with the arrow keys',
    async () => {
      const { page } = fixture;
      await write('select 1 from cus');
      await list()
        .getByRole('option', { name: /^customers/, selected: true })
        .waitFor();
      await picture(page, 'completion');
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await expect.poll(lines).toEqual(['select 1 from shop.customers']);
      await write('sele');
      await list().getByRole('option', { name: 'select', exact: true }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await expect.poll(lines).toEqual(['select']);
    },
    flowMaxMs,
  );

  test(
    'after JOIN, completion offers a related table with its condition',
    async () => {
      const { page } = fixture;
      await write('select 1 from shop.orders o join cus');
      const offered = 'customers on customers.id = o.customer_id';
      await list()
        .getByRole('option', { name: new RegExp(`^${offered}`), selected: true })
        .waitFor();
      await picture(page, 'completion-join');
      await page.keyboard.press('Enter');
      await expect.poll(lines).toEqual([`select 1 from shop.orders o join shop.${offered}`]);
    },
    flowMaxMs,
  );

  test(
    'the completion list closes when the query runs and when the editor loses the focus, and shows no table twice',
    async () => {
      const { main, page } = fixture;
      await write('select count(*) from orders where ord');
      await list()
        .getByRole('option', { name: /^orders/ })
        .first()
        .waitFor();
      const names = await list().getByRole('option').allTextContents();
      expect(names.filter((name) => /^orders/.test(name)).length).toBe(1);
      await page.keyboard.press('ControlOrMeta+Enter');
      await list().waitFor({ state: 'detached' });
      await write('select cus');
      await list().waitFor();
      await main.getByLabel('Name of the query').focus();
      await list().waitFor({ state: 'detached' });
    },
    flowMaxMs,
  );
});
