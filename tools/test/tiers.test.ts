import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createViteServer, type Vite } from 'vitest/node';
import { longFiles } from './longest-first.ts';
import { tiers } from './tiers.ts';
import { unitGuard } from './unit-guard.ts';

const root = path.resolve(import.meta.dirname, '../..');
const isNodeModules = (entry: string): boolean => path.basename(entry) === 'node_modules';

test('every test file is in exactly one tier', () => {
  const files = globSync('{packages,apps,tools,spec,bench,trials,examples}/**/*.{test,spec}.{ts,tsx}', {
    cwd: root,
    exclude: isNodeModules,
  });
  const matches = (file: string, patterns: readonly string[]): boolean =>
    patterns.some((pattern) => path.matchesGlob(file, pattern));
  const tiersOf = (file: string) =>
    Object.entries(tiers)
      .filter(([, { include, exclude }]) => matches(file, include) && !matches(file, exclude))
      .map(([name]) => name);
  expect(files.length).toBeGreaterThan(200);
  expect(
    files.map((file) => [file, tiersOf(file)]).filter(([, tierNames]) => tierNames?.length !== 1),
  ).toEqual([]);
});

test.each(longFiles)('the long test file %s exists', (file) => {
  expect(existsSync(path.join(root, file))).toBe(true);
});

describe('imports of unit tests', () => {
  let vite: Vite.ViteDevServer;
  beforeAll(async () => {
    vite = await createViteServer({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [unitGuard()],
      server: { middlewareMode: true, ws: false },
      optimizeDeps: { noDiscovery: true },
      ssr: { resolve: { conditions: ['svc-source', 'node'] } },
    });
  });
  afterAll(() => vite.close());
  const importing = (source: string, from: string) =>
    vite.environments.ssr.pluginContainer.resolveId(source, path.join(root, from));

  test.each([
    ['pg', 'packages/server/src/platform/db/pool.ts', 'pg'],
    ['playwright-core', 'packages/testkit/src/browser/browser.ts', 'playwright-core'],
    [
      '@svc/testkit/database/database.ts',
      'packages/server/src/planted.unit.test.ts',
      'packages/testkit/src/database/database.ts',
    ],
    [
      '@svc/testkit/service/service.ts',
      'packages/server/src/planted.unit.test.ts',
      'packages/testkit/src/service/service.ts',
    ],
    ['./svc.ts', 'packages/server/src/planted.unit.test.ts', 'packages/server/src/svc.ts'],
  ])('are refused with the name of the module: %s in %s', async (source, importer, named) => {
    await expect(importing(source, importer)).rejects.toThrow(`${importer} imports ${named}, which`);
  });

  test('are accepted if they are not forbidden', async () => {
    expect(
      (await importing('./decide.ts', 'packages/server/src/domains/runs/settlement/decide.unit.test.ts'))?.id,
    ).toBe(path.join(root, 'packages/server/src/domains/runs/settlement/decide.ts'));
  });
});
