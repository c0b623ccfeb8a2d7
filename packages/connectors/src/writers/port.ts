import type { EngineName } from '@svc/contract';
import type { CallOptions, PassThroughForm, PassThroughTake, PassThroughType } from '../port.ts';
import type { Batch, ColumnKind } from '../values.ts';

/** Treatment of existing rows at the destination. */
export type WriteMode = 'Insert' | 'Upsert' | 'Truncate' | 'Sync';

/** Reasons why a row cannot be written. Codes are stable. */
export type RejectionCode =
  /** NUL, or half of a surrogate pair. */
  | 'invalid-text'
  /** A time that the destination's type cannot represent. */
  | 'invalid-time'
  /** A text that is invalid for the destination's type. */
  | 'invalid-value'
  | 'out-of-range'
  /** The destination would round it. */
  | 'inexact'
  | 'too-long'
  | 'null-value'
  /** A constraint of the table on single rows. */
  | 'check-failed'
  /** Personal data that must not be copied. */
  | 'personal-data'
  /** A reason of the server that has no separate code. */
  | 'refused';

/** Row that was not written. It contains no value of the row except its key. */
export type RejectedRow = {
  /** Number of the row from 1, in the order of the source. */
  readonly rowNumber: number;
  /** Values of the key columns, joined by `, `; null if the copy has no key. */
  readonly key: string | null;
  readonly column: string | null;
  readonly code: RejectionCode;
};

/** Unquoted name of a table, as the engine stores it. */
export type TableName = { readonly schema: string; readonly table: string };

export type DestinationColumn = {
  readonly name: string;
  /** The engine's own name of the type, with its length or precision. */
  readonly databaseType: string;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  /** The server computes the column, so it cannot be written. */
  readonly isGenerated: boolean;
};

/** Table whose rows refer to other rows and are deleted or changed with them. */
export type CascadedTable = TableName & { readonly become: 'deleted' | 'changed' };

/** No mode deletes rows to which others refer. */
export const noCascades: DestinationTable['cascades'] = { Insert: [], Upsert: [], Truncate: [], Sync: [] };

/** Existing table at a destination. */
export type DestinationTable = {
  readonly columns: readonly DestinationColumn[];
  /**
   * Columns of each unique key that identifies rows, the primary key first. Null: the destination has no keys, and
   * the writer compares all its rows.
   */
  readonly uniqueKeys: readonly (readonly string[])[] | null;
  readonly primaryKey: readonly string[];
  /** Estimate of the server; null if it has none. */
  readonly estimatedRows: number | null;
  /** False for views, foreign tables and other relations that do not store rows themselves. */
  readonly isTable: boolean;
  /** Reasons why one transaction cannot replace its rows. Each ends a sentence that begins with the table's name. */
  readonly unfit: readonly string[];
  readonly hasTriggers: boolean;
  /** Other tables in which a foreign key deletes or changes rows when a mode deletes rows of this table. */
  readonly cascades: Readonly<Record<WriteMode, readonly CascadedTable[]>>;
  /** The login does not see all rows. Invisible rows cannot be compared or deleted. */
  readonly hidesRows: boolean;
  /** Missing privileges for each mode, as the server names them, such as `DELETE on the table`. */
  readonly missingPrivileges: Readonly<Record<WriteMode, readonly string[]>>;
};

/** Destination of a copy. */
export type Destination = {
  /** Undefined: the table does not exist. */
  readonly table: DestinationTable | undefined;
  /** Missing rights to create a table there, as the server names them. */
  readonly missingToCreate: readonly string[];
  /** Type of all columns of a new table, if it differs from `newColumnType`. */
  readonly newColumnType?: string;
};

/** One column of a copy, and its column at the destination. */
export type WrittenColumn = {
  readonly to: string;
  /** Kind of the cells that arrive. */
  readonly kind: ColumnKind;
};

/** Rows of a batch with personal data that must not be copied: row index to column index. */
export type RefusedRows = ReadonlyMap<number, number>;

