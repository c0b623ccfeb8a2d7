import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './tools/test/longest-first.ts';
import { type TierName, tiers } from './tools/test/tiers.ts';
import { unitGuard } from './tools/test/unit-guard.ts';

const conditions = ['svc-source', 'module', 'node', 'development|production'];

const tier = (
  name: TierName,
  test: TestProjectInlineConfiguration['test'],
  more: Omit<TestProjectInlineConfiguration, 'test'> = {},
): TestProjectInlineConfiguration => ({
  extends: true,
  ...more,
  test: {
    name,
    // In addition to the setup file of all tiers: only the live tier queries name servers.
    setupFiles: name === 'live' ? [] : ['tools/test/name-resolution.ts'],
    include: [...tiers[name].include],
    exclude: ['**/node_modules/**', ...tiers[name].exclude],
    ...test,
  },
});

/** PostgreSQL server of the tests. Only tiers with this setup start it. */
const globalSetup = ['tools/test/global-setup.ts'];

export default defineConfig({
  resolve: { conditions },
  // Without `module`, which Node does not support: Node cannot load the `module` files of some packages.
  ssr: {
    resolve: {
      conditions: conditions.filter((condition) => condition !== 'module'),
      externalConditions: ['svc-source', 'node'],
    },
  },
  test: {
    setupFiles: ['tools/test/setup.ts'],
    pool: 'forks',
    // Files of one process share modules. `tools/test/setup.ts` fails a file that leaves shared state changed.
    isolate: false,
    execArgv: ['--conditions=svc-source'],
    // Limits for hanging tests, not for slow ones: a busy machine may delay a test for a long time.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // A condition may become true late on a busy machine.
    expect: { poll: { timeout: 60_000, interval: 100 } },
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      tier('unit', {}, { plugins: [unitGuard()] }),
      tier('service', { globalSetup }),
      tier('browser', { globalSetup }),
      // Measures heap sizes and times, so each file has a separate process.
      tier('torture', { globalSetup, isolate: true }),
      tier('live', {}),
    ],
  },
});
