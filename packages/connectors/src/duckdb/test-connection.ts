import { confinementWarnings } from '../embedded/confinement-warnings.ts';
import { ConnectorError } from '../error.ts';
import type { CallOptions, ConnectionTest } from '../port.ts';
import { allowedPath, filesFor } from './files/listed-files.ts';
import { type DuckdbOptions, ownLimits, runStatement } from './run-statement.ts';
import type { DuckdbConnection } from './settings.ts';

/** Checks that all files are allowed and readable. Returns the version of the engine. */
export async function testDuckdbConnection(
  options: DuckdbOptions,
  connection: DuckdbConnection,
  call: CallOptions,
): Promise<ConnectionTest> {
  try {
    for (const { path } of connection.files) await allowedPath(options.files, path);
    const statement = { sql: 'select version()' };
    const files = await filesFor(options.files, connection, statement);
    const job = { files, statement, limits: ownLimits, needsAllFiles: true };
    const version: unknown[] = [];
    for await (const batch of (await runStatement(options, job, call)).batches)
      version.push(batch.columns[0]?.[0]);
    return {
      isOk: true,
      serverVersion: `DuckDB ${String(version[0])}`,
      warnings: confinementWarnings(options.pool),
    };
  } catch (error) {
    if (error instanceof ConnectorError) return { isOk: false, error };
    throw error;
  }
}
