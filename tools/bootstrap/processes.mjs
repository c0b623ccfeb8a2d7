// Reads the state of other processes from the system. Plain JavaScript without dependencies: runs before any installation.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns the fields of /proc/<pid>/stat after the program's name. The name may contain spaces and parentheses. */
function statFields(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

const askPs = (pid, column) => {
  const { status, stdout } = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

const isLinux = process.platform === 'linux';

export function isAlive(pid) {
  // A zombie has ended; its parent has not read its exit code.
  if (isLinux && statFields(pid)?.[0] === 'Z') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Returns the start time of a process in the system's format. The id and the start time identify a process: the system
 * reuses ids. Empty where the start time is not available.
 */
export function startOf(pid) {
  if (isLinux) return statFields(pid)?.[19] ?? '';
  return process.platform === 'win32' ? '' : (askPs(pid, 'lstart') ?? '');
}

/** Returns the parent of a process; undefined where the system does not report it. */
export function parentOf(pid) {
  if (isLinux) {
    const parent = Number(statFields(pid)?.[1]);
    return parent > 0 ? parent : undefined;
  }
  return process.platform === 'win32' ? undefined : Number(askPs(pid, 'ppid')) || undefined;
}

/** Returns the command line of a process; empty where the system does not report it. */
export function commandOf(pid) {
  if (!isLinux) return process.platform === 'win32' ? '' : (askPs(pid, 'command') ?? '');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
