import type { CallOptions, EngineName, PassThroughForm, PassThroughTake, PassThroughType } from '../port.ts';
import type { Batch, ColumnKind } from '../values.ts';

/** What a copy does with what stands at its destination. */
export type WriteMode = 'Insert' | 'Upsert' | 'Truncate' | 'Sync';

/** Why a row cannot be written. Codes are stable. */
export type RejectionCode =
  /** NUL, or half of a surrogate pair. */
  | 'invalid-text'
  /** A time that the destination's type does not have. */
  | 'invalid-time'
  /** A text that is none of the destination's type. */
  | 'invalid-value'
  | 'out-of-range'
  /** The destination would round it. */
  | 'inexact'
  | 'too-long'
  | 'null-value'
  /** A constraint of the table on single rows. */
  | 'check-failed'
  /** Personal data where none may be copied. */
  | 'personal-data'
  /** The server's own reason, which has no code of its own. */
  | 'refused';

/** A row that was not written. It holds no other value of it than its key. */
export type RejectedRow = {
  /** From 1, in the order of the source. */
  readonly rowNumber: number;
  /** The values of the key columns, joined by `, `; null where the copy has none. */
  readonly key: string | null;
  readonly column: string | null;
  readonly code: RejectionCode;
};

/** A table by its name, as the engine has it: never quoted. */
export type TableName = { readonly schema: string; readonly table: string };

export type DestinationColumn = {
  readonly name: string;
  /** The engine's own name of the type, with its length or precision. */
  readonly databaseType: string;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  /** The server computes it: nothing can be written to it. */
  readonly isGenerated: boolean;
};

/** A table whose rows refer to others, and go or change with them. */
export type CascadedTable = TableName & { readonly become: 'deleted' | 'changed' };

/** No mode deletes rows that others refer to. */
export const noCascades: DestinationTable['cascades'] = { Insert: [], Upsert: [], Truncate: [], Sync: [] };

/** A table that is to be written to. */
export type DestinationTable = {
  readonly columns: readonly DestinationColumn[];
  /**
   * Columns of each unique key that rows can be told apart by, the primary key first. Null: the place has no keys, and
   * the writer compares all of its rows by itself.
   */
  readonly uniqueKeys: readonly (readonly string[])[] | null;
  readonly primaryKey: readonly string[];
  /** What the server estimates; null where it has not counted. */
  readonly estimatedRows: number | null;
  /** False for views, foreign tables and what else rows are not simply kept in. */
  readonly isTable: boolean;
  /** Why its rows cannot come and go by one commit; it ends a sentence that begins with its name. */
  readonly unfit: readonly string[];
  readonly hasTriggers: boolean;
  /** Other tables whose rows a foreign key deletes or changes together with rows that each mode deletes here. */
  readonly cascades: Readonly<Record<WriteMode, readonly CascadedTable[]>>;
  /** Rows that the login does not see cannot be compared or deleted. */
  readonly hidesRows: boolean;
  /** What the login lacks for each mode, as the server calls it, such as `DELETE on the table`. */
  readonly missingPrivileges: Readonly<Record<WriteMode, readonly string[]>>;
};

/** A place for rows. */
export type Destination = {
  /** Undefined: there is no such table. */
  readonly table: DestinationTable | undefined;
  /** What the login lacks to make a table there, as the server calls it. */
  readonly missingToCreate: readonly string[];
  /** The type of every column of a table that is made there, where it is not that of `newColumnType`. */
  readonly newColumnType?: string;
};

/** One column of a copy: what comes, and where it goes. */
export type WrittenColumn = {
  readonly to: string;
  /** What cells arrive as. */
  readonly kind: ColumnKind;
};

/** Rows of a batch that hold personal data where none may be copied: row by column. */
export type RefusedRows = ReadonlyMap<number, number>;

