import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const deleteAttempts = 5;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Removes unfinished files and folders of killed processes. Their names end in the process id. Skips those of
 * running processes, and ignores entries that it cannot remove.
 *
 * @param prefix Name before the process id, such as `/data/postgres/data.`.
 */
export function removeLeftovers(prefix: string): void {
  const folder = path.dirname(prefix);
  const start = path.basename(prefix);
  for (const name of readdirSync(folder)) {
    const digits = name.startsWith(start) ? name.slice(start.length) : '';
    if (!/^\d+$/.test(digits)) continue;
    const pid = Number(digits);
    // Process ids are reused: an entry with this process's id is from an earlier process.
    if (pid !== process.pid && isAlive(pid)) continue;
    try {
      rmSync(path.join(folder, name), { recursive: true, force: true, maxRetries: deleteAttempts });
    } catch {
      // A program that outlives its killed parent may still write there; the next start tries again.
    }
  }
}
