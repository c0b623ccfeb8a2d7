import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { encryptionKey, type RunningService } from '@svc/testkit/service/service.ts';
import { onTestFinished } from 'vitest';

const cli = path.join(fileURLToPath(new URL('../../../../', import.meta.url)), 'apps/host/src/cli.ts');
const endMaxMs = 120_000;

/** Creates a folder of files. The end of the test deletes it. */
export function recordsFolder(files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-records-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return { folder, write };
}

/** Runs the standalone program on the database of a service until it exits, at the latest until the test ends. */
export function runHost(
  { testDatabase }: Pick<RunningService, 'testDatabase'>,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const { host, port, user, password, database } = testDatabase.connection;
  const child = spawn(process.execPath, ['--conditions=svc-source', cli, ...args], {
    env: {
      Svc__Database__ConnectionString: `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`,
      Svc__EncryptionKey: encryptionKey,
      Svc__Host__Port: '0',
      Svc__Jobs__Workers: '0',
      Svc__Logging__Level: 'silent',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  onTestFinished(() => stop(child));
  return {
    output: () => output,
    /** Waits for the exit code, or for `Serving` once the program serves. */
    end: () => endOf(child, () => output),
    kill: () => stop(child, 'SIGKILL'),
    stop: () => stop(child),
  };
}

async function endOf(child: ChildProcess, output: () => string): Promise<number | 'Serving'> {
  const deadline = performance.now() + endMaxMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) return child.exitCode;
    if (output().includes('Ready: ')) return 'Serving';
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`The program neither ended nor served: ${output()}`);
}

function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
