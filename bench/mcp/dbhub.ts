import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { runSubject } from '../run/subject-process.ts';

/**
 * DBHub (MIT), a comparable server: one database, no projects, keys, masking or audit. It runs statements in a
 * read-only transaction on a pooled connection. npm installs this version into a separate folder when the benchmark
 * runs, because its drivers for a dozen systems should not be our dependencies.
 */
export type DbhubConfig = { readonly shop: pg.ClientConfig };

export const dbhubTool = 'execute_sql';
const version = '1.4.0';
const driver = 'pg@8.23.1';
const startTimeoutMs = 30_000;

runSubject(async ({ shop }: DbhubConfig) => {
  const script = install();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-bench-dbhub-config-'));
  const configFile = path.join(folder, 'dbhub.toml');
  writeFileSync(configFile, configOf(shop), { mode: 0o600 });
  const port = await freePort();
  // DBHub reads its command line when it is loaded, and then listens.
  process.argv = [
    process.argv[0] ?? '',
    script,
    '--transport=http',
    '--host=127.0.0.1',
    `--port=${port}`,
    `--config=${configFile}`,
  ];
  console.error = () => undefined;
  await import(pathToFileURL(script).href);
  const origin = `http://127.0.0.1:${port}`;
  await untilAnswering(`${origin}/healthz`);
  return {
    ready: { origin },
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

/** Installs DBHub once per machine, without install scripts. */
function install(): string {
  const folder = path.join(os.tmpdir(), `svc-bench-dbhub-${version}`);
  const script = path.join(folder, 'node_modules/@bytebase/dbhub/dist/index.js');
  if (existsSync(script)) return script;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags, `@bytebase/dbhub@${version}`, driver], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return script;
}

const configOf = ({ host, port, user, password, database }: pg.ClientConfig): string => `
[[sources]]
id = "shop"
type = "postgres"
host = ${JSON.stringify(host)}
port = ${port}
user = ${JSON.stringify(user)}
password = ${JSON.stringify(password)}
database = ${JSON.stringify(database)}
sslmode = "disable"

[[tools]]
name = "${dbhubTool}"
source = "shop"
readonly = true
max_rows = 1000
`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

async function untilAnswering(url: string): Promise<void> {
  const endsAt = performance.now() + startTimeoutMs;
  for (;;) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    if (performance.now() > endsAt) throw new Error('DBHub does not answer.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
