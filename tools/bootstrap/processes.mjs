// What the system says of other processes. Plain JavaScript without dependencies: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The fields of /proc/<pid>/stat after the program's name, which may hold spaces and parentheses itself. */
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
  // One that ended and that nobody has asked for its code does nothing any more.
  if (isLinux && statFields(pid)?.[0] === 'Z') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * When a process started, as the system writes it: with the number it names one process, since numbers are given again
 * after a restart. Empty where the system does not say.
 */
export function startOf(pid) {
  if (isLinux) return statFields(pid)?.[19] ?? '';
  return process.platform === 'win32' ? '' : (askPs(pid, 'lstart') ?? '');
}

/** The parent of a process; undefined where the system does not say. */
export function parentOf(pid) {
  if (isLinux) {
    const parent = Number(statFields(pid)?.[1]);
    return parent > 0 ? parent : undefined;
  }
  return process.platform === 'win32' ? undefined : Number(askPs(pid, 'ppid')) || undefined;
}

/** The command line of a process; empty where the system does not say. */
export function commandOf(pid) {
  if (!isLinux) return process.platform === 'win32' ? '' : (askPs(pid, 'command') ?? '');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
