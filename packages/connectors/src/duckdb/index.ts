import { collectValues, startWorker } from '../embedded/job.ts';
import type { Connector } from '../port.ts';
import { duckdbDialect } from '../sql/dialects.ts';
import { duckdbDryRun } from '../sql/dry-run.ts';
import { assertOneRead } from '../sql/read-only-gate.ts';
import type { FileReading } from './files/file-reading.ts';
import { allowedFile, filesFor } from './files/listed-files.ts';
import { readDuckdbMetadata } from './metadata.ts';
import { duckdbRules } from './rules.ts';
import { type DuckdbOptions, runStatement } from './run-statement.ts';
import { type DuckdbConnection, duckdbSettings } from './settings.ts';
import { testDuckdbConnection } from './test-connection.ts';

/** Options of the processes that write files. */
export type FilesEngineOptions = DuckdbOptions & {
  /** Parent of the temporary folders. Default: the temporary folder of the system. */
  readonly temporaryParent?: string;
};

/**
 * Creates the connector of a data source whose listed files are tables. Each statement has its own instance and temporary
 * folder.
 */
export function createDuckdbConnector(options: DuckdbOptions): Connector<DuckdbConnection> {
  return {
    engine: 'DuckDB',
    label: 'Files (DuckDB)',
    settings: duckdbSettings,
    dialect: duckdbDialect,
    dryRun: duckdbDryRun(duckdbRules),
    execute: async (connection, statement, call) => {
      assertOneRead(statement.sql, duckdbRules);
      const { maxRows, maxBytes, maxCellBytes } = call;
      const files = await filesFor(options.files, connection, statement, true);
      return runStatement(options, { files, statement, limits: { maxRows, maxBytes, maxCellBytes } }, call);
    },
    readMetadata: (connection, call) => readDuckdbMetadata(options, connection, call),
    testConnection: (connection, call) => testDuckdbConnection(options, connection, call),
    /** Returns the reading of each file. Throws `file-unreadable` for the first unreadable file. */
    describeFiles: async (connection, call) => {
      const files = await Promise.all(connection.files.map((file) => allowedFile(options.files, file)));
      const job = { type: 'describe-files', files, resources: options.resources } as const;
      const [readings] = await collectValues(await startWorker(options.pool, job, call));
      // Not validated: only our own program in the child process sends messages on this channel.
      return readings as FileReading[];
    },
  };
}
