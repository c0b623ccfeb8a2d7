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
    // Beside those of all tiers: only the live tier asks name servers.
    setupFiles: name === 'live' ? [] : ['tools/test/name-resolution.ts'],
    include: [...tiers[name].include],
    exclude: ['**/node_modules/**', ...tiers[name].exclude],
    ...test,
  },
});

/** The tests' PostgreSQL; a tier that names it starts it. */
const globalSetup = ['tools/test/global-setup.ts'];

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
    setupFiles: ['tools/test/setup.ts'],
    pool: 'forks',
    // Files of one process share what they import; `tools/test/setup.ts` fails one that leaves something behind.
    isolate: false,
    execArgv: ['--conditions=svc-source'],
    // Bounds of what hangs, not of what is slow: a busy machine may starve a test for a long while.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // A condition that is waited for may be late; it only has to come.
    expect: { poll: { timeout: 60_000, interval: 100 } },
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      tier('unit', {}, { plugins: [unitGuard()] }),
      tier('service', { globalSetup }),
      tier('browser', { globalSetup }),
      // Heap sizes and times are measured here: each file has a process of its own.
      tier('torture', { globalSetup, isolate: true }),
      tier('live', {}),
    ],
  },
});
