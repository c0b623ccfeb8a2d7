import type { ChildPool } from '../embedded/child-pool.ts';
import { confinementWarnings } from '../embedded/confinement-warnings.ts';
import { startWorker, streamRows } from '../embedded/job.ts';
import { dropUnwantedSchemas } from '../embedded/metadata.ts';
import { ConnectorError, positionAt } from '../error.ts';
import type { FilePolicy } from '../files/file-policy.ts';
import { metadataChoice } from '../metadata-choice.ts';
import type {
  CallOptions,
  Connector,
  ExecuteOptions,
  Metadata,
  MetadataOptions,
  ResultStream,
  Statement,
} from '../port.ts';
import { sqliteDialect } from '../sql/dialects.ts';
import { sqliteDryRun } from '../sql/dry-run.ts';
import { assertOneRead } from '../sql/read-only-gate.ts';
import { withSqliteSources } from './lineage/sources.ts';
import { type SqliteTables, sqliteSchema } from './metadata.ts';
import { sqliteRules } from './rules.ts';
import { type SqliteConnection, sqliteSettings } from './settings.ts';

export type SqliteOptions = { readonly pool: ChildPool; readonly files: FilePolicy };

/**
 * Creates the connector for SQLite database files. Each statement runs in a child process: SQLite is synchronous, and
 * only a kill stops an endless statement.
 */
export function createSqliteConnector({ pool, files }: SqliteOptions): Connector<SqliteConnection> {
  async function execute(
    connection: SqliteConnection,
    statement: Statement,
    options: ExecuteOptions,
  ): Promise<ResultStream> {
    assertOneRead(statement.sql, sqliteRules);
    const path = await files.resolve(connection.file);
    const { maxRows, maxBytes, maxCellBytes } = options;
    const limits = { maxRows, maxBytes, maxCellBytes };
    const { sql, values = [] } = statement;
    const wantReads = options.wantOrigins ?? false;
    const job = { type: 'sqlite', path, sql, values, wantReads, limits } as const;
    try {
      return await streamRows(await startWorker(pool, job, options), async ({ columns, reads }) =>
        reads ? withSqliteSources(sql, columns, reads) : columns,
      );
    } catch (error) {
      throw withPlace(error, statement.sql);
    }
  }

  async function readMetadata(connection: SqliteConnection, options: MetadataOptions): Promise<Metadata> {
    const choice = metadataChoice(options);
    const { maxTables, maxColumnsPerTable, tableNamesOnly } = choice;
    const path = await files.resolve(connection.file);
    const limits = { maxTables, maxColumnsPerTable, tableNamesOnly };
    const worker = await startWorker(pool, { type: 'sqlite-metadata', path, limits }, options);
    let isClean = false;
    try {
      const message = await worker.receive();
      if (message.type !== 'value') throw new ConnectorError('engine-unavailable', 'No metadata came.');
      await worker.receive();
      isClean = true;
      return dropUnwantedSchemas([sqliteSchema], message.value as SqliteTables, choice);
    } finally {
      worker.leave(isClean);
    }
  }

  return {
    engine: 'SQLite',
    label: 'SQLite',
    settings: sqliteSettings,
    dialect: sqliteDialect,
    dryRun: sqliteDryRun(sqliteRules),
    execute,
    readMetadata,
    testConnection: async (connection, options: CallOptions) => {
      try {
        await readMetadata(connection, { ...options, tableNamesOnly: true, maxTables: 1 });
        return {
          isOk: true,
          serverVersion: `SQLite ${process.versions['sqlite'] ?? ''}`.trim(),
          warnings: confinementWarnings(pool),
        };
      } catch (error) {
        if (error instanceof ConnectorError) return { isOk: false, error };
        throw error;
      }
    },
  };
}

/** Adds a position to an error. The engine quotes the word at fault without its position; the first such word is marked. */
function withPlace(error: unknown, sql: string): unknown {
  if (!(error instanceof ConnectorError) || error.position) return error;
  const match = /near "([^"]+)": syntax error|no such (?:column|table|function): (?:\w+\.)?(\S+)$/.exec(
    error.message,
  );
  const at = match ? sql.indexOf(match[1] ?? match[2] ?? '') : -1;
  if (at === -1) return error;
  return new ConnectorError(error.code, error.message, {
    position: positionAt(sql, at),
    ...(error.engineCode === undefined ? {} : { engineCode: error.engineCode }),
    origin: error.origin,
    cause: error,
  });
}
