import os from 'node:os';
import path from 'node:path';
import { askSecret } from './ask-secret.ts';
import type { CliContext } from './context.ts';
import { exitCodes } from './exit-codes.ts';

/** Process of the command line. */
type Process = Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr' | 'platform' | 'once' | 'exit'>;

/** Creates a context from the process's streams. If the reader closes the output, the process ends without an error. */
export function processContext(given: Process): CliContext {
  const { env, stdin, stdout, stderr } = given;
  const stop = new AbortController();
  given.once('SIGINT', () => stop.abort(new Error('Stopped.')));
  stdout.on('error', (error: NodeJS.ErrnoException) =>
    given.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed),
  );
  return {
    env,
    stdin,
    askSecret: stdin.isTTY ? (question) => askSecret(stdin, stderr, question) : undefined,
    answer: (part) => void stdout.write(part),
    say: (line) => void stderr.write(`${line}\n`),
    isTerminal: stdout.isTTY,
    folder: folderOf(given),
    signal: stop.signal,
  };
}

function folderOf({ env, platform }: Pick<Process, 'env' | 'platform'>): string {
  const [configured, fallback] =
    platform === 'win32' ? [env['APPDATA'], 'AppData/Roaming'] : [env['XDG_CONFIG_HOME'], '.config'];
  return path.join(configured || path.join(os.homedir(), fallback), 'svc');
}
