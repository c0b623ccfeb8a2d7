import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Folders of server programs, which are not on an ordinary user's path. */
const serverFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Returns the full path of an installed program, or undefined. */
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
 * Returns true when all programs for some tests are installed. Otherwise prints a prominent line, and the tests are
 * skipped. With `SVC_REQUIRE_ALL=1` (continuous integration), throws instead.
 *
 * @param need.tests  name of the skipped tests, such as "MariaDB tests".
 * @throws Error when a program is missing and `SVC_REQUIRE_ALL` is set.
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
