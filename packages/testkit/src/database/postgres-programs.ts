import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Binaries } from '../../../server/src/platform/db/built-in/binaries.ts';

/**
 * Returns the PostgreSQL programs of the folder in `SVC_TEST_POSTGRES_BIN`, such as `/usr/lib/postgresql/15/bin`. The
 * tests can thus run on the oldest version that the service supports. Undefined: the programs that npm installed.
 *
 * @throws Error when the folder contains no PostgreSQL.
 */
export function findPostgresPrograms(folder = process.env['SVC_TEST_POSTGRES_BIN']): Binaries | undefined {
  if (!folder) return undefined;
  const postgres = path.join(folder, 'postgres');
  const { stdout, error } = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  const [, version] = /(\d+(?:\.\d+)*)/.exec(stdout ?? '') ?? [];
  if (error || !version)
    throw new Error(
      `SVC_TEST_POSTGRES_BIN names ${folder}, where no PostgreSQL runs: ${error?.message ?? stdout}`,
    );
  return { postgres, initdb: path.join(folder, 'initdb'), version };
}
