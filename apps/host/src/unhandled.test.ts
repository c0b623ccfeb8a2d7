import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const cli = path.join(import.meta.dirname, 'cli.ts');
let database: TestDatabase;
let child: ChildProcess;
let output: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(async () => {
  if (child.exitCode === null) {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }
  await database.drop();
});

/** Faults that the test injects into a service: by a signal while it serves, or when it reports its start. */
const planted = `
  process.on('SIGUSR2', () => { throw new Error('planted exception', { cause: new Error('the cause of it') }); });
  process.on('SIGWINCH', () => { Promise.reject(new Error('planted rejection', { cause: new Error('the cause of it') })); });
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = (text) => {
    if (process.env.PLANTED === 'start' && text.includes('Using')) Promise.reject(new Error('planted at the start'));
    return write(text);
  };`;

/** Runs a service on a separate database with injected faults. */
function run(env: Readonly<Record<string, string>> = {}): void {
  const { host, port, user, password, database: name } = database.connection;
  const preload = `data:text/javascript,${encodeURIComponent(planted)}`;
  child = spawn(
    process.execPath,
    ['--conditions=svc-source', '--import', preload, cli, 'start', '--no-demo'],
    {
      env: {
        PATH: process.env['PATH'],
        Svc__Database__ConnectionString: `postgres://${user}:${password}@${host}:${port}/${name}`,
        Svc__EncryptionKey: 'encryption-key-of-the-tests-0123456789',
        Svc__Host__Port: '0',
        Svc__Logging__Level: 'warn',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
}

const patience = { timeout: 200_000, interval: 25 };

async function serving(): Promise<string> {
  await expect.poll(() => /Ready: \S+/.test(output) || child.exitCode !== null, patience).toBe(true);
  const origin = /Ready: (http:\/\/[^/\s]+)/.exec(output)?.[1];
  if (origin === undefined) throw new Error(output);
  return origin;
}

/** Returns the log lines whose message contains this text. */
const logged = (message: string): { level: number; err: { message: string; stack: string } }[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg.includes(message));

describe('an uncaught exception', () => {
  test('is logged with its cause and stops the service in an orderly way, with exit code 1', async () => {
    run();
    await serving();
    child.kill('SIGUSR2');
    await expect.poll(() => child.exitCode, patience).toBe(1);
    const [line, ...more] = logged('an uncaught exception stops the service');
    expect(more).toEqual([]);
    expect(line?.err.stack).toContain('planted exception');
    expect(line?.err.stack).toContain('the cause of it');
    // The drain after a signal prints the same line.
    expect(output).toContain('Stopping ...');
  }, 600_000);
});

describe('an unhandled rejection', () => {
  test('is logged with its cause, and the service continues', async () => {
    run();
    const origin = await serving();
    child.kill('SIGWINCH');
    await expect.poll(() => logged('nobody handled it').length, patience).toBe(1);
    expect(logged('nobody handled it')[0]?.err.stack).toContain('the cause of it');
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    await expect.poll(() => child.exitCode, patience).toBe(0);
  }, 600_000);

  test('stops the start if the service is still starting', async () => {
    run({ PLANTED: 'start' });
    await expect.poll(() => child.exitCode, patience).toBe(1);
    expect(logged('stops the start')[0]?.err.message).toContain('planted at the start');
  }, 600_000);
});