export type WritePlan = {
  readonly destination: TableName;
  /** Make the table when it is not there. */
  readonly createsTable: boolean;
  readonly mode: WriteMode;
  /** In the order of the cells of a batch. */
  readonly columns: readonly WrittenColumn[];
  /** Columns of the destination by which rows are told apart; empty for `Insert` and `Truncate`. */
  readonly keyColumns: readonly string[];
  /** A row that cannot be written is left out; else the first one ends the copy. */
  readonly skipsRejected: boolean;
  /** Name of the tables that the copy needs for itself, without what tells them apart. At most 55 characters. */
  readonly stagingName: string;
  /** `Sync` deletes at most this share of the rows that stand there, 0 to 1. */
  readonly deletedShareMax: number;
};

export type WriteCounts = {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly deleted: number;
};

/** Whether `Sync` may delete so many of the rows that stand there. Divided: a product of 0.29 and 100 is below 29. */
export const isShareAllowed = (deleted: number, standing: number, shareMax: number): boolean =>
  deleted === 0 || deleted / standing <= shareMax;

/** Why a write cannot go on, where neither connection nor statement is at fault. */
export class WriteRefusal extends Error {
  override readonly name = 'WriteRefusal';
  readonly reason: 'key-not-unique' | 'too-many-deletes' | 'schema-changed';

  constructor(reason: WriteRefusal['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * One copy at its destination. Nothing of it shows there before `commit`. Every method rejects with a `ConnectorError`
 * or a `WriteRefusal`, after which only `abandon` is of use.
 */
export type WriteSession = {
  /**
   * Takes rows; they need not have arrived when it resolves. Returns rows that were rejected since the last call.
   *
   * @param refused  rows that may not be written, by their place in the batch, with the place of the column that says so.
   */
  readonly write: (batch: Batch, refused: RefusedRows) => Promise<readonly RejectedRow[]>;
  /**
   * Takes rows unread, instead of `write`, where its columns hold every value of these types as it is. Absent, or
   * undefined: it does not. A row that is rejected ends the copy; `flush` tells of it.
   */
  readonly takePassThrough?: (
    types: readonly PassThroughType[],
  ) => Promise<{ readonly form: PassThroughForm; readonly take: PassThroughTake }> | undefined;
  /** Waits for all rows to arrive. */
  readonly flush: () => Promise<readonly RejectedRow[]>;
  /** Brings the rows into the destination, in a transaction that stays open. Once, after `flush`. */
  readonly apply: () => Promise<WriteCounts>;
  /** Rejects with `connection-lost` also where the commit may have come through: `recover` tells. */
  readonly commit: () => Promise<void>;
  /** After the outcome is on record: drops what the copy needed for itself, and closes. Rejects if it cannot. */
  readonly finish: () => Promise<void>;
  /** Rolls back, drops what the copy needed for itself if it can, and closes. Never rejects; true when all is dropped. */
  readonly abandon: () => Promise<boolean>;
};

/** What became of a copy whose process did not live to tell. */
export type Recovered =
  | 'Committed'
  /** It cannot commit any more; its tables are dropped. */
  | 'NotCommitted'
  /** Nothing of it is there: it had not begun to write, or has been cleaned up. */
  | 'NothingThere';

/**
 * Writes to the data sources of one engine. Only `doors/copy-data` imports writers. All methods reject with a
 * `ConnectorError` of a stable code.
 */
export type Writer<Connection = unknown> = {
  readonly engine: EngineName;
  /** The type of a column for a kind of cell, in a table that a copy makes. */
  readonly newColumnType: (kind: ColumnKind, isKey: boolean) => string;
  readonly describe: (connection: Connection, table: TableName, options: CallOptions) => Promise<Destination>;
  /** `timeoutMs` holds for the whole session; when it or the signal ends, the work at the server ends too. */
  readonly open: (connection: Connection, plan: WritePlan, options: CallOptions) => Promise<WriteSession>;
  /**
   * Asks what became of a copy, and makes sure that it stays so: waits for a transaction that is still open, and takes
   * from a process that is only slow the means to commit. Rejects while it cannot tell.
   */
  readonly recover: (
    connection: Connection,
    staging: { readonly schema: string; readonly stagingName: string },
    options: CallOptions,
  ) => Promise<Recovered>;
  /** Drops what a copy that has ended has left. What is not there is no fault. */
  readonly dropStaging: (
    connection: Connection,
    staging: { readonly schema: string; readonly stagingNames: readonly string[] },
    options: CallOptions,
  ) => Promise<void>;
};
