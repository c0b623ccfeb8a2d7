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
 * Removes what processes that were killed left unfinished: files and folders called as the finished thing, with the
 * process's number behind it. Those of processes that live stay, and so does what cannot be removed: it is in nobody's way.
 *
 * @param prefix  all of the name before the number, such as `/data/postgres/data.`.
 */
export function removeLeftovers(prefix: string): void {
  const folder = path.dirname(prefix);
  const start = path.basename(prefix);
  for (const name of readdirSync(folder)) {
    const digits = name.startsWith(start) ? name.slice(start.length) : '';
    if (!/^\d+$/.test(digits)) continue;
    const pid = Number(digits);
    // A number is given again: what bears this process's own is from another one.
    if (pid !== process.pid && isAlive(pid)) continue;
    try {
      rmSync(path.join(folder, name), { recursive: true, force: true, maxRetries: deleteAttempts });
    } catch {
      // A program that outlives its killed parent may still write there; the next start tries again.
    }
  }
}
