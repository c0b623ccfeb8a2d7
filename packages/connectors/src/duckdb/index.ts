import type { ChildPool } from '../embedded/child-pool.ts';
import { confinementWarnings } from '../embedded/confinement-warnings.ts';
import { collectValues, startWorker, streamRows } from '../embedded/job.ts';
import type { DuckdbFile, DuckdbResources } from '../embedded/messages.ts';
import { dropUnwantedSchemas } from '../embedded/metadata.ts';
import { ConnectorError } from '../error.ts';
import type { FilePolicy } from '../files/file-policy.ts';
import { groupBy, metadataChoice } from '../metadata-choice.ts';
import type {
  CallOptions,
  Connector,
  ExecuteOptions,
  Metadata,
  MetadataOptions,
  ResultStream,
  Statement,
} from '../port.ts';
import { duckdbDialect } from '../sql/dialects.ts';
import { duckdbDryRun } from '../sql/dry-run.ts';
import { assertOneRead } from '../sql/read-only-gate.ts';
import { formatOf } from './files/file-formats.ts';
import type { FileReading } from './files/file-reading.ts';
import { settingsOf } from './files/file-settings.ts';
import { duckdbRules } from './rules.ts';
import { type DuckdbConnection, duckdbSettings } from './settings.ts';
import { withoutLabels } from './type-text.ts';

export type DuckdbOptions = {
  readonly pool: ChildPool;
  readonly files: FilePolicy;
  readonly resources: DuckdbResources;
};

/** Options of the processes that write files. */
export type FilesEngineOptions = DuckdbOptions & {
  /** Parent of the temporary folders. Default: the temporary folder of the system. */
  readonly temporaryParent?: string;
};

const schemaName = 'main';
/** Matches statements that may list the available tables. */
const listsTables = /information_schema|duckdb_|sqlite_|pg_|pragma|show/;
const metadataLimits = { maxRows: 100_000, maxBytes: 64 * 1024 * 1024, maxCellBytes: 1024 * 1024 };

/**
 * Creates the connector of a data source whose listed files are tables. Each statement has its own instance and temporary
 * folder.
 */
