import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** Files with one forbidden import each. The rule must report the first file of each entry. */
const plants: readonly { readonly rule: string; readonly files: Readonly<Record<string, string>> }[] = [
  plant('contract-imports-nothing-of-ours', 'packages/contract/src/a.ts', '@svc/server'),
  plant('contract-imports-nothing-of-ours', 'packages/contract/src/b.ts', '../../jobs/src/index.ts', 'type'),
  plant('contract-does-no-io', 'packages/contract/src/c.ts', 'node:fs'),
  plant('jobs-imports-only-pg-wire', 'packages/jobs/src/a.ts', '@svc/contract'),
  plant('pg-wire-imports-nothing-of-ours', 'packages/pg-wire/src/a.ts', '@svc/jobs'),
  plant('pg-wire-imports-nothing-of-ours', 'packages/pg-wire/src/b.ts', '@svc/contract', 'type'),
  plant('driver-internals-in-pg-wire', 'packages/connectors/src/postgresql/b.ts', 'pg-protocol'),
  plant('driver-internals-in-pg-wire', 'packages/server/src/platform/db/c.ts', 'pg/lib/utils.js'),
  plant('driver-internals-in-pg-wire', 'packages/jobs/src/d.test.ts', 'pg-protocol', 'type'),
  plant('pg-wire-below-databases', 'packages/server/src/domains/noun/f.ts', '@svc/pg-wire'),
  plant('pg-wire-below-databases', 'packages/connectors/src/mysql/c.ts', '@svc/pg-wire'),
  plant('pg-wire-below-databases', 'packages/jobs-dashboard/src/b.ts', '@svc/pg-wire'),
  plant('dashboard-imports-only-jobs', 'packages/jobs-dashboard/src/a.ts', '@svc/contract'),
  plant('connectors-import-nothing-of-ours', 'packages/connectors/src/a.ts', '@svc/server'),
  plant('channels-import-nothing-of-ours', 'packages/channels/src/a.ts', '@svc/server'),
  plant('connectors-open-no-socket', 'packages/connectors/src/mysql/b.ts', 'node:net'),
  plant('connectors-open-no-socket', 'packages/connectors/src/clickhouse/b.ts', 'undici'),
  plant('connectors-open-no-socket', 'packages/connectors/src/rest/b.ts', 'undici'),
  plant('channels-open-no-socket', 'packages/channels/src/webhook/b.ts', 'undici'),
  plant('client-imports-nothing', 'packages/client/src/a.ts', '@svc/contract', 'type'),
  plant('client-imports-nothing', 'packages/client/src/b.ts', 'node:fs'),
  plant('cli-imports-only-client', 'packages/cli/src/a.ts', '@svc/contract', 'type'),
  plant('cli-imports-only-client', 'packages/cli/src/b.ts', '../../server/src/index.ts'),
  plant('web-imports-only-contract', 'packages/web/src/app/a.tsx', '@svc/server'),
  plant('web-lib-below-all', 'packages/web/src/lib/a.ts', '../features/jobs/page.tsx'),
  plant('web-lib-below-all', 'packages/web/src/lib/b.ts', '../requests/jobs.ts'),
  plant('web-requests-below-ui', 'packages/web/src/requests/a.ts', '../features/jobs/page.tsx'),
  plant('web-ui-knows-no-records', 'packages/web/src/ui/form/a.ts', '../../requests/jobs.ts'),
  plant('web-views-below-features', 'packages/web/src/views/runs/a.ts', '../../features/jobs/page.tsx'),
  plant('web-features-stand-alone', 'packages/web/src/features/other/a.ts', '../jobs/page.tsx', 'type'),
  plant('web-features-below-app', 'packages/web/src/features/jobs/a.ts', '../../app/router.tsx'),
  plant('nobody-imports-apps', 'bench/a.ts', '../apps/host/src/main.ts'),
  plant('platform-below-domains', 'packages/server/src/platform/http/a.ts', '../../domains/noun/index.ts'),
  plant('platform-below-domains', 'packages/server/src/platform/http/b.ts', '../../gateways/send/index.ts'),
  plant('operations-beside-the-service', 'packages/server/src/operations/a.ts', '../domains/noun/index.ts'),
  plant('gateways-below-domains', 'packages/server/src/gateways/send/a.ts', '../../domains/noun/index.ts'),
  plant('domains-below-composition-root', 'packages/server/src/domains/noun/root.ts', '../../svc.ts'),
  plant(
    'domains-below-composition-root',
    'packages/server/src/domains/noun/module.ts',
    '../../compose/module.ts',
    'type',
  ),
  plant(
    'platform-below-domains',
    'packages/server/src/platform/http/c.ts',
    '../../compose/module.ts',
    'type',
  ),
  plant(
    'gateways-below-domains',
    'packages/server/src/gateways/send/b.ts',
    '../../compose/module.ts',
    'type',
  ),
  plant('composition-behind-svc', 'packages/server/src/testing-module.ts', './compose/module.ts'),
  plant('composition-holds-no-sql', 'packages/server/src/compose/statements.ts', 'pg'),
  plant('domain-through-its-index', 'packages/server/src/domains/noun/a.ts', '../other/service.ts'),
  plant('domain-through-its-index', 'packages/server/src/domains/noun/a.test.ts', '../other/store.ts'),
  plant('domains-entered-through-index', 'packages/server/src/svc.ts', './domains/noun/service.ts'),
  plant('entrances-call-the-service', 'packages/server/src/domains/noun/routes.ts', './store.ts'),
  plant('entrances-call-the-service', 'packages/server/src/domains/noun/tools/run.ts', '../run-store.ts'),
  plant('entrances-hold-no-sql', 'packages/server/src/domains/noun/jobs.ts', 'pg'),
  plant('access-and-present-do-no-io', 'packages/server/src/domains/noun/access.ts', './store.ts'),
  plant('access-and-present-do-no-io', 'packages/server/src/domains/noun/run-present.ts', 'node:fs'),
  plant('outbound-through-the-gateway', 'packages/server/src/domains/noun/service.ts', 'undici'),
  plant('outbound-through-the-gateway', 'packages/jobs/src/b.ts', 'node:https'),
  plant('tokens-verified-in-one-place', 'packages/server/src/domains/noun/e.ts', 'jose'),
  plant('tokens-verified-in-one-place', 'packages/connectors/src/bigquery/a.ts', 'jose'),
  plant('tokens-verified-in-one-place', 'packages/server/src/domains/bearer-tokens/e.ts', 'openid-client'),
  plant('sessions-are-listened-to', 'packages/server/src/platform/db/b.ts', 'pg'),
  plant('sessions-are-listened-to', 'packages/jobs/src/c.ts', 'pg'),
  plant('sessions-are-listened-to', 'packages/connectors/src/postgresql/a.ts', 'pg'),
  plant('sessions-are-listened-to', 'packages/connectors/src/mysql/a.ts', 'mysql2'),
  plant('sessions-are-listened-to', 'packages/connectors/src/sqlserver/a.ts', 'tedious'),
  plant('sessions-are-listened-to', 'apps/host/src/a.ts', 'pg'),
  plant('writers-through-copy-data', 'packages/server/src/domains/noun/writes.ts', '@svc/connectors/writers'),
  plant(
    'writers-through-copy-data',
    'packages/server/src/gateways/run-sql/writes.ts',
    '@svc/connectors/writers',
    'type',
  ),
  plant(
    'writers-through-copy-data',
    'packages/connectors/src/connectors.ts',
    './postgresql/writer/writer.ts',
  ),
  plant('writers-through-copy-data', 'packages/server/src/compose/writes.test.ts', '@svc/connectors/writers'),
  plant('links-below-sessions', 'packages/connectors/src/postgresql/execute/f.ts', '../connection/link.ts'),
  plant('environment-through-configuration', 'packages/server/src/domains/noun/b.ts', 'node:process'),
  plant(
    'production-imports-no-tests',
    'packages/server/src/platform/db/a.ts',
    '../../../../../tools/test/x.ts',
  ),
  plant('production-imports-no-tests', 'packages/server/src/domains/noun/d.ts', '../other/testing.ts'),
  plant('production-imports-no-tests', 'packages/server/src/platform/db/e.ts', '@svc/testkit/service/x.ts'),
  plant('testkit-database-knows-no-service', 'packages/testkit/src/database/a.ts', '@svc/server'),
  plant('testkit-database-knows-no-service', 'packages/testkit/src/database/b.ts', '../service/x.ts'),
  plant('jobs-tests-know-no-service', 'packages/jobs/src/b.test.ts', '@svc/testkit/service/x.ts'),
  plant('no-cycles', 'packages/server/src/domains/noun/cycle-a.ts', './cycle-b.ts'),
  plant('every-import-resolves', 'packages/server/src/domains/noun/c.ts', './nowhere.ts'),
];

