import {
  hasChromium,
  openBrowser,
  settled,
  type TestBrowser,
  type Visitor,
  visit,
} from '@svc/testkit/browser/browser.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  type BusyFixture,
  startBusyFixture,
} from '../../../packages/jobs-dashboard/src/testing/busy-fixture.ts';
import { endpointIds } from '../../../packages/jobs-dashboard/src/testing/observed.ts';
import { serveDashboard } from '../../../packages/jobs-dashboard/src/testing/served.ts';
import { scenario } from '../support/scenario.ts';

/**
 * Time limit for the start of the fixture and the browser. Without Chromium, the scenarios check nothing and a log
 * line reports it.
 */
const startMaxMs = 900_000;
const flow = { timeout: 900_000 };
let fixture: BusyFixture;
let browser: TestBrowser;
let visitor: Visitor;

beforeAll(async () => {
  if (!hasChromium) return;
  fixture = await startBusyFixture();
  browser = await openBrowser();
  visitor = await visit(browser, fixture.served.origin);
}, startMaxMs);
afterAll(async () => {
  await browser?.close();
  await fixture?.close();
});

const heading = (name: string) => visitor.page.getByRole('heading', { name, level: 1 });

scenario(
  ['DL-9.6-01'],
  'the navigation contains Endpoints only while endpoint observability is active',
  async () => {
    if (!hasChromium) return;
    const { page } = visitor;
    expect((await fixture.served.get('/jobs/api/addons')).body).toEqual({ endpoints: true });
    await page.goto('/jobs');
    await page.getByRole('link', { name: 'Endpoints' }).click();
    await heading('Endpoints').waitFor();
    const without = await serveDashboard(fixture.fixture, { observesEndpoints: false });
    const other = await visit(browser, without.origin);
    const addons = other.page.waitForResponse((response) => response.url().endsWith('/api/addons'));
    await other.page.goto('/jobs');
    expect(await (await addons).json()).toEqual({ endpoints: false });
    await other.page.getByRole('heading', { name: 'Queues' }).waitFor();
    await settled(other);
    expect(await other.page.getByRole('link', { name: 'Endpoints' }).count()).toBe(0);
    await other.context.close();
    await without.close();
  },
  flow,
);

scenario(
  ['DL-9.6-02', 'DL-9.6-03', 'DL-9.6-04', 'DL-9.6-05', 'DL-9.6-06'],
  'a user can navigate from an endpoint to a call, to the job that it created, to its origin and back',
  async () => {
    if (!hasChromium) return;
    const { page } = visitor;
    await page.goto('/jobs/endpoints');
    const row = page.getByRole('row', { name: /POST \/orders/ });
    await row.waitFor();
    await expect
      .poll(() => row.getByRole('cell').allTextContents())
      .toEqual(['POST /orders', '—', '12', '0 %', expect.stringMatching(/ms$|s$/), 'Healthy']);
    await page.getByRole('link', { name: 'POST /orders', exact: true }).click();
    await heading('POST /orders').waitFor();
    for (const name of ['p90', 'p95', 'p99']) await page.getByText(name, { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Callers' }).getByText('web shop').waitFor();
    await page.getByRole('table', { name: 'Recent calls' }).getByRole('link').first().click();
    const drawer = page.getByRole('dialog', { name: 'POST /orders' });
    await drawer.getByText('region').waitFor();
    for (const text of ['ada', '127.0.0.1', 'web shop', 'eu']) {
      await drawer.getByText(text, { exact: true }).first().waitFor();
    }
    await drawer.getByText('Not captured').first().waitFor();
    await drawer.getByRole('link', { name: 'Show the trace' }).waitFor();
    await drawer.getByText('Completed').first().waitFor();
    await drawer.getByRole('link', { name: 'ship-order' }).click();
    await heading('ship-order').waitFor();
    const origin = page.getByRole('region', { name: 'Origin' });
    await origin.getByText('POST /orders').waitFor();
    await origin.getByText('ada').waitFor();
    await origin.getByRole('link', { name: 'Open the call' }).click();
    await page.getByRole('dialog', { name: 'POST /orders' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(visitor.complaints).toEqual([]);
  },
  flow,
);

scenario(
  ['DL-9.6-04'],
  'a failed call shows redacted headers and bodies, and a command without secrets',
  async () => {
    if (!hasChromium) return;
    const { page } = visitor;
    await page.goto(`/jobs/endpoints/${endpointIds.fail}`);
    await page.getByRole('table', { name: 'Recent calls' }).getByRole('link').first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('region', { name: 'Request: headers' }).getByText('authorization: ***').waitFor();
    await drawer.getByRole('region', { name: 'Request: body' }).getByText('"password":"***"').waitFor();
    await drawer.getByRole('region', { name: 'Command' }).getByText(`curl -X 'POST'`).waitFor();
    expect(await drawer.textContent()).not.toContain('hunter2');
  },
  flow,
);
