// A lock that expires when its process ends, even after SIGKILL. Plain JavaScript without dependencies.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, startOf } from './processes.mjs';

const lookIntervalMs = 1_000;
/** Age in ms after which an empty lock is abandoned: its process was killed between creating and filling it. */
const emptyMaxMs = 5_000;

const nameOf = (pid) => `${pid} ${startOf(pid)}`;

/** Returns true when the process of a line of the lock is still running. The start time excludes a reused process id. */
function isHeldBy(line) {
  const pid = Number(line.split(' ', 1)[0]);
  return pid > 0 && isAlive(pid) && line === nameOf(pid);
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isAbandoned(file, content) {
  if (content !== '') return !content.split('\n').some(isHeldBy);
  const made = statSync(file, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > emptyMaxMs;
}

/** Takes the lock. Returns false when another process has it. */
function take(file) {
  try {
    writeFileSync(file, nameOf(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Runs `work` while no other process has the lock of this file.
 *
 * @param onWait called once when another process has the lock.
 * @param onOrphan called with the id of each process that a dead holder left running.
 */
export async function withProcessLock(file, work, { onWait, onOrphan } = {}) {
  let isTold = false;
  while (!take(file)) {
    const content = read(file);
    if (content === undefined) continue;
    if (isAbandoned(file, content)) {
      // Another process may have removed and taken the abandoned lock since the first read.
      if (read(file) === content) rmSync(file, { force: true });
      continue;
    }
    const [holder, ...helpers] = content.split('\n');
    if (onOrphan && content !== '' && !isHeldBy(holder))
      for (const helper of helpers.filter(isHeldBy)) onOrphan(Number(helper.split(' ', 1)[0]));
    if (!isTold) onWait?.();
    isTold = true;
    await delay(lookIntervalMs);
  }
  try {
    return await work({
      /** Adds a process. The lock stays taken while that process runs. */
      addHelper: (pid) => writeFileSync(file, `${nameOf(process.pid)}\n${nameOf(pid)}`),
    });
  } finally {
    rmSync(file, { force: true });
  }
}
