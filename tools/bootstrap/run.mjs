// Runs one program to its end. Plain JavaScript without dependencies.
import { spawn } from 'node:child_process';
import os from 'node:os';
import { watchParents } from './parents.mjs';

/**
 * Runs a program to its end and passes signals on to it: whoever stops this process stops the work, and the work
 * decides how it ends. It is told SIGTERM when npm is gone without a word.
 *
 * @param options.isService  it drains when it is told to stop, once however often it is told; a channel to it closes
 *   when this process is killed.
 * @param options.onStart  called with the program's process number.
 */
export function run(program, args, { isService = false, onStart, stdio = 'inherit', ...options }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...options,
      stdio: isService ? ['inherit', 'inherit', 'inherit', 'ipc'] : stdio,
    });
    if (child.pid !== undefined) onStart?.(child.pid);
    const forward = (signal) => {
      // A terminal has sent Ctrl-C to the whole group, the child included, and a second one may mean "at once".
      if (signal === 'SIGINT' && process.stdin.isTTY && !isService) return;
      child.kill(isService && signal === 'SIGHUP' ? 'SIGTERM' : signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const endWatch = watchParents(() => child.kill('SIGTERM'));
    const finish = (result) => {
      for (const signal of signals) process.off(signal, forward);
      endWatch();
      resolve(result);
    };
    child.on('error', (error) => finish({ error }));
    child.on('close', (code, signal) => finish({ code, signal }));
  });
}

/** Ends this process as the child ended: with its code, or for a signal with the shell's code of it. */
export function endLike({ code, signal }) {
  process.exit(signal ? 128 + os.constants.signals[signal] : code);
}

/** Ends this process with one sentence. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
