import { mkdirSync, rmSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const waitMaxMs = 180_000;
const pollMs = 100;

/**
 * Runs `work` while no other process has this lock folder. A lock older than the longest wait belongs to a dead
 * process.
 *
 * @throws Error when the lock is not free in time.
 */
export async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + waitMaxMs;
  while (!take(folder)) {
    if (performance.now() > deadline) throw new Error(`The lock ${folder} was not free in time.`);
    await delay(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function take(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > waitMaxMs) rmSync(folder, { recursive: true, force: true });
    return false;
  }
}
