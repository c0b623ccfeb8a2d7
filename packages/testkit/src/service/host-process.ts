import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fastFolder } from '../database/fast-folder.ts';
import { copyFirstData } from './first-data.ts';
import { buildWeb } from './web-build.ts';

/** Standalone service of one test file, with its own database, port and demo inbox. */
export type HostProcess = {
  readonly origin: string;
  readonly setupToken: string;
  /** SQLite file with orders, in a folder that data sources may use. */
  readonly ordersFile: string;
  /** Returns the text that the process wrote to stderr since the last start. */
  readonly said: () => string;
  /** Ends the process with SIGKILL, as a crash would. */
  readonly kill: () => Promise<void>;
  /** Restarts a killed service with the same address and the same records. */
  readonly startAgain: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const root = path.resolve(import.meta.dirname, '../../../..');
const setupToken = 'a-setup-token-that-only-this-test-knows';
const startMaxMs = 600_000;

function writeOrders(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(
    'create table orders (id integer primary key, customer text not null, amount real, placed_on text)',
  );
  const insert = database.prepare('insert into orders (customer, amount, placed_on) values (?, ?, ?)');
  for (let day = 1; day <= 28; day++) {
    const amount = day % 7 === 0 ? null : day * 10.5;
    insert.run(day % 2 === 0 ? 'Ada' : 'Grace', amount, `2026-02-${String(day).padStart(2, '0')}`);
  }
  database.close();
}

export type HostOptions = {
  /** Starts the demo project and its inbox, as `npm start` does. Default true. */
  readonly withDemo?: boolean;
  /** Settings by key. They override the settings of all tests. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Environment variables in addition to those of the tests. */
  readonly env?: Readonly<Record<string, string>>;
};

/** Builds the UI if its sources changed, and starts the service as `npm start` does. */
export async function startHost(options: HostOptions = {}): Promise<HostProcess> {
  buildWeb();
  const folder = makeFolder();
  // With an external database, the data directory contains no cluster.
  if (options.settings?.['Svc:Database:ConnectionString'] === undefined)
    await copyFirstData(path.join(folder, 'data'), makeFirstData);
  return startIn(folder, options);
}

async function makeFirstData(handOver: (data: string) => void): Promise<void> {
  const folder = makeFolder();
  const host = await startIn(folder, { withDemo: false });
  await host.end();
  // Each test writes its own orders.
  rmSync(host.ordersFile);
  handOver(path.join(folder, 'data'));
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Creates a folder that the user of PostgreSQL can enter. The cluster is thus inside and is removed with the folder.
 */
function makeFolder(): string {
  const folder = mkdtempSync(path.join(fastFolder(), 'svc-browser-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Starts a service in a folder. @returns the service, and `end`, which stops it without removal of the folder. */
async function startIn(
  folder: string,
  { withDemo = true, settings = {}, env = {} }: HostOptions,
): Promise<HostProcess & { readonly end: () => Promise<void> }> {
  const data = path.join(folder, 'data');
  const files = path.join(data, 'files');
  mkdirSync(files, { recursive: true });
  const ordersFile = path.join(files, 'orders.sqlite');
  writeOrders(ordersFile);
  let said = '';
  const start = async (port: number): Promise<{ host: ChildProcess; origin: string }> => {
    const config = {
      'Svc:Host:Port': port,
      'Svc:DataDirectory': data,
      'Svc:UserManagement:SetupToken': setupToken,
      'Svc:Logging:Level': 'silent',
      // A busy machine takes long to start an engine.
      'Svc:Query:TimeoutSeconds': 240,
      ...settings,
    };
    writeFileSync(path.join(folder, 'svc.config.json'), JSON.stringify(config));
    const command = ['--conditions=svc-source', path.join(root, 'apps/host/src/cli.ts'), 'start'];
    const host = spawn(process.execPath, withDemo ? command : [...command, '--no-demo'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    });
    said = '';
    host.stderr?.on('data', (part: Buffer) => {
      said += part.toString();
    });
    return { host, origin: await readOrigin(host) };
  };
  let { host, origin } = await start(0);
  const hasEnded = () => host.exitCode !== null || host.signalCode !== null;
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (hasEnded()) return;
    const ended = once(host, 'exit');
    host.kill(signal);
    await ended;
  };
  const startAgain = async () => {
    ({ host, origin } = await start(Number(new URL(origin).port)));
  };
  return {
    origin,
    setupToken,
    ordersFile,
    said: () => said,
    kill: () => end('SIGKILL'),
    startAgain,
    end: () => end('SIGTERM'),
    stop: async () => {
      // A killed service leaves its database server running. The next start adopts the server and then stops it.
      if (host.signalCode === 'SIGKILL') await startAgain();
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for the line with the address of the service and returns the origin. */
function readOrigin(host: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const late = setTimeout(
      () => reject(new Error(`The service did not start in time:\n${said}`)),
      startMaxMs,
    );
    host.stderr?.on('data', (part: Buffer) => {
      said += part.toString();
      const [, origin] = /^Ready: (http:\/\/[^/\s]+)\//m.exec(said) ?? [];
      if (origin === undefined) return;
      clearTimeout(late);
      resolve(origin);
    });
    host.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`The service ended with ${code}:\n${said}`));
    });
  });
}
