import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const program = `
  const { registerHooks } = await import('node:module');
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  const { createConnectors } = await import(process.argv[1]);
  const connectors = createConnectors();
  for (const engine of connectors.engines) connectors.get(engine).settings.parse;
  process.stdout.write(JSON.stringify(loaded));
  await connectors.close();
`;

test('unused engines load no driver and no HTTP client', () => {
  const index = path.join(import.meta.dirname, 'index.ts');
  const argv = ['--conditions=svc-source', '--input-type=module', '--eval', program, '--', index];
  const loaded: unknown = JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' }));
  const files = Array.isArray(loaded) ? loaded.map(String) : [];
  expect(files.some((file) => file.endsWith('/clickhouse/index.ts'))).toBe(true);
  expect(files.some((file) => file.endsWith('/sqlserver/index.ts'))).toBe(true);
  expect(files.some((file) => file.endsWith('/rest/index.ts'))).toBe(true);
  expect(files.some((file) => file.endsWith('/bigquery/index.ts'))).toBe(true);
  expect(files.some((file) => file.endsWith('/snowflake/index.ts'))).toBe(true);
  expect(files.some((file) => file.endsWith('/databricks/index.ts'))).toBe(true);
  expect(files.filter((file) => /node_modules\/(undici|mysql2|@duckdb|tedious|jose)\//.test(file))).toEqual(
    [],
  );
});