/** Empty modules at paths of the real layout, for the imports of the planted files. */
const targets = [
  'packages/client/src/index.ts',
  'packages/contract/src/index.ts',
  'packages/jobs/src/index.ts',
  'packages/pg-wire/src/index.ts',
  'packages/server/src/index.ts',
  'packages/web/src/features/jobs/page.tsx',
  'packages/web/src/app/router.tsx',
  'packages/web/src/requests/jobs.ts',
  'apps/host/src/main.ts',
  'packages/server/src/compose/module.ts',
  'packages/server/src/domains/noun/index.ts',
  'packages/server/src/domains/noun/store.ts',
  'packages/server/src/domains/noun/run-store.ts',
  'packages/server/src/domains/other/index.ts',
  'packages/server/src/domains/other/service.ts',
  'packages/server/src/domains/other/store.ts',
  'packages/server/src/domains/other/testing.ts',
  'packages/server/src/gateways/send/index.ts',
  'packages/connectors/src/writers/index.ts',
  'packages/connectors/src/postgresql/writer/writer.ts',
  'packages/connectors/src/postgresql/connection/link.ts',
  'packages/testkit/src/database/x.ts',
  'packages/testkit/src/service/x.ts',
  'tools/test/x.ts',
];

/** Allowed imports that resemble forbidden ones. */
const allowed = [
  plant('', 'packages/server/src/domains/noun/fine.ts', '../other/index.ts'),
  plant('', 'packages/server/src/domains/noun/fine-service.ts', './store.ts'),
  plant('', 'packages/server/src/platform/outbound/gateway.ts', 'undici'),
  plant('', 'packages/jobs/src/db/connections.ts', 'pg'),
  plant('', 'packages/jobs/src/wire.ts', '@svc/pg-wire'),
  plant('', 'packages/connectors/src/postgresql/fine.ts', '@svc/pg-wire'),
  plant('', 'packages/server/src/platform/db/fine.ts', '@svc/pg-wire'),
  plant('', 'packages/pg-wire/src/fine.ts', 'pg-protocol'),
  plant('', 'packages/pg-wire/src/values.ts', 'pg/lib/utils.js'),
  plant('', 'packages/jobs/src/fine.ts', 'pg', 'type'),
  plant('', 'packages/connectors/src/mysql/session.ts', 'mysql2'),
  plant('', 'packages/connectors/src/sqlserver/connect.ts', 'tedious'),
  plant('', 'packages/connectors/src/http/client.ts', 'undici'),
  plant('', 'packages/channels/src/webhook/fine.ts', 'node:http', 'type'),
  plant('', 'packages/client/tools/fine.ts', '@svc/server'),
  plant('', 'packages/cli/src/fine.ts', '@svc/client'),
  plant('', 'packages/web/src/lib/fine.ts', '@svc/contract'),
  plant('', 'packages/web/src/features/jobs/fine.ts', '../../requests/jobs.ts'),
  plant('', 'packages/server/src/domains/bearer-tokens/verify.ts', 'jose'),
  plant('', 'packages/connectors/src/bigquery/tokens.ts', 'jose'),
  plant('', 'packages/connectors/src/snowflake/credentials.ts', 'jose'),
  plant('', 'packages/server/src/domains/single-sign-on/settings.ts', 'openid-client', 'type'),
  plant('', 'packages/server/src/gateways/copy-data/fine.ts', '@svc/connectors/writers'),
  plant('', 'packages/connectors/src/postgresql/writer/session.ts', '../connection/link.ts'),
  plant('', 'packages/server/src/domains/noun/types-a.ts', './types-b.ts', 'type'),
  plant('', 'packages/server/src/domains/noun/types-b.ts', './types-a.ts'),
  plant('', 'packages/server/src/domains/noun/fine.test.ts', '../other/testing.ts'),
  plant('', 'packages/server/src/compose/fine.ts', './module.ts'),
  plant('', 'packages/server/src/compose/types.ts', 'pg', 'type'),
  plant('', 'packages/jobs/src/a.test.ts', '../../../tools/test/x.ts'),
  plant('', 'packages/jobs/src/c.test.ts', '@svc/testkit/database/x.ts'),
  plant('', 'packages/server/src/domains/noun/with-kit.test.ts', '@svc/testkit/service/x.ts'),
];

