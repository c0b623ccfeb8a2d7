import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { administrator } from '@svc/testkit/browser/people.ts';
import { startWebhookSink, type WebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const clicksMax = 12;
const keysMax = 150;

const orders = ['customer,amount', ...Array.from({ length: 20 }, (_, day) => `Ada,${day * 10}`)].join('\n');

/**
 * Counts user input in the page over all loads: mouse clicks and key presses. A paste or a key combination counts as
 * one. Clicks that a click causes, such as on a labelled box, do not count.
 */
const counter = `(() => {
  const note = (what) => {
    const counts = JSON.parse(sessionStorage.getItem('hands') ?? '{"clicks":0,"keys":0}');
    counts[what] += 1;
    sessionStorage.setItem('hands', JSON.stringify(counts));
  };
  addEventListener('pointerdown', (event) => event.isTrusted && note('clicks'), true);
  addEventListener('keydown', (event) => {
    if (event.isTrusted && !['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) note('keys');
  }, true);
})()`;

type Hands = { readonly clicks: number; readonly keys: number };

describe.skipIf(!hasChromium)('an empty instance with the inbox of its host', () => {
  let sink: WebhookSink;
  const fixture = useBrowserFixture({
    isSetUp: false,
    service: async () => {
      sink = await startWebhookSink();
      return {
        withDemo: false,
        settings: { ...sink.settings, 'Svc:Host:Inbox:Enabled': true, 'Svc:Demo:InboxPort': 0 },
      };
    },
  });
  afterAll(() => sink?.close());

  test(
    `needs at most ${clicksMax} clicks and ${keysMax} keys to send its first alert, setup included`,
    async () => {
      const { main, page, service, visitor } = fixture;
      writeFileSync(path.join(path.dirname(service.ordersFile), 'late-orders.csv'), orders);
      await page.addInitScript({ content: counter });
      await page
        .context()
        .grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.origin });

      await page.goto('/svc/');
      await page.getByLabel('Setup token').waitFor();
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(service.setupToken)})`);
      await page.getByLabel('Setup token').click();
      await page.keyboard.press('ControlOrMeta+v');
      expect(await page.getByLabel('Setup token').inputValue()).toBe(service.setupToken);
      const fill = async (presses: number, text: string) => {
        for (let press = 0; press < presses; press++) await page.keyboard.press('Tab');
        await page.keyboard.type(text);
      };
      await fill(1, administrator.userName);
      await fill(1, 'Ana Kovac');
      // Skips the optional email address, and the button that shows the password.
      await fill(2, administrator.password);
      await fill(2, administrator.password);
      await page.getByRole('button', { name: 'Create administrator' }).click();
      await page.waitForURL('**/svc/home');
      const afterSetup = (await page.evaluate(`JSON.parse(sessionStorage.getItem('hands'))`)) as Hands;

      await main.getByRole('link', { name: 'Get your first alert' }).click();
      await main.getByRole('radio', { name: 'late-orders.csv' }).click();
      await picture(page, 'first-alert-data');
      expect(await axeFindings(page)).toEqual([]);
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByRole('radio', { name: 'When there are rows in late_orders', checked: true }).waitFor();
      await picture(page, 'first-alert-condition');
      expect(await axeFindings(page)).toEqual([]);
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByRole('radio', { name: 'The inbox of this host', checked: true }).waitFor();
      await picture(page, 'first-alert-recipient');
      expect(await axeFindings(page)).toEqual([]);
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByText('20 rows now: the first alert is sent at once.').waitFor();
      await picture(page, 'first-alert-send');
      expect(await axeFindings(page)).toEqual([]);
      await main.getByRole('button', { name: 'Create and send now' }).click();
      await page.waitForURL('**/svc/notifications/*');
      await main.getByRole('row', { name: /Inbox/ }).getByText('Sent', { exact: true }).waitFor();
      await picture(page, 'first-alert-delivered');

      const hands = (await page.evaluate(`JSON.parse(sessionStorage.getItem('hands'))`)) as Hands;
      expect(hands.clicks).toBeGreaterThan(afterSetup.clicks);
      expect(afterSetup.keys).toBeGreaterThan(administrator.password.length * 2);
      expect(hands.clicks).toBeLessThanOrEqual(clicksMax);
      expect(hands.keys).toBeLessThanOrEqual(keysMax);

      const { inbox } = await (await page.request.get('/svc/api/recipients/inbox')).json();
      const { received, entries } = await (await fetch(`${inbox.pageUrl}entries.json`)).json();
      expect(received).toBe(1);
      expect(entries[0].body).toContain('"customer"');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'accepts an uploaded file, a threshold and a webhook, and continues after a refused file',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/first-alert', 'Get your first alert');
      const upload = async (name: string, text: string) => {
        const chooser = page.waitForEvent('filechooser');
        await main.getByRole('button', { name: 'Upload a file' }).click();
        await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      };
      await upload('broken.csv', 'SQLite format 3\0');
      await main.getByRole('alert').getByText('It has bytes that text does not have.').waitFor();
      await upload('late-orders.csv', orders);
      await main.getByRole('alert').getByText('There is a file late-orders.csv already.').waitFor();
      await upload('shop totals.csv', orders);
      await main.getByRole('radio', { name: 'shop totals.csv', checked: true }).waitFor();
      await main.getByRole('button', { name: 'Continue' }).click();

      await main.getByRole('radio', { name: 'When my own SQL finds rows' }).click();
      await main.getByLabel('SQL', { exact: true }).fill('select nothing from shop_totals');
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByRole('alert').waitFor();
      await main.getByRole('radio', { name: 'When a number passes a line' }).click();
      await main.getByRole('textbox', { name: 'Line' }).fill('150');
      await picture(page, 'first-alert-number');
      expect(await axeFindings(page)).toEqual([]);
      await main.getByRole('button', { name: 'Continue' }).click();

      await main.getByRole('radio', { name: 'A new webhook or email address' }).click();
      await main.getByLabel('Destination').fill('ftp://example.com');
      await main.getByRole('button', { name: 'Continue' }).click();
      await expect.poll(() => main.getByLabel('Destination').getAttribute('aria-invalid')).toBe('true');
      await picture(page, 'first-alert-refused-destination');
      await main.getByLabel('Destination').fill(`${sink.url}/orders`);
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByText('4 rows now: the first alert is sent at once.').waitFor();
      await main.getByRole('button', { name: 'Create and send now' }).click();
      await page.waitForURL('**/svc/notifications/*');
      await main.getByText('Sent', { exact: true }).first().waitFor();
      await expect.poll(() => sink.received.map((each) => each.path)).toEqual(['/orders']);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'leads to the form of a connection if none exists, and back to the first alert',
    async () => {
      const { main, page, service, visitor } = fixture;
      await fixture.open('/subscriptions', 'Subscriptions');
      await fixture.open('/first-alert', 'Get your first alert');
      await main.getByRole('radio', { name: 'A connected database' }).click();
      await main.getByRole('link', { name: 'Connect a database' }).click();
      await main.getByRole('radio', { name: 'SQLite' }).check();
      await main.getByLabel('Name', { exact: true }).fill('Orders database');
      await main.getByLabel('File', { exact: true }).fill(service.ordersFile);
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.waitForURL('**/svc/first-alert?*');
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByRole('radio', { name: 'When there are rows in orders', checked: true }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
