import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Binaries } from '../../../server/src/platform/db/built-in/binaries.ts';

/**
 * The PostgreSQL that `SVC_TEST_POSTGRES_BIN` names, a folder such as `/usr/lib/postgresql/15/bin`, so that the
 * tests also run on the oldest version that the service supports. Undefined: the one that npm installed.
 *
 * @throws Error when the folder holds no PostgreSQL.
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
