import type { Socket } from 'node:net';
import type { BoundValue } from './bound-value.ts';
import type { ReaderPauses } from './deadline.ts';
import type { FileReading } from './duckdb/files/file-reading.ts';
import type { ConnectorError } from './error.ts';
import type { SettingsForm } from './settings.ts';
import type { SqlDialect } from './sql/dialects.ts';
import type { DryRun } from './sql/dry-run.ts';
import type { Batch, Column } from './values.ts';

/** The engines that a data source can have. `MySQL` serves MariaDB as well. */
export type EngineName =
  | 'PostgreSQL'
  | 'MySQL'
  | 'SQLite'
  | 'DuckDB'
  | 'ClickHouse'
  | 'SqlServer'
  | 'Rest'
  | 'BigQuery'
  | 'Snowflake'
  | 'Databricks';

/**
 * Opens a TCP connection to a data source. It is handed in: it alone decides which addresses may be reached,
 * resolves the name once and connects to the address that it has checked. It rejects when the destination is
 * refused or cannot be reached. No connector opens a socket of its own.
 */
export type Dial = (
  target: { readonly host: string; readonly port: number },
  options: { readonly signal: AbortSignal },
) => Promise<Socket>;

/** Types that a bound value can be declared with. */
export type BoundType = 'Number' | 'DateTime' | 'Date' | 'String' | 'Boolean';

/** One statement in the engine's own dialect, with markers as the dialect's `marker` writes them. */
export type Statement = { readonly sql: string; readonly values?: readonly BoundValue[] };

/** What every call towards a data source needs. */
export type CallOptions = {
  readonly dial: Dial;
  readonly signal: AbortSignal;
  /** From the call to the last row read; the work at the engine is cancelled when it has passed. */
  readonly timeoutMs: number;
  /** Pauses of the reader of the rows, which do not count. Absent: everything counts. */
  readonly pauses?: ReaderPauses | undefined;
  /**
   * Given: a login that may do more than read is told of instead of refused, each time the connection is used. It
   * must not throw. Default: such a login is refused unless the connection's own settings accept it.
   */
  readonly noteLogin?: ((isPrivileged: boolean) => void) | undefined;
};

/** Bounds of one execution. Reaching one fails the execution; nothing is cut silently. */
export type ExecuteOptions = CallOptions & {
  readonly maxRows: number;
  /** Bytes of all rows together, as they arrive from the engine. */
  readonly maxBytes: number;
  /** Bytes of one value; a whole row may have four times as many. */
  readonly maxCellBytes: number;
  /** Ask where each column comes from; PostgreSQL needs one more statement for it. Default false. */
  readonly wantOrigins?: boolean;
  /**
   * The caller takes no more rows than this. A connector may end the statement once it has one more, which tells the
   * caller that there are more. Default: every row is read.
   */
  readonly rowsWanted?: number;
  /** Decimals are handed out as their texts, so that none of their zeros is lost. Default: as `ColumnKind` says. */
  readonly decimalsAsText?: boolean;
  /**
   * Told of each request that the engine's interface made the connector send again, with how long it waited before. It
   * must not throw.
   */
  readonly noteRetry?: ((waitedMs: number) => void) | undefined;
};

/**
 * Rows of a running statement. `batches` can be walked once; ending the walk early cancels the statement.
 * `close` does the same for a stream that is not walked at all, may be called at any time, and never rejects.
 * The walk rejects with a `ConnectorError`.
 */
export type ResultStream = {
  readonly columns: readonly Column[];
  readonly batches: AsyncIterable<Batch>;
  /** Bytes that the engine has scanned for it, where it bills by them. */
  readonly scannedBytes?: number;
  /** Bytes that it is billed for; null where the engine bills by them and has not told. */
  readonly billedBytes?: number | null;
  readonly close: () => Promise<void>;
};

/** A type as the engine tells it from others, with its length or precision. */
export type PassThroughType = { readonly typeOid: number; readonly typeModifier: number };

/** `binary`: the engine's own; `text`: its texts, which columns of other types take as well. */
export type PassThroughForm = 'binary' | 'text';

/**
 * Takes rows that are passed through, in pieces as they come; so many rows begin in the piece, near enough to be shown.
 * False: no more are wanted.
 */
export type PassThroughTake = (piece: Buffer, rows: number) => Promise<boolean> | boolean;

