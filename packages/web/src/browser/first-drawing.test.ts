import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hasChromium } from '@svc/testkit/browser/browser.ts';
import { weigh } from '@svc/testkit/browser/weight.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

/** What a browser's own report rounds to nothing. */
const shiftMax = 0.001;

/** Adds up what moved without anybody's doing. */
const noteShifts = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
}).observe({ type: 'layout-shift', buffered: true });`;

describe.skipIf(!hasChromium)('what a page draws first', () => {
  const fixture = useBrowserFixture();

  test.each([
    ['/notifications', 'Notifications'],
    ['/notifications?tab=notices', 'Notifications'],
    ['/subscriptions', 'Subscriptions'],
  ])(
    'stays where it is when the data of %s arrives',
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
    ['/login', { kibMax: 203, requestsMax: 14 }],
    ['/home', { kibMax: 300, requestsMax: 36 }],
    ['/queries/1', { kibMax: 400, requestsMax: 60 }],
    ['/queries/new', { kibMax: 490, requestsMax: 60 }],
  ])(
    'is small enough: %s',
    async (address, { kibMax, requestsMax }) => {
      const { browser, service, visitor } = fixture;
      const isSignedIn = address !== '/login';
      const context = await browser.newContext({
        baseURL: service.origin,
        ...(isSignedIn && { storageState: await visitor.context.storageState() }),
      });
      try {
        const { kib, requests } = await weigh(context, `/svc${address}`);
        expect(kib).toBeLessThanOrEqual(kibMax);
        expect(requests).toBeLessThanOrEqual(requestsMax);
      } finally {
        await context.close();
      }
    },
    flowMaxMs,
  );

  test('has every style of the component library that the pages name', () => {
    const web = path.resolve(import.meta.dirname, '../..');
    const classesIn = (text: string): string[] => text.match(/\bm_[0-9a-f]{6,8}\b/g) ?? [];
    const built = (ending: string): string =>
      readdirSync(path.join(web, 'dist/assets'))
        .filter((name) => name.endsWith(ending))
        .map((name) => readFileSync(path.join(web, 'dist/assets', name), 'utf8'))
        .join('\n');
    const styled = new Set(
      classesIn(readFileSync(path.join(web, 'node_modules/@mantine/core/styles.css'), 'utf8')),
    );
    const named = new Set(classesIn(built('.js')).filter((name) => styled.has(name)));
    expect(named.size).toBeGreaterThan(100);
    const there = new Set(classesIn(built('.css')));
    expect([...named].filter((name) => !there.has(name))).toEqual([]);
  });
});
