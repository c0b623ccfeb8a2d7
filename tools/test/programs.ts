import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Folders of servers' programs, which are not on an ordinary user's path. */
const serverFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** The whole path of an installed program, or undefined. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), ...serverFolders];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * True when all programs that some tests need are installed. Otherwise the tests are skipped with a line that
 * nobody overlooks; under `SVC_REQUIRE_ALL=1` (continuous integration) that is an error instead.
 *
 * @param need.tests  what is skipped, e.g. "MariaDB tests".
 * @throws Error when one is missing and everything is required.
 */
export function hasPrograms(need: {
  readonly tests: string;
  readonly programs: readonly string[];
  readonly debianPackage: string;
}): boolean {
  const missing = need.programs.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return true;
  const line = `the ${need.tests} need ${missing.join(' and ')}: install the Debian package ${need.debianPackage}.`;
  if (process.env['SVC_REQUIRE_ALL'] === '1') throw new Error(`Nothing may be skipped, but ${line}`);
  process.stderr.write(`\n*** SKIPPED: ${line} ***\n\n`);
  return false;
}
