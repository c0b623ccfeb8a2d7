import { type Batch, ConnectorError, type ConnectorErrorCode, type SqlPosition } from '@svc/connectors';
import { cleanEngineError, defectWithoutWords, type FailedStatement } from '../engine-errors/index.ts';

import type { RunColumn } from './request.ts';

/** Codes of refusals that the gateway adds to those of the connectors. */
export type RunSqlCode =
  | ConnectorErrorCode
  /** There is no step, or two steps have the same name. */
  | 'invalid-steps'
  /** A placeholder without a declaration, or a value without one. */
  | 'unknown-parameter'
  | 'missing-parameter'
  /** A value that is not of its declared type. */
  | 'invalid-parameter'
  /** A placeholder at a position where no value can be bound, e.g. inside quotes. */
  | 'misplaced-parameter'
  /** An invalid masking pattern. */
  | 'invalid-pattern'
  /** The data source or the caller has too many runs, and the queue is full or too slow. */
  | 'too-many-runs';

/** Usage of a step at its data source, as far as the engine reports it. Unreported members are absent. */
export type StepUsage = {
  /** For engines that bill by scanned bytes. */
  readonly scannedBytes?: number;
  /** Null if the engine bills by bytes and has not reported how many. */
  readonly billedBytes?: number | null;
  /** Number of repeated requests, and the total wait before them. */
  readonly retries?: { readonly count: number; readonly waitedMs: number };
};

/** Result of one step. */
export type StepResult = {
  readonly order: number;
  readonly name: string;
  readonly dataSourceId: string;
  readonly outcome: 'Succeeded' | 'Failed' | 'NotRun';
  readonly rowCount: number;
  /** Milliseconds after the start of the run. The wait for a slot at the data source starts then. */
  readonly startedMs: number;
  readonly executionTimeMs: number;
  readonly usage: StepUsage;
  readonly error: { readonly code: RunSqlCode; readonly message: string } | null;
  /** The first rows, masked like the result. Null if no rows were requested or returned. */
  readonly preview: StepPreview | null;
};

export type StepPreview = { readonly columns: readonly RunColumn[]; readonly rows: Batch };

export type RunSqlRefusalDetails = {
  /** In the text as written, before values were bound. */
  readonly position?: SqlPosition | undefined;
  /** Order of the failed step. Absent for the final query and for the run as a whole. */
  readonly stepOrder?: number | undefined;
  /** Name of the parameter with the refused value. */
  readonly parameter?: string | undefined;
  readonly hint?: string | undefined;
  readonly engineCode?: string | undefined;
  readonly stepResults?: readonly StepResult[] | undefined;
  /** For `too-many-runs`. */
  readonly retryAfterSeconds?: number | undefined;
};

/**
 * The only error of this gateway that a caller, a statement or a data source causes. Its code is stable and is listed in
 * the table of problem codes. Its message is for users. It has no cause: the engine's own error may repeat values of rows.
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

/** Settings that limits come from. Other messages of the connectors are unchanged. */
const settingOf = new Map<RunSqlCode, string>([['too-many-rows', 'Svc:Query:MaxExecutionRows']]);

/**
 * Converts a connector's error into a refusal of the gateway, without values of rows. A refusal is returned unchanged.
 *
 * @throws a defect, without its message
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

/** Returns a copy of a refusal with another message or further details. */
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
