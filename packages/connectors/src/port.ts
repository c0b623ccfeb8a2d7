import type { Socket } from 'node:net';
import type { EngineName } from '@svc/contract';
import type { BoundValue } from './bound-value.ts';
import type { ReaderPauses } from './deadline.ts';
import type { FileReading } from './duckdb/files/file-reading.ts';
import type { ConnectorError } from './error.ts';
import type { SettingsForm } from './settings.ts';
import type { SqlDialect } from './sql/dialects.ts';
import type { DryRun } from './sql/dry-run.ts';
import type { Batch, Column } from './values.ts';

/**
 * Opens a TCP connection to a data source. The host of the connectors passes this function in. It alone decides which
 * addresses are allowed, resolves the name once and connects to the checked address. It rejects if the destination is
 * refused or unreachable. No connector opens a socket in another way.
 */
export type Dial = (
  target: { readonly host: string; readonly port: number },
  options: { readonly signal: AbortSignal },
) => Promise<Socket>;

/** Types of a bound value. */
export type BoundType = 'Number' | 'DateTime' | 'Date' | 'String' | 'Boolean';

/** One statement in the engine's own dialect. Its markers have the form of the dialect's `marker`. */
export type Statement = { readonly sql: string; readonly values?: readonly BoundValue[] };

/** Options of every call to a data source. */
export type CallOptions = {
  readonly dial: Dial;
  readonly signal: AbortSignal;
  /** Time limit from the call to the last row. After it the work at the engine is cancelled. */
  readonly timeoutMs: number;
  /** Pauses of the reader of the rows, which do not count. Absent: all time counts. */
  readonly pauses?: ReaderPauses | undefined;
  /**
   * Present: reports a login that may do more than read, instead of refusing it, at each use of the connection. It
   * must not throw. Default: such a login is refused unless the connection's own settings accept it.
   */
  readonly noteLogin?: ((isPrivileged: boolean) => void) | undefined;
};

/** Bounds of one execution. Exceeding one fails the execution; nothing is cut silently. */
export type ExecuteOptions = CallOptions & {
  readonly maxRows: number;
  /** Bytes of all rows together, as they arrive from the engine. */
  readonly maxBytes: number;
  /** Bytes of one value; a whole row may have four times as many. */
  readonly maxCellBytes: number;
  /** Requests the origin of each column; PostgreSQL needs one more statement for it. Default false. */
  readonly wantOrigins?: boolean;
  /**
   * Number of rows that the caller reads. A connector may end the statement after one row more, which shows the
   * caller that the result is longer. Default: every row is read.
   */
  readonly rowsWanted?: number;
  /** Returns decimals as texts, so that none of their zeros is lost. Default: as `ColumnKind` states. */
  readonly decimalsAsText?: boolean;
  /** Called for each request that the connector had to repeat, with the wait before it in milliseconds. It must not throw. */
  readonly noteRetry?: ((waitedMs: number) => void) | undefined;
};

/**
 * Rows of a running statement. `batches` can be iterated once; ending the iteration early cancels the statement.
 * `close` does the same for a stream that is not iterated. `close` may be called at any time and never rejects. The
 * iteration rejects with a `ConnectorError`.
 */
export type ResultStream = {
  readonly columns: readonly Column[];
  readonly batches: AsyncIterable<Batch>;
  /** Bytes that the engine has scanned, if it bills by them. */
  readonly scannedBytes?: number;
  /** Billed bytes; null if the engine bills by them and has not reported them. */
  readonly billedBytes?: number | null;
  readonly close: () => Promise<void>;
};

/** Engine type with its length or precision. */
export type PassThroughType = { readonly typeOid: number; readonly typeModifier: number };

/** `binary`: the engine's own format. `text`: the engine's texts, which columns of other types accept as well. */
export type PassThroughForm = 'binary' | 'text';

/**
 * Receives passed-through rows in pieces, as they arrive. `rows` is the approximate number of rows that begin in the
 * piece, for progress displays. It returns false to stop.
 */
export type PassThroughTake = (piece: Buffer, rows: number) => Promise<boolean> | boolean;

/** Read whose rows are passed on in the engine's own format, without inspection. Only the same engine accepts them. */
export type PassThroughRead = {
  readonly types: readonly PassThroughType[];
  /**
   * Runs the read, once, with the columns at these positions. A rejection of `take` is passed on unchanged.
   *
   * @returns the number of rows; undefined if `take` stopped the read.
   */
  readonly pass: (
    form: PassThroughForm,
    columns: readonly number[],
    take: PassThroughTake,
  ) => Promise<number | undefined>;
  /** Ends the read at the engine. May be called at any time, and never rejects. */
  readonly close: () => Promise<void>;
};

/** Shortcoming of a working connection that its owner should know. */
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

/** Limits and selection of a metadata read. Schema names compare without case; include takes precedence. */
export type MetadataOptions = CallOptions & {
  readonly includeSchemas?: readonly string[];
  readonly excludeSchemas?: readonly string[];
  /** Default 5,000, which is also the maximum. */
  readonly maxTables?: number;
  /** Default 1,000, which is also the maximum. */
  readonly maxColumnsPerTable?: number;
  /** Omits columns, keys and indexes. Default false. */
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
  /** Column names in order; an expression appears as its text. */
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

/** Tables in order of schema and name. The two `is…Cut` members state whether a limit omitted something. */
export type Metadata = {
  readonly schemas: readonly string[];
  readonly tables: readonly TableMetadata[];
  readonly areTablesCut: boolean;
  readonly areColumnsCut: boolean;
};

/**
 * One data-source engine. Every method accepts the parsed connection of its settings form and works read-only by the
 * engine's own means. It rejects with a `ConnectorError` of a stable code.
 */
export type Connector<Connection = unknown> = {
  readonly engine: EngineName;
  /** Name for display, e.g. `MySQL or MariaDB`. */
  readonly label: string;
  readonly settings: SettingsForm<Connection>;
  readonly dialect: SqlDialect;
  /** Absent: the engine has no dry run. */
  readonly dryRun?: DryRun;
  /**
   * Returns statements that create a role with read access to this database or catalog only, for its owner to copy.
   * Absent: the connector refuses no login because of its rights.
   */
  readonly roleScript?: (database: string) => string;
  /** Connects and reads the login and its rights. Never rejects for errors of the server or the network. */
  readonly testConnection: (connection: Connection, options: CallOptions) => Promise<ConnectionTest>;
  readonly readMetadata: (connection: Connection, options: MetadataOptions) => Promise<Metadata>;
  /** Describes how each file of a connection is read. Absent: the engine reads no files with settings. */
  readonly describeFiles?: (connection: Connection, options: CallOptions) => Promise<readonly FileReading[]>;
  /** Resolves when the columns are known. The rows follow. */
  readonly execute: (
    connection: Connection,
    statement: Statement,
    options: ExecuteOptions,
  ) => Promise<ResultStream>;
  /**
   * Runs the same read without decoding its rows. Absent: the engine does not support it. Undefined: the statement
   * does not.
   */
  readonly readPassThrough?: (
    connection: Connection,
    statement: Statement,
    options: ExecuteOptions,
  ) => Promise<PassThroughRead | undefined>;
};
