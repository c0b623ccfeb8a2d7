import { hasChromium, openBrowser, visit } from '@svc/testkit/browser/browser.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { createFixture, eventually, type Fixture } from '../../../packages/jobs/src/testing/fixture.ts';
import { buildPages } from '../../../packages/jobs-dashboard/src/testing/build-pages.ts';
import {
  endpointIds,
  type ObservedHost,
  startObservedHost,
} from '../../../packages/jobs-dashboard/src/testing/observed.ts';
import { type Served, serveDashboard } from '../../../packages/jobs-dashboard/src/testing/served.ts';
import { scenario } from '../support/scenario.ts';

/** Applications that record calls of the same endpoints in one database. One of them has no name. */
const names = ['office', 'shop', undefined] as const;
const callsOf = { office: 1, shop: 2, unnamed: 3 } as const;
const all = callsOf.office + callsOf.shop + callsOf.unnamed;

let fixture: Fixture;
let dashboard: Served;
const hosts: ObservedHost[] = [];

beforeAll(async () => {
  fixture = await createFixture();
  dashboard = await serveDashboard(fixture);
  for (const name of names) {
    const host = await startObservedHost(fixture, (options) => {
      if (name !== undefined) options.applicationName = name;
    });
    hosts.push(host);
    const headers = { 'content-type': 'application/json', 'x-team': `desk of ${name ?? 'unnamed'}` };
    for (let call = 0; call < callsOf[name ?? 'unnamed']; call += 1)
      expect((await fetch(`${host.origin}/orders/${call}`, { headers })).status).toBe(200);
    if (name === 'shop')
      await fetch(`${host.origin}/fail`, { method: 'POST', headers, body: '{"orderId":1}' });
  }
  await eventually(async () => {
    for (const host of hosts) await host.flush();
    return (await api(`/endpoints/${endpointIds.read}`)).totalCalls === all;
  }, 'all calls are stored');
});
afterAll(async () => {
  await dashboard.close();
  for (const host of hosts) await host.close();
  await fixture.close();
});

const api = async (path: string) => (await dashboard.get(`/jobs/api${path}`)).body;
const scoped = (path: string, application: string | undefined) =>
  api(application === undefined ? path : `${path}?application=${application}`);

scenario(
  ['DL-9.2-17'],
  'the application filter limits the list, history, figures, callers and calls of the endpoint dashboard',
  async () => {
    expect(await api('/applications')).toEqual({ items: ['office', 'shop'] });
    const listed = async (application?: string) =>
      (await scoped('/endpoints', application)).items.map(
        (item: { route: string; application: string | null; totalCalls: number }) => [
          item.application,
          item.route,
          item.totalCalls,
        ],
      );
    const [read, fail] = ['GET /orders/{id}', 'POST /fail'];
    expect(await listed('office')).toEqual([['office', read, 1]]);
    expect(await listed('shop')).toEqual([
      ['shop', read, 2],
      ['shop', fail, 1],
    ]);
    expect(await listed('nobody')).toEqual([]);
    expect(await listed()).toEqual([
      [null, read, 3],
      ['office', read, 1],
      ['shop', read, 2],
      ['shop', fail, 1],
    ]);
    const errors = async (application?: string) =>
      (await scoped('/endpoints/history', application)).items.reduce(
        (sum: number[], hour: { calls: number; errors: number }) => [
          (sum[0] ?? 0) + hour.calls,
          (sum[1] ?? 0) + hour.errors,
        ],
        [0, 0],
      );
    expect(await errors('office')).toEqual([1, 0]);
    expect(await errors('shop')).toEqual([3, 1]);
    expect(await errors()).toEqual([all + 1, 1]);
    for (const [application, count] of [
      ['office', callsOf.office],
      ['shop', callsOf.shop],
    ] as const) {
      const detail = await scoped(`/endpoints/${endpointIds.read}`, application);
      expect([application, detail.totalCalls]).toEqual([application, count]);
      expect(detail.groups).toMatchObject([{ group: `desk of ${application}`, calls: count }]);
      const calls = (await scoped(`/endpoints/${endpointIds.read}/calls`, application)).items;
      expect(calls).toHaveLength(count);
      for (const call of calls) expect(call.application).toBe(application);
    }
    expect((await api(`/endpoints/${endpointIds.read}/calls`)).items).toHaveLength(all);
    // An endpoint does not exist for an application that never served it.
    expect((await dashboard.get(`/jobs/api/endpoints/${endpointIds.fail}?application=office`)).status).toBe(
      404,
    );
  },
);

scenario(
  ['DL-9.2-17'],
  'the endpoint pages offer the applications, and retain the selected one on the page of an endpoint',
  async ({ onEnd }) => {
    if (!hasChromium) return;
    buildPages();
    const own = await serveDashboard(fixture, { applicationName: 'office' });
    onEnd(own.close);
    const browser = await openBrowser();
    onEnd(() => browser.close());
    const { page } = await visit(browser, own.origin);
    await page.goto('/jobs/endpoints');
    const filter = page.getByLabel('Application');
    const rows = page.getByRole('row', { name: /GET|POST/ });
    const shown = (count: number) => expect.poll(() => rows.count()).toBe(count);
    await shown(1);
    // The page requests the applications separately from the endpoints.
    await expect.poll(() => filter.locator('option').allTextContents()).toEqual(['All', 'office', 'shop']);
    await expect.poll(() => filter.inputValue()).toBe('office');
    await filter.selectOption('All');
    await shown(4);
    await filter.selectOption('shop');
    await shown(2);
    await page.getByRole('link', { name: 'GET /orders/{id}', exact: true }).click();
    await page.getByRole('heading', { name: 'GET /orders/{id}', level: 1 }).waitFor();
    await expect.poll(() => filter.inputValue()).toBe('shop');
    const callers = page.getByRole('table', { name: 'Callers' });
    await callers.getByText('desk of shop').waitFor();
    expect(await callers.getByText('desk of office').count()).toBe(0);
    await filter.selectOption('All');
    await callers.getByText('desk of office').waitFor();
  },
  { timeout: 300_000 },
);
