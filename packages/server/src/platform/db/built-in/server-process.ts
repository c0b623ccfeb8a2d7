import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import { removeLeftovers } from './leftovers.ts';
import type { ClusterLocation } from './location.ts';

/**
 * First PostgreSQL version with built-in locales. Older versions take C.UTF-8 from the system library, which sorts
 * the same way.
 */
const builtInLocalesSince = 17;

/** Creates the files of a new cluster. Its only role is the superuser `postgres` with `password`. */
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
        '-D',
        unfinished,
        '-U',
        'postgres',
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
        ...(Number.parseInt(binaries.version, 10) >= builtInLocalesSince
          ? ['--locale-provider=builtin']
          : []),
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--no-instructions',
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

/** Renames only a complete cluster: a process that is killed half-way leaves nothing that looks like one. */
function putInPlace(unfinished: string, location: ClusterLocation): void {
  try {
    renameSync(unfinished, location.data);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process created the same cluster first. That cluster is used.
    if (!isInitialised(location)) throw error;
  }
}

/** Returns true if the cluster's files exist. */
export const isInitialised = (location: ClusterLocation): boolean =>
  existsSync(path.join(location.data, 'PG_VERSION'));

/**
 * Starts the server as a detached process: a signal to this process's group does not stop the database under a
 * draining service. Its log goes to a file.
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
    // The caller treats a failed spawn as a server that does not respond. The log file contains the reason.
  });
  child.unref();
  closeSync(log);
}

/** Returns the process id of the postmaster if its pid file names a running process. */
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
 * Returns true if the process is the server of this folder. After a restart of the machine or container, another
 * process may have the id in a stale pid file. On Linux, the command line of the server contains its folder.
 */
function isServerOf(location: ClusterLocation, pid: number): boolean {
  if (process.platform !== 'linux') return true;
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(location.data);
}

/** Returns the end of the server's log, for the error of a failed start. */
export function logTail(location: ClusterLocation): string {
  try {
    return readFileSync(location.logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
  } catch {
    return '(no log)';
  }
}
