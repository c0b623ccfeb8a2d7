import { hasChromium, openBrowser, type TestBrowser, visit } from '@svc/testkit/browser/browser.ts';
import { startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addRecipient, addSubscription, recipientOf, runNow } from '@svc/testkit/runs/subscribe.ts';
import { buildWeb } from '@svc/testkit/service/web-build.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

/** Options of scenarios in a real browser. Without Chromium, they are skipped and a log line reports it. */
const inBrowser = { skip: !hasChromium, timeout: 900_000 };
const startMaxMs = 900_000;
/** Well under the minute after which a live page requests its data again. */
const liveMaxMs = 25_000;

let browser: TestBrowser;
let pages: { folder: string };

beforeAll(async () => {
  if (!hasChromium) return;
  pages = { folder: buildWeb() };
  browser = await openBrowser();
}, startMaxMs);
afterAll(() => browser?.close());

/** Starts a service, runs a subscription once, and prepares a page with the session of its owner. */
async function onNotifications(settings: Record<string, unknown> = {}) {
  const fixture = await startDeliveryFixture({ config: settings, svc: { pages } });
  const queryId = await fixture.addQuery('select 1 as one', 'The only query');
  const recipientIds = [
    await addRecipient(fixture.root, { ...recipientOf.Webhook, destination: fixture.sink.url }),
  ];
  const subscriptionId = await addSubscription(fixture.root, { queryId, recipientIds });
  await runNow(fixture.root, subscriptionId);
  const { context, page, complaints } = await visit(browser, fixture.svc.origin);
  const url = fixture.svc.origin;
  await context.addCookies([...fixture.root.cookies].map(([name, value]) => ({ name, value, url })));
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  return {
    page,
    asked,
    complaints,
    runAgain: () => runNow(fixture.root, subscriptionId),
    close: async () => {
      await context.close();
      await fixture.close();
    },
  };
}

const rows = (page: Page) => page.getByRole('row', { name: /The only query/ });
const newer = (page: Page) => page.getByRole('button', { name: /newer/i });

scenario(
  ['RT-4.5-01', 'RT-6-04'],
  'a new notification appears on the pages of its user without a reload',
  async () => {
    const { page, complaints, runAgain, close } = await onNotifications();
    const shaken = new Promise<void>((resolve) =>
      page.on('websocket', (socket) => socket.once('framereceived', () => resolve())),
    );
    await page.goto('/svc/notifications');
    await rows(page).first().waitFor();
    // The hub's response to the handshake: from here on, the page receives all events.
    await shaken;
    await runAgain();
    await newer(page).waitFor({ timeout: liveMaxMs });
    // Visible rows move only on the user's request.
    await expect.poll(() => rows(page).count()).toBe(1);
    await newer(page).click();
    await rows(page).nth(1).waitFor();
    expect(complaints).toEqual([]);
    await close();
  },
  inBrowser,
);

scenario(
  ['RT-4.5-08'],
  'with realtime off, the pages do not request the hub, and show new runs after polling or a reload',
  async () => {
    const { page, asked, complaints, runAgain, close } = await onNotifications({
      'Svc:Realtime:Enabled': false,
    });
    await page.goto('/svc/notifications');
    await rows(page).first().waitFor();
    await runAgain();
    await newer(page).waitFor({ timeout: startMaxMs });
    await page.reload();
    await rows(page).nth(1).waitFor();
    expect(asked.filter((path) => path.startsWith('/svc/api/hub'))).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  },
  inBrowser,
);
