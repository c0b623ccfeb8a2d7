// Detects that npm has ended. Plain JavaScript without dependencies.
import { commandOf, isAlive, parentOf } from './processes.mjs';

const lookIntervalMs = 1_000;

/**
 * Parent process, read at start: after the parent ends, `process.ppid` is another process. Some shells become the
 * command that they run. Others stay between npm and this process.
 */
const parent = process.ppid;
const isShell = commandOf(parent).includes('bootstrap.mjs');
const npm = isShell ? parentOf(parent) : undefined;

function isGone() {
  if (process.platform === 'win32') return !isAlive(parent);
  if (process.ppid !== parent) return true;
  if (npm === undefined || npm <= 1) return false;
  return process.platform === 'linux' ? parentOf(parent) !== npm : !isAlive(npm);
}

/**
 * Calls `onGone` once when the npm that started this process, or the shell between them, has ended. Neither forwards
 * every signal, and no process can forward SIGKILL. Does nothing for a process that npm did not start.
 *
 * @returns a function that ends the watch.
 */
export function watchParents(onGone) {
  if (process.env.npm_lifecycle_event === undefined || parent <= 1) return () => undefined;
  const look = () => {
    if (!isGone()) return;
    clearInterval(timer);
    onGone();
  };
  const timer = setInterval(look, lookIntervalMs);
  timer.unref();
  look();
  return () => clearInterval(timer);
}
