import { defineConfig } from 'vitest/config';

const conditions = ['svc-source', 'module', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  // Without `module`, which Node does not know: some packages have files under it that it cannot load.
  ssr: {
    resolve: {
      conditions: conditions.filter((condition) => condition !== 'module'),
      externalConditions: ['svc-source', 'node'],
    },
  },
  test: {
    globalSetup: ['tools/test/global-setup.ts'],
    setupFiles: ['tools/test/setup.ts'],
    include: [
      'packages/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.ts',
      'tools/**/*.test.ts',
      'examples/*.test.ts',
      'spec/**/*.spec.ts',
      'spec/**/*.test.ts',
    ],
    pool: 'forks',
    execArgv: ['--conditions=svc-source'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
  },
});
