import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A service process as in production, on a database that other processes use too. */
export type Replica = {
  readonly origin: string;
  readonly pid: number;
  /** Returns the exit code or signal of an ended process; null while it runs. */
  readonly ended: () => string | null;
  /** Returns unhandled rejections and uncaught exceptions. */
  readonly unhandled: () => readonly string[];
  /** Stops the process by a signal. @returns its exit code; null when another signal ended it. */
  readonly stop: () => Promise<number | null>;
};

const cli = path.resolve(import.meta.dirname, '../../../apps/host/src/cli.ts');
const startMsMax = 200_000;
const stopMsMax = 60_000;
const unhandledWords = /nobody handled|uncaught/;

/** Returns the environment variables of settings. Each item of a list has its variable. */
function environmentOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(values).flatMap(([key, value]) =>
    Array.isArray(value)
      ? value.map((entry, at) => [`${key}:${at}`, String(entry)] as const)
      : [[key, String(value)] as const],
  );
  return Object.fromEntries(entries.map(([key, value]) => [key.replaceAll(':', '__'), value]));
}

/**
 * Starts a service process and waits until it is ready.
 *
 * @param program  Entry file of the program; default: the one of this checkout.
 * @param onLine  Receives each line of its output.
 * @throws Error with its output when it does not become ready.
 */
export async function startReplica(
  values: Readonly<Record<string, unknown>>,
  program = cli,
  onLine: (line: string) => void = () => undefined,
): Promise<Replica> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--conditions=svc-source', '--disable-warning=ExperimentalWarning', program, 'start', '--no-demo'],
    {
      env: { PATH: process.env['PATH'], ...environmentOf({ ...values, 'Svc:Host:Port': 0 }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const exited = once(child, 'exit');
  const ready = Promise.withResolvers<string>();
  const unhandled: string[] = [];
  let head = '';
  let rest = '';
  const read = (chunk: unknown): void => {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      onLine(line);
      if (unhandledWords.test(line)) unhandled.push(line);
      if (head.length < 4_000) head += `${line}\n`;
      const origin = /Ready: (http:\/\/[^/\s]+)/.exec(line)?.[1];
      if (origin !== undefined) ready.resolve(origin);
    }
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  const timer = setTimeout(() => child.kill('SIGKILL'), startMsMax);
  void exited.then(() => ready.reject(new Error(`A service did not start:\n${head}`)));
  const origin = await ready.promise.finally(() => clearTimeout(timer));
  return {
    origin,
    pid: child.pid ?? 0,
    ended: () =>
      child.exitCode === null && child.signalCode === null ? null : `${child.exitCode ?? child.signalCode}`,
    unhandled: () => unhandled,
    stop: async () => {
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
      await exited;
      clearTimeout(hard);
      return child.exitCode;
    },
  };
}
