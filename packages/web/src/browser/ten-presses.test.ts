import { hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { setUp } from '@svc/testkit/browser/people.ts';
import { startWebhookSink, type WebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import type { Locator } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const pressesMax = 10;

describe.skipIf(!hasChromium)('an empty installation', () => {
  let sink: WebhookSink;
  const fixture = useBrowserFixture({
    isSetUp: false,
    service: async () => {
      sink = await startWebhookSink();
      return { withDemo: false, settings: sink.settings };
    },
  });
  afterAll(() => sink?.close());

  test(
    'reaches its first delivery with at most ten clicks, given one database and one webhook',
    async () => {
      const { main, page, service, visitor } = fixture;
      await setUp(page, service);
      const presses: string[] = [];
      /** Clicks a control. The budget counts only clicks; Tab and typing fill in the fields. */
      const press = async (control: Locator) => {
        presses.push((await control.textContent()) ?? '');
        await control.click();
      };
      const type = async (field: Locator, text: string) => {
        await field.focus();
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.type(text);
      };

      await press(main.getByRole('link', { name: 'Connect a data source' }));
      await press(main.getByText('SQLite', { exact: true }));
      await type(main.getByLabel('Name', { exact: true }), 'Orders file');
      await type(main.getByLabel('File', { exact: true }), service.ordersFile);
      await picture(page, 'ten-presses-data-source');
      await press(main.getByRole('button', { name: 'Connect', exact: true }));
      await main.getByRole('heading', { name: 'Orders file' }).waitFor();
      await press(main.getByRole('link', { name: 'New query' }));
      await type(main.getByLabel('Name of the query'), 'Large orders');
      await main.getByRole('textbox', { name: 'SQL of this step' }).focus();
      await page.keyboard.type('select customer, amount from orders where amount > 100');
      await press(main.getByRole('button', { name: 'Run query' }));
      await main.getByText('16 rows').waitFor();
      await press(main.getByRole('button', { name: 'Save and subscribe' }));
      await main.getByRole('heading', { name: 'When does it run?' }).waitFor();
      await press(main.getByRole('button', { name: 'Continue' }));
      await main.getByRole('group', { name: 'A new recipient' }).waitFor();
      await type(main.getByLabel('Destination'), `${sink.url}/hook`);
      await type(main.getByLabel('Name', { exact: true }), 'Order desk');
      await picture(page, 'ten-presses-recipient');
      await press(main.getByRole('button', { name: 'Add and continue' }));
      await main.getByRole('heading', { name: 'When should it alert, and with what?' }).waitFor();
      await press(main.getByRole('button', { name: 'Continue' }));
      await main.getByRole('heading', { name: 'This is what will happen' }).waitFor();
      await press(main.getByRole('button', { name: 'Create and send now' }));
      await page.waitForURL('**/svc/notifications/*');
      await main
        .getByRole('row', { name: /Order desk/ })
        .getByText('Sent', { exact: true })
        .waitFor();
      await picture(page, 'ten-presses-delivered');

      expect(presses.length, presses.join(' > ')).toBeLessThanOrEqual(pressesMax);
      expect(sink.received.map(({ path }) => path)).toEqual(['/hook']);
      expect(sink.received[0]?.text).toContain('"customer"');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
