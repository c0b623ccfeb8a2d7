import { hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { administrator, setUp } from '@svc/testkit/browser/people.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('from setup to the first delivery', () => {
  const fixture = useBrowserFixture({ isSetUp: false });

  test(
    'a new user sets up, connects a file, writes and runs a query, subscribes and sees the delivery, by mouse',
    async () => {
      const { page, service, visitor } = fixture;
      await setUp(page, service);

      await page.getByRole('link', { name: 'Projects', exact: true }).click();
      await page.getByRole('link', { name: 'New project' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Orders desk');
      await page.getByRole('button', { name: 'Create project' }).click();
      await page.getByRole('heading', { name: 'Orders desk' }).waitFor();

      await page.getByRole('link', { name: 'Data sources', exact: true }).click();
      await page.getByRole('link', { name: 'Connect a data source' }).click();
      await page.getByRole('radio', { name: 'SQLite' }).check();
      await page.getByLabel('Name', { exact: true }).fill('Orders file');
      await page.getByLabel('File', { exact: true }).fill(service.ordersFile);
      await page.getByRole('combobox', { name: /Project that may use it/ }).click();
      await page.getByRole('option', { name: 'Orders desk' }).click();
      await page.getByRole('button', { name: 'Test connection' }).click();
      await page.getByText('Connected', { exact: true }).waitFor();
      await picture(page, 'flow-data-source');
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('heading', { name: 'Orders file' }).waitFor();
      await page.getByText('orders', { exact: true }).waitFor();

      await page.getByRole('link', { name: 'Projects', exact: true }).click();
      await page.getByRole('link', { name: 'Orders desk' }).click();
      await page.getByRole('link', { name: 'New query' }).first().click();
      await page.getByRole('combobox', { name: 'Data source' }).click();
      await page.getByRole('option', { name: 'Orders file' }).click();
      await page.getByLabel('Name of the query').fill('Large orders');
      const editor = page.getByRole('textbox', { name: 'SQL of this step' });
      await editor.click();
      await page.keyboard.type('select o.cust');
      await page.keyboard.press('Home');
      await page.keyboard.press('End');
      await page.keyboard.type('omer, o.amount, o.placed_on from orders o where o.amount > {{least}}');
      await page.getByRole('button', { name: /^Parameters/ }).click();
      await page.getByRole('combobox', { name: 'Type of least' }).click();
      await page.getByRole('option', { name: 'Number' }).click();
      await page.getByLabel('Default of least').fill('100');
      await page.getByRole('button', { name: 'Run query' }).click();
      await page.getByText('16 rows').waitFor();
      await picture(page, 'flow-result');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('“Large orders” was saved.').waitFor();

      await page.getByRole('main').getByRole('link', { name: 'Subscribe', exact: true }).click();
      await page.getByRole('heading', { name: 'When does it run?' }).waitFor();
      await page.getByText('08:00', { exact: false }).first().waitFor();
      await picture(page, 'flow-schedule');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('checkbox', { name: 'Demo inbox' }).check();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('radio', { name: 'After every run' }).check();
      await lookAtMessageFields(page);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Try the query' }).click();
      await page.getByText('It answers 16 rows now').waitFor();
      await picture(page, 'flow-summary');
      await page.getByRole('button', { name: 'Create subscription' }).click();
      await page.getByRole('button', { name: 'Test now' }).click();
      await page.waitForURL('**/svc/notifications/*');
      const delivery = page.getByRole('row', { name: /Demo inbox/ });
      await delivery.getByText('Sent', { exact: true }).waitFor();
      await picture(page, 'flow-delivered');
      await page.getByRole('tab', { name: 'Rows' }).click();
      await page.getByRole('gridcell', { name: '2026-02-27' }).waitFor();

      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'signing in after signing out leads to the page that the user requested',
    async () => {
      const { page, visitor } = fixture;
      await page.getByRole('button', { name: new RegExp(`Account of ${administrator.displayName}`) }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await page.getByText('You are signed out.').waitFor();
      await page.goto('/svc/queries?search=large');
      await page.waitForURL('**/svc/login?*');
      await page.getByLabel('User name').fill(administrator.userName);
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Password', { exact: true }).fill(administrator.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL('**/svc/queries?search=large');
      await page.getByRole('link', { name: 'Large orders' }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'the editor marks an error at its place, and a link asks before it discards an unsaved change',
    async () => {
      const { page, visitor } = fixture;
      await page.getByRole('link', { name: 'Large orders' }).click();
      await page.getByRole('link', { name: 'Edit' }).click();
      const editor = page.getByRole('textbox', { name: 'SQL of this step' });
      await editor.click();
      await page.keyboard.press('ControlOrMeta+a');
      // Over coloured text: native input would attempt an inline style, which the policy blocks with a console error.
      await page.keyboard.type('select nothing_here from orders');
      await page.keyboard.press('ControlOrMeta+Enter');
      await page.getByRole('alert').waitFor();
      await page.locator('.cm-lintRange-error').waitFor();
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.waitForURL('**/svc/home');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'an unknown path under /svc leads to Home',
    async () => {
      const { page } = fixture;
      await page.goto('/svc/no/such/page');
      await page.waitForURL('**/svc/home');
    },
    flowMaxMs,
  );
});

/** Checks the fixed names of the settings of a message. */
async function lookAtMessageFields(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Max rows (optional)' }).waitFor();
  await page.getByRole('checkbox', { name: 'Show query text in notification' }).waitFor();
  const attachment = page.getByRole('checkbox', { name: 'Include results as attachment' });
  await attachment.check();
  await page.getByRole('combobox', { name: 'Attachment format' }).waitFor();
  await attachment.uncheck();
}
