import path from 'node:path';
import type { Vite } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '../..');

/** Packages that a unit test must not import, directly or indirectly. */
const packagesForbidden = new Set(['pg', 'pg-cursor', 'playwright-core']);
const filesForbidden = new Set([
  'packages/testkit/src/database/database.ts',
  'packages/testkit/src/service/route-app.ts',
  'packages/testkit/src/service/service.ts',
  'packages/server/src/svc.ts',
]);

/** Fails forbidden imports of unit tests. It checks modules at run time, so imports of types are allowed. */
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