function plant(rule: string, file: string, imported: string, kind: 'value' | 'type' = 'value') {
  const content =
    kind === 'type'
      ? `import type { a } from '${imported}';\nexport type B = a;\n`
      : `import '${imported}';\n`;
  return { rule, files: { [file]: content } };
}

/** Empty libraries for the imports of the planted files. */
const libraries = ['undici', 'pg', 'pg-protocol', 'jose', 'openid-client', 'mysql2', 'tedious'];

type Report = {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
  };
};

function cruise(folder: string, targetsOfCruise: readonly string[]): Report {
  const program = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...targetsOfCruise];
  const result = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (!result.stdout.startsWith('{')) throw new Error(`dependency-cruiser failed: ${result.stderr}`);
  return JSON.parse(result.stdout) as Report;
}

/** Writes a folder with the layout of this repository and planted files. Packages resolve by their names. */
function layOut(folder: string): void {
  const write = (file: string, content: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  };
  for (const file of targets) write(file, 'export type a = 1;\n');
  write('packages/server/src/domains/noun/cycle-b.ts', "import './cycle-a.ts';\n");
  for (const { files } of [...plants, ...allowed]) {
    for (const [file, content] of Object.entries(files)) write(file, content);
  }
  for (const name of ['client', 'connectors', 'contract', 'jobs', 'pg-wire', 'server', 'testkit']) {
    const exports =
      name === 'testkit'
        ? { './*': { 'svc-source': './src/*' } }
        : {
            '.': { 'svc-source': './src/index.ts' },
            './writers': { 'svc-source': './src/writers/index.ts' },
          };
    const manifest = { name: `@svc/${name}`, type: 'module', exports };
    write(`packages/${name}/package.json`, JSON.stringify(manifest));
    mkdirSync(path.join(folder, 'node_modules/@svc'), { recursive: true });
    symlinkSync(path.join(folder, 'packages', name), path.join(folder, 'node_modules/@svc', name), 'dir');
  }
  for (const name of libraries) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  write('node_modules/pg/lib/utils.js', '');
  const dependencies = Object.fromEntries(libraries.map((name) => [name, '1']));
  write('package.json', JSON.stringify({ type: 'module', dependencies }));
  write('tsconfig.json', JSON.stringify({ compilerOptions: { module: 'nodenext', jsx: 'preserve' } }));
  symlinkSync(path.join(root, '.dependency-cruiser.mjs'), path.join(folder, '.dependency-cruiser.mjs'));
}

describe('planted violations', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-boundaries-'));
  let report: Report;

  beforeAll(() => {
    layOut(folder);
    report = cruise(folder, ['packages', 'apps', 'tools', 'bench']);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const rulesBrokenBy = (file: string) =>
    report.summary.violations.filter(({ from }) => from === file).map((violation) => violation.rule.name);

  test('the check reads more files than the planted ones', () => {
    expect(report.summary.totalCruised).toBeGreaterThan(plants.length);
  });

  test.each(plants.map(({ rule, files }) => [rule, Object.keys(files)[0] ?? '']))(
    'the rule %s reports %s',
    (rule, file) => {
      expect(rulesBrokenBy(file)).toContain(rule);
    },
  );

  test.each(allowed.map(({ files }) => Object.keys(files)[0] ?? ''))('%s breaks no rule', (file) => {
    expect(rulesBrokenBy(file)).toEqual([]);
  });

  test('every rule has a planted violation', async () => {
    const rules: { forbidden: { name: string }[] } = (
      await import(path.join(root, '.dependency-cruiser.mjs'))
    ).default;
    const planted = new Set(plants.map(({ rule }) => rule));
    expect([...planted].sort()).toEqual(rules.forbidden.map(({ name }) => name).sort());
  });
});
