import type { KnipConfig } from 'knip';

/**
 * Dead code: files that nothing reaches, dependencies that nothing imports, exports that nobody uses.
 * A list here that has become needless fails `npm run check` too.
 */
const config: KnipConfig = {
  // A type that appears in the signature of something exported is exported with it, used by name or not.
  exclude: ['types'],
  ignoreExportsUsedInFile: true,
  // Started or read by their files' names: `tools/check/checks.ts`, the browser tests, the MCP suite.
  ignoreDependencies: [
    '@biomejs/biome',
    'dependency-cruiser',
    'axe-core',
    // Stand for what `tedious` names and does not need here: see `overrides` in package.json.
    '@azure/core-auth',
    '@azure/identity',
    '@azure/keyvault-keys',
    '@modelcontextprotocol/conformance',
  ],
  // Debian's, see tools/test/programs.ts.
  ignoreBinaries: ['mariadb-install-db', 'mariadb', 'promtool', 'tsql'],
  workspaces: {
    '.': {
      // Started by name: the scripts of `tools/bootstrap.mjs`, benchmarks, trials.
      entry: [
        'tools/{start,test,check,bench,build,build-pages,db-schema,docs,docs-site}.ts',
        // Run by the Dockerfile.
        'tools/image/copy-tree.ts',
        'tools/release/upgrade-fixture.ts',
        'spec/status.ts',
        'bench/*/*.ts',
        'trials/**/*.ts',
        // Run as a process of its own by the tests of migrations.
        'tools/test/migrate-process.ts',
      ],
      project: ['tools/**/*.{ts,mjs}', 'spec/**/*.ts', 'bench/**/*.ts', 'trials/**/*.ts'],
    },
    // Its files are imported one by one, so all are entries: what nobody imports of them is found all the same.
    'packages/testkit': { includeEntryExports: true, project: 'src/**/*.ts' },
    'packages/*': { project: 'src/**/*.{ts,tsx}' },
    'packages/server': {
      // The face of each folder of the platform and of each domain, and the program of a child process.
      entry: ['src/{platform,doors,domains}/*/index.ts', 'src/domains/repositories/scan/child.ts'],
      project: 'src/**/*.ts',
    },
    'packages/cli': { entry: 'src/main.ts', project: 'src/**/*.ts' },
    'packages/client': { project: '{src,tools}/**/*.ts' },
    'packages/connectors': {
      entry: [
        'src/embedded/entry.ts',
        'src/embedded/confine.ts',
        'src/postgresql/parser/worker.ts',
        'src/testing/ungated-statements.ts',
      ],
      project: 'src/**/*.ts',
      // Loaded by createRequire, so that a system without it is not an error.
      ignoreDependencies: ['koffi', 'libpg-query'],
    },
    'packages/jobs-dashboard': {
      project: ['src/**/*.ts', 'ui/**/*.{ts,tsx}'],
      vite: { config: 'ui/vite.config.ts' },
    },
    'packages/web': { project: '{src,tools}/**/*.{ts,tsx}' },
    'apps/host': { entry: 'src/cli.ts', project: 'src/**/*.ts' },
  },
};

export default config;
