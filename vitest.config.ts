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
    // Bounds of what hangs, not of what is slow: a busy machine may starve a test for a long while.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // A condition that is waited for may be late; it only has to come.
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 3,
  },
});