/** A read whose rows are handed on as the engine sends them, and never looked at. Only the same engine takes them. */
export type PassThroughRead = {
  readonly types: readonly PassThroughType[];
  /**
   * Runs it, once, with the columns of these places. What `take` rejects with is passed on as it is.
   *
   * @returns how many rows there were; undefined where no more were wanted.
   */
  readonly pass: (
    form: PassThroughForm,
    columns: readonly number[],
    take: PassThroughTake,
  ) => Promise<number | undefined>;
  /** Ends it at the engine. May be called at any time, and never rejects. */
  readonly close: () => Promise<void>;
};

/** A shortcoming of a working connection that its owner should know of. */
export type ConnectionWarning = {
  readonly code:
    | 'superuser'
    | 'may-write'
    | 'not-encrypted'
    | 'not-verified'
    | 'reads-server-files'
    | 'not-confined';
  readonly message: string;
};

/** Outcome of a connection test. A refusal is an outcome, not an exception. */
export type ConnectionTest =
  | { readonly isOk: true; readonly serverVersion: string; readonly warnings: readonly ConnectionWarning[] }
  | { readonly isOk: false; readonly error: ConnectorError };

/** Caps and choice of what a metadata read returns. Schema names compare without case; include wins. */
export type MetadataOptions = CallOptions & {
  readonly includeSchemas?: readonly string[];
  readonly excludeSchemas?: readonly string[];
  /** Default 5,000; also the ceiling. */
  readonly maxTables?: number;
  /** Default 1,000; also the ceiling. */
  readonly maxColumnsPerTable?: number;
  /** Leave out columns, keys and indexes. Default false. */
  readonly tableNamesOnly?: boolean;
};

export type ColumnMetadata = {
  readonly name: string;
  /** The engine's own name of the type, with its length or precision. */
  readonly databaseType: string;
  readonly isNullable: boolean;
  readonly defaultValue: string | null;
  readonly comment: string | null;
};

export type ForeignKeyMetadata = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly toSchema: string;
  readonly toTable: string;
  readonly toColumns: readonly string[];
};

export type IndexMetadata = {
  readonly name: string;
  readonly isUnique: boolean;
  readonly isPrimary: boolean;
  /** Column names in order; an expression stands as its text. */
  readonly columns: readonly string[];
};

export type TableMetadata = {
  readonly schema: string;
  readonly name: string;
  readonly type: 'Table' | 'View';
  readonly comment: string | null;
  readonly columns: readonly ColumnMetadata[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKeyMetadata[];
  readonly indexes: readonly IndexMetadata[];
};

/** Tables in order of schema and name. The two `is…Cut` members say when a cap left something out. */
export type Metadata = {
  readonly schemas: readonly string[];
  readonly tables: readonly TableMetadata[];
  readonly areTablesCut: boolean;
  readonly areColumnsCut: boolean;
};

/**
 * One data-source engine. Every method takes the connection as its settings form has parsed it, works read-only by
 * the engine's own means, and rejects with a `ConnectorError` of a stable code.
 */
export type Connector<Connection = unknown> = {
  readonly engine: EngineName;
  /** Name for people, e.g. `MySQL or MariaDB`. */
  readonly label: string;
  readonly settings: SettingsForm<Connection>;
  readonly dialect: SqlDialect;
  /** Absent: the engine cannot say what it would do. */
  readonly dryRun?: DryRun;
  /**
   * Statements that make a role which may only read in this database or catalog, to be copied by its owner. Absent: no login of the
   * engine is refused for what it may do.
   */
  readonly roleScript?: (database: string) => string;
  /** Connects, asks who it is and what it may do. Never rejects for what the server or the network says. */
  readonly testConnection: (connection: Connection, options: CallOptions) => Promise<ConnectionTest>;
  readonly readMetadata: (connection: Connection, options: MetadataOptions) => Promise<Metadata>;
  /** How each file of a connection is read. Absent: the engine reads no files that have settings. */
  readonly describeFiles?: (connection: Connection, options: CallOptions) => Promise<readonly FileReading[]>;
  /** Resolves when the columns are known; rows follow as they are read. */
  readonly execute: (
    connection: Connection,
    statement: Statement,
    options: ExecuteOptions,
  ) => Promise<ResultStream>;
  /**
   * The same read for whoever takes rows unread. Absent: the engine has none such. Undefined: the statement is none.
   */
  readonly readPassThrough?: (
    connection: Connection,
    statement: Statement,
    options: ExecuteOptions,
  ) => Promise<PassThroughRead | undefined>;
};
