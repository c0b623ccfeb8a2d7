import path from 'node:path';
import type { Vite } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '../..');

/** What a unit test never reaches, itself or through what it imports: the service, databases, browsers. */
const packagesForbidden = new Set(['pg', 'pg-cursor', 'playwright-core']);
const filesForbidden = new Set([
  'packages/testkit/src/database/database.ts',
  'packages/testkit/src/service/route-app.ts',
  'packages/testkit/src/service/service.ts',
  'packages/server/src/svc.ts',
]);

/**
 * Fails the import of what no unit test may reach. It sees what is loaded when the tests run, so an import of types
 * alone is free.
 */
export function unitGuard(): Vite.Plugin {
  return {
    name: 'svc:unit-guard',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (importer === undefined) return null;
      const refuse = (what: string): never =>
        this.error(
          `${path.relative(root, importer)} imports ${what}, which no unit test may reach: take the test out of the unit tier (tools/test/tiers.ts), or the import out of what it tests.`,
        );
      if (packagesForbidden.has(source)) refuse(source);
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      const file = resolved && path.relative(root, resolved.id.split('?')[0] ?? '');
      if (file && filesForbidden.has(file)) refuse(file);
      return resolved;
    },
  };
}
