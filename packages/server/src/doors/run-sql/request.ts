import type { Batch, ColumnKind } from '@svc/connectors';
import type { DataSourceTarget } from './create-run-sql.ts';
import type { MaskingRules } from './masking/index.ts';
import type { RunParameters } from './parameters.ts';
import type { RunSqlRefusal, StepResult } from './refusal.ts';

/** One statement against one data source. */
export type RunStep = {
  /** From 1; steps run in this order. */
  readonly order: number;
  /** A second name for the step's table in the final query. */
  readonly name?: string | null;
  readonly dataSource: DataSourceTarget;
  readonly sql: string;
};

/** Bounds of one run. Reaching one fails it. */
export type RunLimits = {
  /** For the whole run, waiting included. Default 120,000. */
  readonly timeoutMs?: number;
  /** Rows of the result, and of each step. Default 1,000,000 (`Svc:Query:MaxExecutionRows`). */
  readonly maxRows?: number;
  /** Bytes of all rows of a step as they arrive. Default 1 GiB. */
  readonly maxBytes?: number;
  /** Bytes of one value. Default 8 MiB. */
  readonly maxCellBytes?: number;
};

/** Which cells of a row are fingerprinted, by the names that the result's columns have. */
export type FingerprintRequest = {
  /** What the fingerprints belong to, such as the id of a subscription: elsewhere the same cells have others. */
  readonly domain: number;
  /** A row is the same row while these are the same; null: every column, empty: no row is recognised. */
  readonly keyColumns: readonly string[] | null;
  /** A row has changed when one of these has; null: every column, empty: no change is looked for. */
  readonly watchedColumns: readonly string[] | null;
  /** Whose value says who gets the row; null: nobody in particular. */
  readonly routeColumn: string | null;
  /** Ids of the keys that fingerprints are made under, such as an earlier one beside the current. Default: the current. */
  readonly keyIds?: readonly string[];
};

/** Fingerprints of the rows of a batch under one key, one after the other. They say nothing of the cells. */
export type RowFingerprints = {
  readonly keyId: string;
  /** 16 bytes a row, of what it is; empty where no row is recognised. */
  readonly keys: Buffer;
  /** 8 bytes a row, of what stands in it; empty where no change is looked for. */
  readonly contents: Buffer;
  /** 16 bytes a row, of the value that routes it; null where no column does. */
  readonly routes: Buffer | null;
};

export type RunRequest = {
  readonly steps: readonly RunStep[];
  /** Runs in DuckDB over the steps' results, named `step1`, `step2`, … and by the steps' names. */
  readonly finalQuery?: string | null;
  readonly parameters?: RunParameters;
  readonly limits?: RunLimits;
  /**
   * The rows go to a client at its own pace. While it takes none, the time limit stops, for at most a minute at a time
   * and an hour in all. Default false.
   */
  readonly hasSlowReader?: boolean;
  /** Which personal data is masked. It has to be said: nothing is handed out unmasked by omission. */
  readonly masking: MaskingRules;
  readonly signal: AbortSignal;
  /**
   * The caller takes no more rows of the result than this, and ends its walk there: the statement may be ended once it
   * has one more. Default: every row is read.
   */
  readonly rowsWanted?: number;
  /** How many of each step's first rows are kept for its result. Default 0. */
  readonly stepPreviewRows?: number;
  /** Fingerprints of the result's rows, made of their true cells and handed out beside the masked ones. Default: none. */
  readonly fingerprints?: FingerprintRequest;
  /** Whose runs are counted together. Absent: not counted by caller. */
  readonly callerId?: string;
};

export type RunColumn = {
  /** Unique in the result: a repeated name gets the next free of `_2`, `_3`, … */
  readonly name: string;
  readonly kind: ColumnKind;
  readonly databaseType: string;
  /** Later rows may have texts, whatever the kind is. Only SQLite has such columns. Absent: false. */
  readonly isLoose?: true;
};

/** Rows as they are handed out, masked. */
export type RunBatch = Batch & {
  /** One for each key that was asked for; absent where none were asked for, or where a column is missing. */
  readonly fingerprints?: readonly RowFingerprints[];
};

/** What a run came to. */
export type RunFinished = {
  readonly rowCount: number;
  readonly executionTimeMs: number;
  /** Of that time: the masking of the result. */
  readonly maskingMs: number;
  readonly timedOut: boolean;
  readonly stepResults: readonly StepResult[];
  /** Names of the columns in which something was masked. */
  readonly maskedColumns: readonly string[];
  /** Why each of them is masked and what to change, by name. */
  readonly maskingReasons: ReadonlyMap<string, string>;
  /** Values in which U+FFFD stands for a character that cannot be stored. */
  readonly repairedCount: number;
  /** Null after success and when the caller stopped early. */
  readonly error: RunSqlRefusal | null;
  /** Every row was handed over. */
  readonly isComplete: boolean;
};

export type RunResult = {
  readonly columns: readonly RunColumn[];
  /** Can be walked once; rejects with a `RunSqlRefusal`. Ending the walk early cancels the run. */
  readonly batches: AsyncIterable<RunBatch>;
  /** Columns that fingerprints were asked of and that the result does not have. */
  readonly missingColumns: readonly string[];
  /** Resolves when the walk has ended, however it ended; never rejects. */
  readonly finished: Promise<RunFinished>;
  /** Cancels a run that is not walked. Never rejects. */
  readonly close: () => Promise<void>;
};
