import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { startRestApi, type TestRestApi } from '@svc/testkit/database/rest-api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const schema = {
  type: 'object',
  properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Order' } } },
};
const document = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      get: {
        summary: 'Orders, newest first',
        responses: { 200: { content: { 'application/json': { schema } } } },
      },
      post: { responses: {} },
    },
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`/reports/${at}/{id}`, { get: { responses: {} } }]),
    ),
  },
  components: { schemas: { Order: { properties: { id: { type: 'integer' }, total: { type: 'number' } } } } },
};

describe.skipIf(!hasChromium)('a REST API as a data source', () => {
  const fixture = useBrowserFixture({ service: { withDemo: false } });
  let api: TestRestApi;
  let isBusy = false;
  const keys = new Set<string | null>();
  beforeAll(async () => {
    api = await startRestApi((url) => {
      keys.add(url.searchParams.get('app_key'));
      if (isBusy) {
        isBusy = false;
        return { status: 429, headers: { 'retry-after': '0' } };
      }
      return { body: '{"data":[{"id":1234567890123456789,"total":12.50}]}' };
    });
  });
  afterAll(() => api?.stop());

  test(
    'is connected with selected endpoints and queried in JSON',
    async () => {
      const { main, page } = fixture;
      await fixture.open('/data-sources?new=yes', 'Connect a data source');
      await main.getByRole('radio', { name: 'REST API' }).check();
      await main.getByLabel('Name', { exact: true }).fill('Shop API');
      await main.getByLabel('Base URL').fill(api.baseUrl.replace('rest.test', '127.0.0.1'));
      await main.getByRole('textbox', { name: 'Endpoints' }).waitFor();
      await main.getByLabel('OpenAPI document').fill('paths:\n- a\nb: [');
      await main.getByLabel('Name', { exact: true }).focus();
      await main.getByText('Not readable as YAML.', { exact: false }).waitFor();
      await main.getByLabel('OpenAPI document').fill(stringify(document));
      await main.getByLabel('Name', { exact: true }).focus();
      await main.getByRole('checkbox', { name: '/orders' }).check();
      await main.getByText('1 of 13 ticked').waitFor();
      await fixture.choose('Sign-in', 'ApiKeyInQuery');
      await main.getByLabel('Query parameter of the API key').fill('app key');
      await main.getByRole('textbox', { name: 'API key, token or password' }).fill('pl4nted-k3y');
      await main.getByRole('button', { name: 'Test connection' }).click();
      await main.getByText('must be of letters, digits, dots, dashes and underscores').first().waitFor();
      await main.getByLabel('Query parameter of the API key').fill('app_key');
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 320]) {
          await page.setViewportSize({ width, height: 1000 });
          await picture(page, `rest-source-${width}-${theme}`);
          expect(await axeFindings(page)).toEqual([]);
        }
      }
      await page.setViewportSize({ width: 1440, height: 1000 });
      await main.getByLabel('Find endpoints').fill('orders');
      await expect.poll(() => main.getByRole('checkbox').count()).toBe(1);
      await main.getByRole('button', { name: 'Test connection' }).click();
      await main.getByText('Shop 1', { exact: false }).waitFor();
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      await main.getByRole('heading', { name: 'Shop API', level: 1 }).waitFor();
      await main.getByText('/orders', { exact: true }).first().waitFor();
      await picture(page, 'rest-source-page');

      await fixture.open('/queries/new', 'New query');
      await main.getByLabel('Name of the query').fill('Orders of the API');
      await fixture.choose('Data source', 'Shop API');
      await main.getByRole('complementary').getByText('/orders', { exact: true }).first().waitFor();
      const text = main.getByRole('textbox', { name: 'Request of this step' });
      await text.click();
      await page.keyboard.press('Control+Space');
      await page.getByRole('listbox').getByRole('option', { name: '/orders' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect.poll(() => text.textContent()).toContain('{"path": "/orders"}');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText('{"path": "/orders", "rows": "/data"}');
      isBusy = true;
      await page.keyboard.press('ControlOrMeta+Enter');
      await main.getByText('1234567890123456789').waitFor();
      await main.getByText(', 1 request sent again', { exact: false }).waitFor();
      expect(keys).toEqual(new Set(['pl4nted-k3y']));
      expect(await page.content()).not.toContain('k3y');
      await page.keyboard.press('Shift+Alt+f');
      await expect.poll(() => text.locator('.cm-line').count()).toBe(4);
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'rest-step');
    },
    flowMaxMs,
  );
});
