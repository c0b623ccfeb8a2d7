import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram, hasPrograms } from '../../../../tools/test/programs.ts';
import type { Dial } from '../../../connectors/src/port.ts';

/** ClickHouse server of one test file, over HTTP on a loopback port. */
export type TestClickhouse = {
  readonly port: number;
  /** Host name that `dial` connects to this server. */
  readonly host: string;
  readonly dial: Dial;
  /** Executes a statement as the unrestricted user `default` and returns the body of the response. */
  readonly query: (sql: string, database?: string) => Promise<string>;
  readonly stop: () => Promise<void>;
};

const testHost = 'clickhouse.test';
const folderOfEngine = path.resolve(import.meta.dirname, '../../../../tools/test/clickhouse');

/**
 * Returns true if the engine is installed. Otherwise prints the command that installs it, or throws with
 * `SVC_REQUIRE_ALL=1`.
 */
export function hasClickhouse(): boolean {
  if (existsSync(path.join(folderOfEngine, 'node_modules/chdb/package.json'))) return true;
  const line = 'the ClickHouse tests need chdb: npm ci --ignore-scripts --prefix tools/test/clickhouse.';
  if (process.env['SVC_REQUIRE_ALL'] === '1') throw new Error(`Nothing may be skipped, but ${line}`);
  process.stderr.write(`\n*** SKIPPED: ${line} ***\n\n`);
  return false;
}

/** Starts the engine behind its HTTP interface. `clickhouse-front.ts` lists the users. */
export async function startClickhouse(): Promise<TestClickhouse> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-clickhouse-'));
  const front = path.join(import.meta.dirname, 'clickhouse-front.ts');
  const child = spawn(
    process.execPath,
    [front, path.join(folderOfEngine, 'package.json'), path.join(folder, 'data')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const [port] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('The engine of ClickHouse did not start.');
    }),
  ])) as [Buffer];
  return present(Number(String(port)), child, folder);
}

/** Returns true if Debian's old server is installed. */
export const hasOldClickhouse = (): boolean =>
  hasPrograms({
    tests: 'tests of an old ClickHouse server',
    programs: ['clickhouse-server'],
    debianPackage: 'clickhouse-server',
  });

const startTries = 200;

/** Starts Debian's server, version 18.16, for the HTTP and the errors of a version that the connector refuses. */
export async function startOldClickhouse(): Promise<TestClickhouse> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-clickhouse-old-'));
  const [port, tcpPort] = [await freePort(), await freePort()];
  mkdirSync(path.join(folder, 'data'));
  writeFileSync(path.join(folder, 'config.xml'), configuration(folder, port, tcpPort));
  writeFileSync(path.join(folder, 'users.xml'), oldUsers);
  const child = spawn(
    findProgram('clickhouse-server') ?? 'clickhouse-server',
    [`--config-file=${folder}/config.xml`],
    { stdio: ['pipe', 'ignore', 'ignore'], cwd: folder },
  );
  const server = present(port, child, folder);
  for (let left = startTries; left > 0; left--) {
    if ((await server.query('select 1').catch(() => '')) === '1\n') return server;
    await delay(50);
  }
  await server.stop();
  throw new Error('The old ClickHouse server does not answer.');
}

const configuration = (folder: string, port: number, tcpPort: number): string => `<yandex>
  <logger><level>error</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
  <http_port>${port}</http_port><tcp_port>${tcpPort}</tcp_port><listen_host>127.0.0.1</listen_host>
  <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><users_config>users.xml</users_config>
  <default_profile>default</default_profile><default_database>default</default_database>
  <mark_cache_size>10000000</mark_cache_size></yandex>`;

const oldUser = (name: string, password: string): string =>
  `<${name}><password>${password}</password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></${name}>`;
const oldUsers = `<yandex><profiles><default></default></profiles>
  <users>${oldUser('default', '')}${oldUser('reader', 's3cret-Passw0rd')}</users><quotas><default></default></quotas></yandex>`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

function present(port: number, child: ChildProcess, folder: string): TestClickhouse {
  return {
    port,
    host: testHost,
    dial: async (target, { signal }) => {
      const isOurs = target.host === testHost;
      const socket = connect({ ...(isOurs ? { host: '127.0.0.1', port } : target), signal });
      await once(socket, 'connect');
      return socket;
    },
    query: async (sql, database) => {
      const search = database === undefined ? '' : `?database=${database}`;
      const response = await fetch(`http://127.0.0.1:${port}/${search}`, { method: 'POST', body: sql });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return text;
    },
    stop: async () => {
      const closed = child.exitCode === null ? once(child, 'close') : Promise.resolve();
      child.kill('SIGKILL');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
