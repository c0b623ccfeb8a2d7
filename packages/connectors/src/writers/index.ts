import type { FilesEngineOptions } from '../duckdb/index.ts';
import { duckdbSettings } from '../duckdb/settings.ts';
import { createDuckdbWriter } from '../duckdb/writer/writer.ts';
import { mysqlSettings } from '../mysql/settings.ts';
import { createMysqlWriter } from '../mysql/writer/writer.ts';
import type { PostgresqlOptions } from '../postgresql/index.ts';
import { postgresqlSettings } from '../postgresql/settings.ts';
import { createPostgresqlWriter } from '../postgresql/writer/writer.ts';
import type { SettingsForm } from '../settings.ts';
import type { Writer } from './port.ts';

export {
  type CascadedTable,
  type Destination,
  type DestinationColumn,
  type DestinationTable,
  type RefusedRows,
  type RejectedRow,
  type RejectionCode,
  type TableName,
  type WriteCounts,
  type WriteMode,
  type WritePlan,
  WriteRefusal,
  type Writer,
  type WriteSession,
  type WrittenColumn,
} from './port.ts';

/** Engines with a writer. */
export type Writers = {
  /** Returns undefined for a read-only engine. */
  readonly get: (engine: string) => Writer | undefined;
};

/** Creates the writers. It opens nothing, so nothing needs closing. */
export function createWriters(
  options: Pick<PostgresqlOptions, 'ownDatabases'> & {
    /** Processes for files, from the connectors that read them. */
    readonly fileEngine: FilesEngineOptions;
  },
): Writers {
  const list = [
    withParsedConnection(createPostgresqlWriter(options), postgresqlSettings),
    withParsedConnection(createMysqlWriter(), mysqlSettings),
    withParsedConnection(createDuckdbWriter(options.fileEngine), duckdbSettings),
  ];
  const byName = new Map<string, Writer>(list.map((writer) => [writer.engine, writer]));
  return { get: (engine) => byName.get(engine) };
}

function withParsedConnection<Connection>(
  writer: Writer<Connection>,
  { parse }: SettingsForm<Connection>,
): Writer {
  return {
    engine: writer.engine,
    newColumnType: writer.newColumnType,
    describe: async (connection, table, options) => writer.describe(parse(connection), table, options),
    open: async (connection, plan, options) => writer.open(parse(connection), plan, options),
    recover: async (connection, staging, options) => writer.recover(parse(connection), staging, options),
    dropStaging: async (connection, staging, options) =>
      writer.dropStaging(parse(connection), staging, options),
  };
}
