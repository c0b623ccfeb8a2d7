import { type Batch, ConnectorError, type ConnectorErrorCode, type SqlPosition } from '@svc/connectors';
import { cleanEngineError, defectWithoutWords, type FailedStatement } from '../engine-errors/index.ts';

import type { RunColumn } from './request.ts';

/** Codes of refusals that the door adds to those of the connectors. */
export type RunSqlCode =
  | ConnectorErrorCode
  /** The steps themselves are not runnable: none, or doubled names. */
  | 'invalid-steps'
  /** A placeholder without a declaration, or a value without one. */
  | 'unknown-parameter'
  | 'missing-parameter'
  /** A value that is not of its declared type. */
  | 'invalid-parameter'
  /** A placeholder where a value cannot stand, e.g. inside quotes. */
  | 'misplaced-parameter'
  /** A masking pattern that does not parse. */
  | 'invalid-pattern'
  /** Too many runs for this data source or caller, and the queue is full or too slow. */
  | 'too-many-runs';

/** What a step took at its data source, as far as the engine tells. Absent is what it does not tell. */
export type StepUsage = {
  /** Where the engine bills by the bytes that it scans. */
  readonly scannedBytes?: number;
  /** Null where the engine bills by bytes and has not told how many. */
  readonly billedBytes?: number | null;
  /** Requests that were sent again for it, and the waiting before them. */
  readonly retries?: { readonly count: number; readonly waitedMs: number };
};

/** What became of one step. */
export type StepResult = {
  readonly order: number;
  readonly name: string;
  readonly dataSourceId: string;
  readonly outcome: 'Succeeded' | 'Failed' | 'NotRun';
  readonly rowCount: number;
  /** Since the run began; it waits for a turn at its data source from then on. */
  readonly startedMs: number;
  readonly executionTimeMs: number;
  readonly usage: StepUsage;
  readonly error: { readonly code: RunSqlCode; readonly message: string } | null;
  /** The first rows, masked like the result's; null when none were asked for or the step gave none. */
  readonly preview: StepPreview | null;
};

export type StepPreview = { readonly columns: readonly RunColumn[]; readonly rows: Batch };

export type RunSqlRefusalDetails = {
  /** In the text as it was written, before values were bound. */
  readonly position?: SqlPosition | undefined;
  /** Order of the step whose statement is meant; absent for the final query and the run as a whole. */
  readonly stepOrder?: number | undefined;
  /** Name of the parameter whose value is meant. */
  readonly parameter?: string | undefined;
  readonly hint?: string | undefined;
  readonly engineCode?: string | undefined;
  readonly stepResults?: readonly StepResult[] | undefined;
  /** For `too-many-runs`. */
  readonly retryAfterSeconds?: number | undefined;
};

/**
 * The only error that the door rejects with for what a caller, a statement or a data source did. Its code is stable
 * is in the table of problem codes, its message is for people. It has no cause: the engine's own error may repeat values
 * of rows, and ends here.
 */
export class RunSqlRefusal extends Error {
  override readonly name = 'RunSqlRefusal';
  readonly code: RunSqlCode;
  readonly position: SqlPosition | undefined;
  readonly stepOrder: number | undefined;
  readonly parameter: string | undefined;
  readonly hint: string | undefined;
  readonly engineCode: string | undefined;
  readonly stepResults: readonly StepResult[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: RunSqlCode, message: string, details: RunSqlRefusalDetails = {}) {
    super(message);
    this.code = code;
    this.position = details.position;
    this.stepOrder = details.stepOrder;
    this.parameter = details.parameter;
    this.hint = details.hint;
    this.engineCode = details.engineCode;
    this.stepResults = details.stepResults ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Names the setting that a cap comes from; everything else is told as the connector told it. */
const settingOf = new Map<RunSqlCode, string>([['too-many-rows', 'Svc:Query:MaxExecutionRows']]);

/**
 * Returns a connector's error as a refusal of the gateway, cleaned of values of rows. A refusal is returned unchanged.
 *
 * @throws a defect, without its words
 */
export function toRefusal(error: unknown, statement: FailedStatement): RunSqlRefusal {
  if (error instanceof RunSqlRefusal) return error;
  if (!(error instanceof ConnectorError)) throw defectWithoutWords(error);
  const { code, message, position, hint, engineCode } = cleanEngineError(error, statement);
  const setting = settingOf.get(code);
  const text = setting
    ? `${message} The setting ${setting} is the limit: narrow the query or raise it.`
    : message;
  return new RunSqlRefusal(code, text, { position, hint, engineCode });
}

/** The same refusal with another message or with more said about it. */
export function changeRefusal(
  refusal: RunSqlRefusal,
  change: RunSqlRefusalDetails & { readonly message?: string },
): RunSqlRefusal {
  return new RunSqlRefusal(refusal.code, change.message ?? refusal.message, {
    position: refusal.position,
    stepOrder: refusal.stepOrder,
    parameter: refusal.parameter,
    hint: refusal.hint,
    engineCode: refusal.engineCode,
    stepResults: refusal.stepResults,
    retryAfterSeconds: refusal.retryAfterSeconds,
    ...change,
  });
}
