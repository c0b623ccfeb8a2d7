// A lock that ends with the process that holds it, however that ends. Plain JavaScript without dependencies.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, startOf } from './processes.mjs';

const lookIntervalMs = 1_000;
/** A lock is made and filled within moments: one that stays empty belongs to a process that was killed in between. */
const emptyMaxMs = 5_000;

const nameOf = (pid) => `${pid} ${startOf(pid)}`;

/** True when the process of a line of the lock is still that process. */
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

/** Takes the lock; false when somebody else has it. */
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
 * Runs `work` while no other process holds the lock of this file.
 *
 * @param onWait called once when another process has it.
 * @param onOrphan called with the numbers of processes that a holder who is gone left at work.
 */
export async function withProcessLock(file, work, { onWait, onOrphan } = {}) {
  let isTold = false;
  while (!take(file)) {
    const content = read(file);
    if (content === undefined) continue;
    if (isAbandoned(file, content)) {
      // Read again right before: another process may have found the same and taken it.
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
      /** The lock stays held while this process lives too. */
      addHelper: (pid) => writeFileSync(file, `${nameOf(process.pid)}\n${nameOf(pid)}`),
    });
  } finally {
    rmSync(file, { force: true });
  }
}
