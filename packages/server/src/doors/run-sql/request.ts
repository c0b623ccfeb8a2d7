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

export type RunRequest = {
  readonly steps: readonly RunStep[];
  /** Runs in DuckDB over the steps' results, named `step1`, `step2`, … and by the steps' names. */
  readonly finalQuery?: string | null;
  readonly parameters?: RunParameters;
  readonly limits?: RunLimits;
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
  /** Whose runs are counted together. Absent: not counted by caller. */
  readonly callerId?: string;
};

export type RunColumn = {
  /** Unique in the result: a repeated name gets `_2`, `_3`, … */
  readonly name: string;
  readonly kind: ColumnKind;
  readonly databaseType: string;
};

/** What a run came to. */
export type RunFinished = {
  readonly rowCount: number;
  readonly executionTimeMs: number;
  readonly timedOut: boolean;
  readonly stepResults: readonly StepResult[];
  /** Names of the columns in which something was masked. */
  readonly maskedColumns: readonly string[];
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
  readonly batches: AsyncIterable<Batch>;
  /** Resolves when the walk has ended, however it ended; never rejects. */
  readonly finished: Promise<RunFinished>;
  /** Cancels a run that is not walked. Never rejects. */
  readonly close: () => Promise<void>;
};