export type WritePlan = {
  readonly destination: TableName;
  /** Creates a missing table. */
  readonly createsTable: boolean;
  readonly mode: WriteMode;
  /** Columns in the order of the cells of a batch. */
  readonly columns: readonly WrittenColumn[];
  /** Columns of the destination that identify rows; empty for `Insert` and `Truncate`. */
  readonly keyColumns: readonly string[];
  /** True: rows that cannot be written are skipped. False: the first one ends the copy. */
  readonly skipsRejected: boolean;
  /** Common part of the names of the copy's own tables. At most 55 characters. */
  readonly stagingName: string;
  /** Largest share of the existing rows that `Sync` may delete, 0 to 1. */
  readonly deletedShareMax: number;
};

export type WriteCounts = {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly deleted: number;
};

/**
 * Returns true if `Sync` may delete this many of the existing rows. It divides, because 0.29 times 100 is below 29 in
 * doubles.
 */
export const isShareAllowed = (deleted: number, standing: number, shareMax: number): boolean =>
  deleted === 0 || deleted / standing <= shareMax;

/** Refusal of a write for a reason other than the connection or a statement. */
export class WriteRefusal extends Error {
  override readonly name = 'WriteRefusal';
  readonly reason: 'key-not-unique' | 'too-many-deletes' | 'schema-changed';

  constructor(reason: WriteRefusal['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * One copy at its destination. No change is visible there before `commit`. Every method rejects with a
 * `ConnectorError` or a `WriteRefusal`, after which only `abandon` may be called.
 */
export type WriteSession = {
  /**
   * Accepts rows, which may still be in transit when it resolves. Returns the rows rejected since the last call.
   *
   * @param refused  rows that must not be written: row index in the batch to index of the column with the reason.
   */
  readonly write: (batch: Batch, refused: RefusedRows) => Promise<readonly RejectedRow[]>;
  /**
   * Accepts undecoded rows in place of `write`, if the columns represent every value of these types unchanged.
   * Absent, or undefined: they do not. A rejected row ends the copy; `flush` reports it.
   */
  readonly takePassThrough?: (
    types: readonly PassThroughType[],
  ) => Promise<{ readonly form: PassThroughForm; readonly take: PassThroughTake }> | undefined;
  /** Waits until all rows have arrived. */
  readonly flush: () => Promise<readonly RejectedRow[]>;
  /** Moves the rows into the destination, in a transaction that stays open. To be called once, after `flush`. */
  readonly apply: () => Promise<WriteCounts>;
  /** Rejects with `connection-lost` even if the commit may have succeeded: `recover` determines the outcome. */
  readonly commit: () => Promise<void>;
  /** Drops the copy's own tables and closes. To be called after the outcome was recorded. Rejects on failure. */
  readonly finish: () => Promise<void>;
  /** Rolls back, tries to drop the copy's own tables, and closes. Never rejects. Resolves with true if all are dropped. */
  readonly abandon: () => Promise<boolean>;
};

/** Outcome of a copy whose process ended without recording it. */
export type Recovered =
  | 'Committed'
  /** The copy cannot commit any more; its tables are dropped. */
  | 'NotCommitted'
  /** The copy had not begun to write, or was cleaned up. */
  | 'NothingThere';

/**
 * Writes to the data sources of one engine. Only `gateways/copy-data` imports writers. All methods reject with a
 * `ConnectorError` of a stable code.
 */
export type Writer<Connection = unknown> = {
  readonly engine: EngineName;
  /** Returns the type of a new table's column for a kind of cell. */
  readonly newColumnType: (kind: ColumnKind, isKey: boolean) => string;
  readonly describe: (connection: Connection, table: TableName, options: CallOptions) => Promise<Destination>;
  /** `timeoutMs` applies to the whole session. After it or an abort of the signal, the work at the server ends too. */
  readonly open: (connection: Connection, plan: WritePlan, options: CallOptions) => Promise<WriteSession>;
  /**
   * Determines the outcome of a copy and makes it final. It waits for an open transaction, and prevents a slow
   * process from committing later. Rejects while the outcome is unknown.
   */
  readonly recover: (
    connection: Connection,
    staging: { readonly schema: string; readonly stagingName: string },
    options: CallOptions,
  ) => Promise<Recovered>;
  /** Drops the remaining tables of a finished copy. Missing tables are no error. */
  readonly dropStaging: (
    connection: Connection,
    staging: { readonly schema: string; readonly stagingNames: readonly string[] },
    options: CallOptions,
  ) => Promise<void>;
};
