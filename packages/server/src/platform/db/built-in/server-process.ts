import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import { removeLeftovers } from './leftovers.ts';
import type { ClusterLocation } from './location.ts';

/** Older ones take C.UTF-8 from the system's library, which sorts the same way. */
const builtInLocalesSince = 17;

/** Makes the files of a new cluster whose only role is the superuser `postgres` with `password`. */
export function initialise(binaries: Binaries, location: ClusterLocation, password: string): void {
  const passwordFiles = path.join(path.dirname(location.data), 'initial-');
  const passwordFile = `${passwordFiles}${process.pid}`;
  const unfinished = `${location.data}.${process.pid}`;
  removeLeftovers(`${location.data}.`);
  removeLeftovers(passwordFiles);
  writeFileSync(passwordFile, password, { mode: 0o644 });
  try {
    const result = spawnSync(
      binaries.initdb,
      [
        ...['-D', unfinished, '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8'],
        ...(Number.parseInt(binaries.version, 10) >= builtInLocalesSince
          ? ['--locale-provider=builtin']
          : []),
        ...['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-instructions'],
      ],
      { ...location.user, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, cwd: '/', encoding: 'utf8' },
    );
    if (result.error ?? result.status !== 0) {
      throw new Error(
        `The built-in PostgreSQL could not make its files: ${result.error?.message ?? result.stderr.trim()}`,
      );
    }
  } finally {
    rmSync(passwordFile, { force: true });
  }
  putInPlace(unfinished, location);
}

/** Renamed only when it is whole: a process killed half-way leaves nothing that looks like a cluster. */
function putInPlace(unfinished: string, location: ClusterLocation): void {
  try {
    renameSync(unfinished, location.data);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process made the same cluster first: that one is used.
    if (!isInitialised(location)) throw error;
  }
}

/** True when the cluster's files are there. */
export const isInitialised = (location: ClusterLocation): boolean =>
  existsSync(path.join(location.data, 'PG_VERSION'));

/**
 * Starts the server as a process of its own: detached, so that a signal to this process's group does not stop
 * the database under a service that is still draining; its log goes to a file.
 */
export function spawnServer(
  binaries: Binaries,
  location: ClusterLocation,
  settings: Readonly<Record<string, string>>,
): void {
  const log = openSync(location.logFile, 'a', 0o600);
  const args = ['-D', location.data];
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
  const child = spawn(binaries.postgres, args, {
    ...location.user,
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    cwd: '/',
  });
  child.on('error', () => {
    // A server that cannot be spawned shows as one that does not answer; the log file says why.
  });
  child.unref();
  closeSync(log);
}

/** The process id of the postmaster, when its pid file names one that is alive. */
export function runningPid(location: ClusterLocation): number | undefined {
  try {
    const pid = Number(readFileSync(path.join(location.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 0);
    return isServerOf(location, pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * After a restart of the machine or of a container another process may have the number in a pid file that a killed
 * server left. Where the system tells command lines, the server's names its folder.
 */
function isServerOf(location: ClusterLocation, pid: number): boolean {
  if (process.platform !== 'linux') return true;
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(location.data);
}

/** The end of the server's log: what to show when it does not come up. */
export function logTail(location: ClusterLocation): string {
  try {
    return readFileSync(location.logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
  } catch {
    return '(no log)';
  }
}
