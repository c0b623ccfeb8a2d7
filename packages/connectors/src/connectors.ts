import { createBigQueryConnector } from './bigquery/index.ts';
import { createClickhouseConnector } from './clickhouse/index.ts';
import { createDatabricksConnector } from './databricks/index.ts';
import { createDuckdbConnector, type FilesEngineOptions } from './duckdb/index.ts';
import { type Join, startJoin } from './duckdb/join.ts';
import { createChildPool } from './embedded/child-pool.ts';
import type { DuckdbResources } from './embedded/messages.ts';
import { ConnectorError } from './error.ts';
import { createFilePolicy, type FilePolicyOptions } from './files/file-policy.ts';
import { createMysqlConnector } from './mysql/index.ts';
import type { CallOptions, Connector, EngineName } from './port.ts';
import { createPostgresqlConnector, type PostgresqlOptions } from './postgresql/index.ts';
import { createRestConnector } from './rest/index.ts';
import { createSnowflakeConnector } from './snowflake/index.ts';
import { createSqliteConnector } from './sqlite/index.ts';
import { createSqlserverConnector } from './sqlserver/index.ts';

export type ConnectorsOptions = PostgresqlOptions & {
  /** Which files may be data sources. Default: none. */
  readonly files?: FilePolicyOptions;
  /** What one DuckDB statement may take. Default 512 MB of memory, 2,048 MB of temporary space, 2 threads. */
  readonly duckdb?: Partial<DuckdbResources>;
  /** Child processes of each kind (SQLite, DuckDB, join) at once. Default 4. */
  readonly childrenMax?: number;
  /** Where child processes have their temporary folders. Default: the system's. */
  readonly temporaryParent?: string;
};

/** The engines of one process. Close it to end what it has started. */
export type Connectors = {
  readonly engines: readonly EngineName[];
  /** Throws `engine-unavailable` for a name that is none of ours. */
  readonly get: (engine: string) => Connector;
  /** Processes of the writers of files, with their bounds. */
  readonly fileEngine: FilesEngineOptions;
  /** Starts the cross-source join: a fresh DuckDB that the results of steps are loaded into. */
  readonly startJoin: (options: Pick<CallOptions, 'signal' | 'timeoutMs' | 'pauses'>) => Promise<Join>;
  readonly close: () => Promise<void>;
};

const defaultResources: DuckdbResources = { memoryMb: 512, temporaryMb: 2_048, threads: 2 };

/**
 * Brings the engines together. Nothing is loaded or started here: a driver loads with the first call that needs it, and
 * so does a child process.
 */
export function createConnectors(options: ConnectorsOptions = {}): Connectors {
  const files = createFilePolicy(options.files ?? { allowedFolders: [] });
  const resources = { ...defaultResources, ...options.duckdb };
  const temporary = options.temporaryParent === undefined ? {} : { temporaryParent: options.temporaryParent };
  const children = { max: options.childrenMax ?? 4, ...temporary };
  const sqlitePool = createChildPool({ kind: 'sqlite', ...children });
  const duckdbPool = createChildPool({ kind: 'duckdb', ...children });
  // A join waits for its steps, which may be DuckDB's: it never takes a process that they wait for.
  const joinPool = createChildPool({ kind: 'duckdb', ...children });
  // These processes may write. They run the writer's own statements, never those of users.
  const writerPool = createChildPool({ kind: 'duckdb-files', ...children });
  const fileEngine: FilesEngineOptions = { pool: writerPool, files, resources, ...temporary };
  const postgresql = createPostgresqlConnector(options);
  const list: readonly Connector[] = [
    withParsedConnection(postgresql),
    withParsedConnection(createMysqlConnector()),
    withParsedConnection(createSqliteConnector({ pool: sqlitePool, files })),
    withParsedConnection(createDuckdbConnector({ pool: duckdbPool, files, resources })),
    withParsedConnection(createSqlserverConnector()),
    withParsedConnection(createClickhouseConnector()),
    withParsedConnection(createBigQueryConnector()),
    withParsedConnection(createSnowflakeConnector()),
    withParsedConnection(createDatabricksConnector()),
    withParsedConnection(createRestConnector()),
  ];
  const byName = new Map<string, Connector>(list.map((connector) => [connector.engine, connector]));
  return {
    engines: list.map((connector) => connector.engine),
    get: (engine) => {
      const connector = byName.get(engine);
      if (connector) return connector;
      throw new ConnectorError('engine-unavailable', `There is no data-source engine called ${engine}.`);
    },
    fileEngine,
    startJoin: (call) => startJoin(joinPool, resources, call),
    close: async () => {
      postgresql.close();
      await Promise.all([sqlitePool, duckdbPool, joinPool, writerPool].map((pool) => pool.close()));
    },
  };
}

/** The registry hands out connectors of any engine: each parses the connection that it is given. */
function withParsedConnection<Connection>(connector: Connector<Connection>): Connector {
  const { settings, readPassThrough, describeFiles, ...others } = connector;
  // Statements of one moment are given the same settings, which are never changed: they are parsed, and told from
  // others, once. Nothing is kept longer than those settings themselves.
  const parsed = new WeakMap<object, Connection>();
  const parse = (input: unknown): Connection => {
    if (typeof input !== 'object' || input === null) return settings.parse(input);
    const connection = parsed.get(input) ?? settings.parse(input);
    parsed.set(input, connection);
    return connection;
  };
  return {
    ...others,
    settings: {
      ...settings,
      publicPart: (connection) => settings.publicPart(settings.parse(connection)),
      secretPart: (connection) => settings.secretPart(settings.parse(connection)),
    },
    testConnection: async (connection, options) => {
      try {
        return await connector.testConnection(settings.parse(connection), options);
      } catch (error) {
        if (error instanceof ConnectorError) return { isOk: false, error };
        throw error;
      }
    },
    readMetadata: async (connection, options) => connector.readMetadata(settings.parse(connection), options),
    execute: async (connection, statement, options) =>
      connector.execute(parse(connection), statement, options),
    ...(describeFiles && {
      describeFiles: async (connection, options) => describeFiles(parse(connection), options),
    }),
    ...(readPassThrough && {
      readPassThrough: async (connection, statement, options) =>
        readPassThrough(parse(connection), statement, options),
    }),
  };
}
