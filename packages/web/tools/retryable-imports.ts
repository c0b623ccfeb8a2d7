import path from 'node:path';
import type { Plugin } from 'vite';

const helper = path.join(import.meta.dirname, '../src/lib/load-code.ts');

/** Replaces the function with which Vite wraps each `import()` by `loadCode`, which can retry after a failure. */
export const retryableImports = (): Plugin => ({
  name: 'svc:retryable-imports',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export { loadCode as __vitePreload } from ${JSON.stringify(helper)};`
      : undefined,
});
