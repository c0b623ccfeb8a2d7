import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hasChromium } from '@svc/testkit/browser/browser.ts';
import { post } from '@svc/testkit/browser/people.ts';
import { weigh, weightTable } from '@svc/testkit/browser/weight.ts';
import type { BrowserContext } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { unusedColours } from '../../tools/slim-styles.ts';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const web = path.resolve(import.meta.dirname, '../..');
const classesIn = (text: string): string[] => text.match(/\bm_[0-9a-f]{6,8}\b/g) ?? [];
/** Returns the concatenated content of the built files with the extension. */
const textOf = (files: readonly string[], ending: string): string =>
  files
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(path.join(web, 'dist', name), 'utf8'))
    .join('\n');

/** Returns the built files of a module: its own, those of the first page, and their imports. */
function filesOf(module: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(path.join(web, 'dist/.vite/manifest.json'), 'utf8')) as Readonly<
    Record<string, { file: string; name?: string; css?: string[]; imports?: string[] }>
  >;
  const seen = new Set<string>();
  const add = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const other of manifest[name]?.imports ?? []) add(other);
  };
  expect(Object.keys(manifest)).toContain(module);
  const [start] = Object.entries(manifest).find(([, chunk]) => chunk.name === 'start') ?? [''];
  expect(start).toMatch(/^_start-.*\.js$/);
  add(start);
  add(module);
  return [...seen].flatMap((name) => [manifest[name]?.file ?? '', ...(manifest[name]?.css ?? [])]);
}

/** Layout shift that counts as none. */
const shiftMax = 0.001;

/**
 * Saves a query that has not run.
 * @returns its id.
 */
async function queryWithoutResult(context: BrowserContext): Promise<string> {
  const steps = [{ dataSourceId: 1, sql: 'select id, name from shop.customers order by id' }];
  const body = { projectId: 1, name: 'Customers by number', steps };
  const { id } = (await post(context, '/svc/api/queries', body)) as { id: number };
  return String(id);
}

/** Adds up layout shifts without recent user input. */
const noteShifts = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
}).observe({ type: 'layout-shift', buffered: true });`;

describe.skipIf(!hasChromium)('the first rendering of a page', () => {
  const fixture = useBrowserFixture();

  test.each([
    ['/home', 'Home'],
    ['/queries/1', 'Delayed orders'],
    ['/control-tower', 'Control tower'],
    ['/notifications', 'Notifications'],
    ['/notifications?tab=notices', 'Notifications'],
    ['/subscriptions', 'Subscriptions'],
    ['/queries', 'Queries'],
    ['/recipients', 'Recipients'],
    ['/data-sources', 'Data sources'],
    ['/tasks', 'Tasks'],
    ['/approvals', 'Approvals'],
    ['/users', 'Users'],
    ['/audit', 'Audit'],
  ])(
    'does not shift when the data of %s arrives',
    async (address, name) => {
      const { browser, service, visitor } = fixture;
      const context = await browser.newContext({
        baseURL: service.origin,
        storageState: await visitor.context.storageState(),
      });
      try {
        const page = await context.newPage();
        await page.addInitScript(noteShifts);
        await page.goto(`/svc${address}`);
        await page.getByRole('main').getByRole('heading', { name, level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        await page.evaluate(
          'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
        );
        expect(await page.evaluate('globalThis.shift')).toBeLessThan(shiftMax);
      } finally {
        await context.close();
      }
    },
    flowMaxMs,
  );

  test.each([
    ['/home', /\/home-page-[^/]*\.js$/],
    ['/queries/1', /\/query-page-[^/]*\.js$/],
    ['/queries/new', /\/query-editor-page-[^/]*\.js$/],
  ])(
    'requests the code of %s and of the frame before the response about the signed-in user arrives',
    async (address, code) => {
      const { browser, service, visitor } = fixture;
      const context = await browser.newContext({
        baseURL: service.origin,
        storageState: await visitor.context.storageState(),
      });
      try {
        const page = await context.newPage();
        const isKnown = Promise.withResolvers<void>();
        await page.route('**/api/auth/me', async (route) => {
          await isKnown.promise;
          await route.continue();
        });
        const asked = [code, /\/shell-[^/]*\.js$/].map((each) => page.waitForRequest(each));
        await page.goto(`/svc${address}`);
        await Promise.all(asked);
        isKnown.resolve();
        await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor();
      } finally {
        await context.close();
      }
    },
    flowMaxMs,
  );

  test.each([
    ['/login', { kibMax: 160, requestsMax: 10 }],
    ['/home', { kibMax: 237, requestsMax: 31 }],
    ['/queries/1', { kibMax: 316, requestsMax: 42 }],
    ['/queries/without-result', { kibMax: 300, requestsMax: 39 }],
    ['/queries/1/edit', { kibMax: 300, requestsMax: 36 }],
    ['/queries/new', { kibMax: 300, requestsMax: 35 }],
  ])(
    'stays within its limits of size and requests: %s',
    async (named, { kibMax, requestsMax }) => {
      const { browser, service, visitor } = fixture;
      const address = named.includes('without-result')
        ? named.replace('without-result', await queryWithoutResult(visitor.context))
        : named;
      const isSignedIn = address !== '/login';
      const context = await browser.newContext({
        baseURL: service.origin,
        ...(isSignedIn && { storageState: await visitor.context.storageState() }),
      });
      try {
        const weight = await weigh(context, `/svc${address}`);
        const table = weightTable(address, weight);
        process.stdout.write(`${table}\n`);
        expect(weight.kib, table).toBeLessThanOrEqual(kibMax);
        expect(weight.requests, table).toBeLessThanOrEqual(requestsMax);
      } finally {
        await context.close();
      }
    },
    flowMaxMs,
  );

  test.each([
    'features/session/login-page.tsx',
    'features/session/logout-page.tsx',
    'features/session/error-page.tsx',
    'features/setup/setup-page.tsx',
  ])('includes each style of the component library that %s uses', (page) => {
    const files = filesOf(`src/${page}`);
    const styled = new Set(
      classesIn(readFileSync(path.join(web, 'node_modules/@mantine/core/styles.css'), 'utf8')),
    );
    const named = new Set(classesIn(textOf(files, '.js')).filter((name) => styled.has(name)));
    expect(named.size).toBeGreaterThan(10);
    const there = new Set(classesIn(textOf(files, '.css')));
    expect([...named].filter((name) => !there.has(name))).toEqual([]);
  });

  test('includes each style of the component library that the pages use', () => {
    const built = readdirSync(path.join(web, 'dist/assets')).map((name) => `assets/${name}`);
    const styled = new Set(
      classesIn(readFileSync(path.join(web, 'node_modules/@mantine/core/styles.css'), 'utf8')),
    );
    const named = new Set(classesIn(textOf(built, '.js')).filter((name) => styled.has(name)));
    expect(named.size).toBeGreaterThan(100);
    const there = new Set(classesIn(textOf(built, '.css')));
    expect([...named].filter((name) => !there.has(name))).toEqual([]);
  });

  test('uses no colour of the component library that the build omits', () => {
    const built = readdirSync(path.join(web, 'dist/assets')).map((name) => `assets/${name}`);
    const colour = new RegExp(`--mantine-color-(?:${unusedColours.join('|')})\\b[\\w-]*`, 'g');
    expect(textOf(built, '.css').match(colour) ?? []).toEqual([]);
    expect(textOf(built, '.js').match(colour) ?? []).toEqual([]);
  });
});
