import { type EngineName, engineNames } from '@svc/contract';
import { createBigQueryConnector } from './bigquery/index.ts';
import { createClickhouseConnector } from './clickhouse/index.ts';
import { createDatabricksConnector } from './databricks/index.ts';
import { createDuckdbConnector, type FilesEngineOptions } from './duckdb/index.ts';
import { type Join, startJoin } from './duckdb/join/join.ts';
import { createChildPool } from './embedded/child-pool.ts';
import type { DuckdbResources } from './embedded/messages.ts';
import { ConnectorError } from './error.ts';
import { createFilePolicy, type FilePolicyOptions } from './files/file-policy.ts';
import { createMysqlConnector } from './mysql/index.ts';
import type { CallOptions, Connector } from './port.ts';
import { createPostgresqlConnector, type PostgresqlOptions } from './postgresql/index.ts';
import { createRestConnector } from './rest/index.ts';
import { createSnowflakeConnector } from './snowflake/index.ts';
import { createSqliteConnector } from './sqlite/index.ts';
import { createSqlserverConnector } from './sqlserver/index.ts';

export type ConnectorsOptions = PostgresqlOptions & {
  /** Files that may be data sources. Default: none. */
  readonly files?: FilePolicyOptions;
  /** Resources of one DuckDB statement. Default: 512 MB of memory, 2,048 MB of temporary space, 2 threads. */
  readonly duckdb?: Partial<DuckdbResources>;
  /** Concurrent child processes of each kind (SQLite, DuckDB, join). Default 4. */
  readonly childrenMax?: number;
  /** Parent of the child processes' temporary folders. Default: the system's temporary folder. */
  readonly temporaryParent?: string;
};

/** Engines of one process. `close` ends everything that they started. */
export type Connectors = {
  readonly engines: readonly EngineName[];
  /** Throws `engine-unavailable` for an unknown engine. */
  readonly get: (engine: string) => Connector;
  /** Processes for writing files, with their bounds. */
  readonly fileEngine: FilesEngineOptions;
  /** Starts the cross-source join: a fresh DuckDB into which the results of steps are loaded. */
  readonly startJoin: (options: Pick<CallOptions, 'signal' | 'timeoutMs' | 'pauses'>) => Promise<Join>;
  readonly close: () => Promise<void>;
};

const defaultResources: DuckdbResources = { memoryMb: 512, temporaryMb: 2_048, threads: 2 };

/** Creates the connectors. It loads no driver and starts no process: the first call that needs one does. */
export function createConnectors(options: ConnectorsOptions = {}): Connectors {
  const files = createFilePolicy(options.files ?? { allowedFolders: [] });
  const resources = { ...defaultResources, ...options.duckdb };
  const temporary = options.temporaryParent === undefined ? {} : { temporaryParent: options.temporaryParent };
  const children = { max: options.childrenMax ?? 4, ...temporary };
  const sqlitePool = createChildPool({ kind: 'sqlite', ...children });
  const duckdbPool = createChildPool({ kind: 'duckdb', ...children });
  // A join waits for its steps, which may use DuckDB. Its own pool cannot take a process that they wait for.
  const joinPool = createChildPool({ kind: 'duckdb', ...children });
  // These processes may write. They run only the writer's own statements, never statements of users.
  const writerPool = createChildPool({ kind: 'duckdb-files', ...children });
  const fileEngine: FilesEngineOptions = { pool: writerPool, files, resources, ...temporary };
  const postgresql = createPostgresqlConnector(options);
  const byName: Readonly<Record<EngineName, Connector>> = {
    PostgreSQL: withParsedConnection(postgresql),
    MySQL: withParsedConnection(createMysqlConnector()),
    SQLite: withParsedConnection(createSqliteConnector({ pool: sqlitePool, files })),
    DuckDB: withParsedConnection(createDuckdbConnector({ pool: duckdbPool, files, resources })),
    SqlServer: withParsedConnection(createSqlserverConnector()),
    ClickHouse: withParsedConnection(createClickhouseConnector()),
    BigQuery: withParsedConnection(createBigQueryConnector()),
    Snowflake: withParsedConnection(createSnowflakeConnector()),
    Databricks: withParsedConnection(createDatabricksConnector()),
    Rest: withParsedConnection(createRestConnector()),
  };
  return {
    engines: engineNames,
    get: (engine) => {
      const name = engineNames.find((each) => each === engine);
      if (name) return byName[name];
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

/** Adapts a connector to the registry, which returns connectors of any engine: each call parses its connection. */
function withParsedConnection<Connection>(connector: Connector<Connection>): Connector {
  const { settings, readPassThrough, describeFiles, ...others } = connector;
  // Concurrent statements share one settings object, which never changes. It is parsed once, and the cache entry
  // lives as long as the object.
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
