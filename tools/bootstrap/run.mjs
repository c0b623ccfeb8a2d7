// Runs one program to its end. Plain JavaScript without dependencies.
import { spawn } from 'node:child_process';
import os from 'node:os';
import { watchParents } from './parents.mjs';

/**
 * Runs a program to its end and forwards signals to it. The program decides how it ends. It receives SIGTERM when npm
 * ends without a signal.
 *
 * @param options.isService  the program drains on a signal and may receive several. It gets an IPC channel, which
 *   closes when this process is killed.
 * @param options.onStart  called with the program's process id.
 */
export function run(program, args, { isService = false, onStart, stdio = 'inherit', ...options }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...options,
      stdio: isService ? ['inherit', 'inherit', 'inherit', 'ipc'] : stdio,
    });
    if (child.pid !== undefined) onStart?.(child.pid);
    const forward = (signal) => {
      // A terminal sends Ctrl-C to the whole group, the child included. A second one may mean "stop immediately".
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

/** Ends this process like the child: with its exit code, or with the shell's exit code for its signal. */
export function endLike({ code, signal }) {
  process.exit(signal ? 128 + os.constants.signals[signal] : code);
}

/** Prints one sentence and ends this process with code 1. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
