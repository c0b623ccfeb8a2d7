import type { KnipConfig } from 'knip';

/**
 * Dead code: files that no entry reaches, dependencies without an import, exports without a use. A superfluous entry in
 * these lists fails `npm run check` too.
 */
const config: KnipConfig = {
  // An exported signature may need a type that no other file imports.
  exclude: ['types'],
  ignoreExportsUsedInFile: true,
  // Used by file name in `tools/check/checks.ts`, the browser tests and the MCP suite.
  ignoreDependencies: [
    '@biomejs/biome',
    'dependency-cruiser',
    'axe-core',
    // Replacements for dependencies of `tedious` that are not needed here: see `overrides` in package.json.
    '@azure/core-auth',
    '@azure/identity',
    '@azure/keyvault-keys',
    '@modelcontextprotocol/conformance',
  ],
  // Debian packages, see tools/test/programs.ts.
  ignoreBinaries: ['mariadb-install-db', 'mariadb', 'promtool', 'tsql'],
  workspaces: {
    '.': {
      // Started by file name: the scripts of `tools/bootstrap.mjs`, benchmarks, trials.
      entry: [
        'tools/{start,test,check,bench,build,build-pages,db-schema,docs,docs-site}.ts',
        // Run by the Dockerfile.
        'tools/image/copy-tree.ts',
        'tools/syntax/same.ts',
        'tools/release/upgrade-fixture.ts',
        'spec/status.ts',
        'bench/*/*.ts',
        'trials/**/*.ts',
        // Run as a separate process by the tests of migrations.
        'tools/test/migrate-process.ts',
      ],
      project: ['tools/**/*.{ts,mjs}', 'spec/**/*.ts', 'bench/**/*.ts', 'trials/**/*.ts'],
    },
    // All files are entries, because each is imported separately. Exports without an import are still reported.
    'packages/testkit': { includeEntryExports: true, project: 'src/**/*.ts' },
    'packages/*': { project: 'src/**/*.{ts,tsx}' },
    'packages/server': {
      // The public index of each platform folder and domain, and the program of a child process.
      entry: ['src/{platform,gateways,domains}/*/index.ts', 'src/domains/repositories/scan/child.ts'],
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
      // Loaded by createRequire, so that a system without them is not an error.
      ignoreDependencies: ['koffi', 'libpg-query'],
    },
    'packages/jobs-dashboard': {
      project: ['src/**/*.ts', 'ui/**/*.{ts,tsx}'],
      vite: { config: 'ui/vite.config.ts' },
    },
    // The build names this file as the function around each `import()`.
    'packages/web': { entry: 'src/lib/load-code.ts', project: '{src,tools}/**/*.{ts,tsx}' },
    'apps/host': { entry: 'src/cli.ts', project: 'src/**/*.ts' },
  },
};

export default config;