export function createDuckdbConnector(options: DuckdbOptions): Connector<DuckdbConnection> {
  async function execute(
    connection: DuckdbConnection,
    statement: Statement,
    call: ExecuteOptions,
  ): Promise<ResultStream> {
    assertOneRead(statement.sql, duckdbRules);
    const { maxRows, maxBytes, maxCellBytes } = call;
    const files = await filesFor(connection, statement, true);
    return start(files, statement, call, { maxRows, maxBytes, maxCellBytes });
  }

  async function start(
    files: readonly DuckdbFile[],
    statement: Statement & { readonly isOurs?: boolean },
    call: CallOptions & Pick<ExecuteOptions, 'wantOrigins'>,
    limits: typeof metadataLimits,
    needsAllFiles = false,
  ): Promise<ResultStream> {
    const job = {
      type: 'duckdb',
      files,
      needsAllFiles,
      isOurs: statement.isOurs ?? false,
      sql: statement.sql,
      values: statement.values ?? [],
      wantSources: call.wantOrigins ?? false,
      resources: options.resources,
      limits,
    } as const;
    return streamRows(await startWorker(options.pool, job, call));
  }

  /**
   * Returns the files that a statement may read. A user's statement that names files reads only these files, unless it lists
   * tables. It reads an XLSX or DuckDB file only if it names the file. A missing file, such as the future destination of a
   * copy, is an error only for a statement that names it.
   */
  async function filesFor(
    { files }: DuckdbConnection,
    { sql }: Statement,
    isOfUser = false,
  ): Promise<DuckdbFile[]> {
    const text = sql.toLowerCase();
    // Statements double a quote inside a name, so they do not contain such a name unchanged.
    const isNamed = (name: string) => name.includes('"') || text.includes(name.toLowerCase());
    const isConfined = files.some(({ name }) => isNamed(name)) && !listsTables.test(text);
    const found = await Promise.all(
      files.map(async (listed) => {
        const { name, path } = listed;
        const isWholeRead = ['xlsx', 'duckdb'].includes(formatOf(path) ?? '');
        if (isOfUser && !isNamed(name) && (isConfined || isWholeRead)) return [];
        try {
          return [await fileOf(listed)];
        } catch (error) {
          const isMissing = error instanceof ConnectorError && error.code === 'file-unreadable';
          if (!isMissing || isNamed(name)) throw error;
          return [];
        }
      }),
    );
    return found.flat();
  }

  /** Derives the format from the listed path, because a symbolic link may resolve to a file with another ending. */
  const fileOf = async ({
    name,
    path,
    ...settings
  }: DuckdbConnection['files'][number]): Promise<DuckdbFile> => ({
    name,
    format: formatOf(path) ?? 'csv',
    path: await allowedFile(path),
    settings: settingsOf(settings),
  });

  /** Resolves an allowed path. The engine would read a path with wildcard characters as a pattern of several files. */
  async function allowedFile(path: string): Promise<string> {
    const real = await options.files.resolve(path);
    if (/[*?[\]{}]/.test(real)) {
      throw new ConnectorError('file-not-allowed', 'A file’s path may not hold the characters * ? [ ] { }.');
    }
    return real;
  }

  async function readMetadata(connection: DuckdbConnection, call: MetadataOptions): Promise<Metadata> {
    const choice = metadataChoice(call);
    const sql = `select table_name, column_name, data_type from duckdb_columns()
      where database_name = current_database() and schema_name = 'main' and not internal order by table_name, column_index`;
    const rows: unknown[][] = [];
    const statement = { sql, isOurs: true };
    const files = await filesFor(connection, statement);
    for await (const batch of (await start(files, statement, call, metadataLimits)).batches) {
      for (let r = 0; r < batch.rowCount; r++) rows.push(batch.columns.map((column) => column[r]));
    }
    const byTable = [...groupBy(rows, ([table]) => String(table))];
    const tables = byTable.slice(0, choice.maxTables).map(([name, columns]) => ({
      schema: schemaName,
      name,
      type: 'Table' as const,
      comment: null,
      columns: choice.tableNamesOnly
        ? []
        : columns.slice(0, choice.maxColumnsPerTable).map(([, column, type]) => ({
            name: String(column),
            databaseType: withoutLabels(String(type)).toLowerCase(),
            isNullable: true,
            defaultValue: null,
            comment: null,
          })),
      primaryKey: [],
      foreignKeys: [],
      indexes: [],
    }));
    const areColumnsCut =
      !choice.tableNamesOnly && byTable.some(([, columns]) => columns.length > choice.maxColumnsPerTable);
    const found = { tables, areTablesCut: byTable.length > tables.length, areColumnsCut };
    return dropUnwantedSchemas([schemaName], found, choice);
  }

  /** Returns the reading of each file. Throws `file-unreadable` for the first unreadable file. */
  async function describeFiles(connection: DuckdbConnection, call: CallOptions): Promise<FileReading[]> {
    const files = await Promise.all(connection.files.map(fileOf));
    const job = { type: 'describe-files', files, resources: options.resources } as const;
    const [readings] = await collectValues(await startWorker(options.pool, job, call));
    // Not validated: only our own program in the child process sends messages on this channel.
    return readings as FileReading[];
  }

  return {
    engine: 'DuckDB',
    describeFiles,
    label: 'Files (DuckDB)',
    settings: duckdbSettings,
    dialect: duckdbDialect,
    dryRun: duckdbDryRun(duckdbRules),
    execute,
    readMetadata,
    testConnection: async (connection, call) => {
      try {
        for (const { path } of connection.files) await allowedFile(path);
        const version: unknown[] = [];
        const statement = { sql: 'select version()' };
        const files = await filesFor(connection, statement);
        const result = await start(files, statement, call, metadataLimits, true);
        for await (const batch of result.batches) version.push(batch.columns[0]?.[0]);
        return {
          isOk: true,
          serverVersion: `DuckDB ${String(version[0])}`,
          warnings: confinementWarnings(options.pool),
        };
      } catch (error) {
        if (error instanceof ConnectorError) return { isOk: false, error };
        throw error;
      }
    },
  };
}
