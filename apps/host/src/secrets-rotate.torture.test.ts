import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDataDirectories } from '@svc/testkit/database/data-directory.ts';
import { afterEach, expect, test } from 'vitest';

const cli = path.join(import.meta.dirname, 'cli.ts');
const dataDirectory = temporaryDataDirectories();
const running: ChildProcess[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => end(child)));
});

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  return child.exitCode;
}

function run(directory: string, ...args: string[]): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, ['--conditions=svc-source', cli, ...args], {
    env: {
      PATH: process.env['PATH'],
      Svc__DataDirectory: directory,
      Svc__Host__Port: '0',
      Svc__Demo__InboxPort: '0',
      Svc__Logging__Level: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  return { child, output: () => output };
}

/** Starts the service with its demo, and waits until a delivery of this process has arrived. */
async function startAndDeliver(directory: string): Promise<ChildProcess> {
  const { child, output } = run(directory, 'start');
  const inbox = () => /(http:\/\/127\.0\.0\.1:\d+\/)\s/.exec(output().split('Demo inbox')[1] ?? '')?.[1];
  await expect.poll(() => inbox() ?? child.exitCode ?? '', { timeout: 200_000, interval: 50 }).not.toBe('');
  const received = async () => {
    const answer = await fetch(`${inbox()}entries.json`);
    return ((await answer.json()) as { received: number }).received;
  };
  await expect.poll(received, { timeout: 200_000, interval: 250 }).toBeGreaterThan(0);
  return child;
}

async function finish(
  directory: string,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const { child, output } = run(directory, ...args);
  await once(child, 'close');
  return { code: child.exitCode, output: output() };
}

test('svc secrets rotate --new-key creates a key and encrypts all secrets under it, and the service works afterwards', async () => {
  const directory = dataDirectory();
  const keyFile = path.join(directory, 'secrets', 'encryption-key');
  const service = await startAndDeliver(directory);
  const before = readFileSync(keyFile, 'utf8');

  const beside = await finish(directory, 'secrets', 'rotate', '--new-key');
  expect([beside.code, readFileSync(keyFile, 'utf8')]).toEqual([1, before]);
  expect(beside.output).toContain('Another service already runs');
  // A repeated rotation changes nothing: everything is already under the only key.
  expect(await finish(directory, 'secrets', 'rotate')).toMatchObject({ code: 0 });
  await end(service);

  const rotated = await finish(directory, 'secrets', 'rotate', '--new-key');
  expect(rotated.output).toMatch(/Encrypted anew: [1-9]/);
  expect(rotated.output).toContain('Earlier keys can be removed.');
  expect(rotated.code).toBe(0);
  const after = readFileSync(keyFile, 'utf8');
  expect(after).not.toBe(before);
  expect(existsSync(`${keyFile}-previous`)).toBe(false);
  expect(rotated.output).not.toContain(after.trim());
  await startAndDeliver(directory);
}, 600_000);

test('an unknown command is refused with a reference to the list of commands', async () => {
  const { code, output } = await finish(dataDirectory(), 'secrets', 'turn');
  expect(code).toBe(2);
  expect(output).toContain("unknown command 'turn'");
  expect(output).toContain('npm run svc -- --help');
});
