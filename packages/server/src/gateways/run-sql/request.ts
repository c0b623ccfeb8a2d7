import type { Batch, ColumnKind } from '@svc/connectors';
import type { DataSourceTarget } from './create-run-sql.ts';
import type { MaskingRules } from './masking/index.ts';
import type { RunParameters } from './parameters/parameters.ts';
import type { RunSqlRefusal, StepResult } from './refusal.ts';

/** One statement against one data source. */
export type RunStep = {
  /** From 1. Steps run in this order. */
  readonly order: number;
  /** Second name of the step's table in the final query. */
  readonly name?: string | null;
  readonly dataSource: DataSourceTarget;
  readonly sql: string;
};

/** Limits of one run. A run that reaches a limit fails. */
export type RunLimits = {
  /** For the whole run, including waits. Default 120,000. */
  readonly timeoutMs?: number;
  /** Rows of the result, and of each step. Default 1,000,000 (`Svc:Query:MaxExecutionRows`). */
  readonly maxRows?: number;
  /** Received bytes of all rows of a step. Default 1 GiB. */
  readonly maxBytes?: number;
  /** Bytes of one value. Default 8 MiB. */
  readonly maxCellBytes?: number;
};

/** Columns to fingerprint, by their names in the result. */
export type FingerprintRequest = {
  /** Scope of the fingerprints, such as the id of a subscription. The same cells have other fingerprints in another scope. */
  readonly domain: number;
  /** Columns that identify a row. Null: every column. Empty: no row is identified. */
  readonly keyColumns: readonly string[] | null;
  /** Columns whose change changes a row. Null: every column. Empty: no change is detected. */
  readonly watchedColumns: readonly string[] | null;
  /** Column whose value selects the recipient of a row. Null: no routing. */
  readonly routeColumn: string | null;
  /** Ids of the keys of the fingerprints, such as an earlier key in addition to the current one. Default: the current key. */
  readonly keyIds?: readonly string[];
};

/** Fingerprints of the rows of a batch under one key, concatenated. They reveal no cell. */
export type RowFingerprints = {
  readonly keyId: string;
  /** 16 bytes per row: its identity. Empty if no row is identified. */
  readonly keys: Buffer;
  /** 8 bytes per row: its content. Empty if no change is detected. */
  readonly contents: Buffer;
  /** 16 bytes per row: its route value. Null if there is no route column. */
  readonly routes: Buffer | null;
};

export type RunRequest = {
  readonly steps: readonly RunStep[];
  /** Runs in DuckDB over the steps' results. Their tables are `step1`, `step2`, … and the names of the steps. */
  readonly finalQuery?: string | null;
  readonly parameters?: RunParameters;
  readonly limits?: RunLimits;
  /**
   * True if a client reads the rows at its own pace. While the client does not read, the time limit is suspended, for at
   * most a minute at a time and an hour in total. Default false.
   */
  readonly hasSlowReader?: boolean;
  /** Masking rules. Required, so that no caller gets unmasked rows by omission. */
  readonly masking: MaskingRules;
  readonly signal: AbortSignal;
  /** Maximum number of rows that the caller reads. The statement may be ended after one more row. Default: all rows. */
  readonly rowsWanted?: number;
  /** Number of first rows of each step to retain for its result. Default 0. */
  readonly stepPreviewRows?: number;
  /** Fingerprints of the original cells, returned with the masked rows. Default: none. */
  readonly fingerprints?: FingerprintRequest;
  /** Caller whose concurrent runs are limited. Absent: not limited by caller. */
  readonly callerId?: string;
};

export type RunColumn = {
  /** Unique in the result: a repeated name gets the next free suffix of `_2`, `_3`, … */
  readonly name: string;
  readonly kind: ColumnKind;
  readonly databaseType: string;
  /** Later rows may have texts regardless of the kind. Only SQLite has such columns. Absent: false. */
  readonly isLoose?: true;
};

/** Masked rows of a result. */
export type RunBatch = Batch & {
  /** One per requested key. Absent if none were requested, or if a column is missing. */
  readonly fingerprints?: readonly RowFingerprints[];
};

/** Summary of a finished run. */
export type RunFinished = {
  readonly rowCount: number;
  readonly executionTimeMs: number;
  /** Share of the time that was spent on masking the result. */
  readonly maskingMs: number;
  readonly timedOut: boolean;
  readonly stepResults: readonly StepResult[];
  /** Names of the columns with masked values. */
  readonly maskedColumns: readonly string[];
  /** Reason for the masking and the suggested change, by column name. */
  readonly maskingReasons: ReadonlyMap<string, string>;
  /** Number of values in which U+FFFD replaces characters that cannot be stored. */
  readonly repairedCount: number;
  /** Null after success, and if the caller stopped early. */
  readonly error: RunSqlRefusal | null;
  /** True if the caller received every row. */
  readonly isComplete: boolean;
};

export type RunResult = {
  readonly columns: readonly RunColumn[];
  /** Can be iterated once. Rejects with a `RunSqlRefusal`. Ending the iteration early cancels the run. */
  readonly batches: AsyncIterable<RunBatch>;
  /** Columns that were requested for fingerprints and that the result does not have. */
  readonly missingColumns: readonly string[];
  /** Resolves when the iteration has ended, with or without an error. Never rejects. */
  readonly finished: Promise<RunFinished>;
  /** Cancels a run that is not iterated. Never rejects. */
  readonly close: () => Promise<void>;
};
