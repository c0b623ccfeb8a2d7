import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const lookIntervalMs = 200;
/** A build writes its name into its lock within milliseconds. An older empty lock belongs to a killed build. */
const emptyMaxMs = 5_000;
/** Index of the start time among the fields after the name in /proc/<pid>/stat. */
const startTimeField = 19;

/** Returns the process id, with the start time if /proc has it: the system reuses ids after a restart. */
function nameOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[startTimeField]}`;
  } catch {
    return String(pid);
  }
}

function isHeldBy(name: string): boolean {
  const pid = Number(name.split(' ', 1)[0]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return name === nameOf(pid);
}

function isAbandoned(file: string, holder: string): boolean {
  if (holder !== '') return !isHeldBy(holder);
  const made = statSync(file, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > emptyMaxMs;
}

function take(file: string): boolean {
  try {
    writeFileSync(file, nameOf(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Runs one build at a time: test files that start together must not empty the folder under one another. The lock of a
 * killed build is taken over.
 */
export async function withBuildLock(file: string, work: () => Promise<void>): Promise<void> {
  while (!take(file)) {
    const holder = read(file);
    if (holder === undefined) continue;
    if (!isAbandoned(file, holder)) await delay(lookIntervalMs);
    // Read again right before the removal: another build may have replaced the abandoned lock.
    else if (read(file) === holder) rmSync(file, { force: true });
  }
  try {
    await work();
  } finally {
    rmSync(file, { force: true });
  }
}
