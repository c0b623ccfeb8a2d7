import { JobAbortError } from '@svc/jobs';
import { RunSqlRefusal } from '../../gateways/run-sql/index.ts';
import { SheetFullError } from '../../platform/tabular/index.ts';
import { ColumnsMissing, TooManyKeys } from '../row-memory/index.ts';
import { RoutesUnreadable } from '../row-routing/index.ts';
import { type RunReason, type StatementError, storedMessageLengthMax } from '../run-history/index.ts';
import { AttachmentTooLarge } from '../run-messages/index.ts';

/** Limits that a run may have exceeded. */
export type FailureLimits = {
  readonly maxExecutionRows: number;
  readonly attachmentBytesMax: number;
  readonly rowMemoryMaxRows: number;
};

/** The result lacks the column for the routing of rows. */
export class RoutingColumnMissing extends Error {
  override readonly name = 'RoutingColumnMissing';
  readonly column: string;
  constructor(column: string) {
    super('The result does not have the column that rows are routed by.');
    this.column = column;
  }
}

/** Returns true if the time limit ended a query. */
export const isTimeLimit = (error: unknown): boolean =>
  error instanceof RunSqlRefusal && error.code === 'timed-out';

/** Returns the reason why an error fails a run; undefined when the run must be resumed instead. */
export function failureOf(error: unknown, signal: AbortSignal, limits: FailureLimits): RunReason | undefined {
  if (signal.aborted) {
    const wasCancelled = signal.reason instanceof JobAbortError && signal.reason.cause === 'Cancelled';
    return wasCancelled ? { reason: 'Cancelled' } : undefined;
  }
  if (error instanceof AttachmentTooLarge)
    return { reason: 'AttachmentTooLarge', limitBytes: limits.attachmentBytesMax };
  if (error instanceof SheetFullError) return { reason: 'SheetFull' };
  if (error instanceof ColumnsMissing) return { reason: 'KeyColumnMissing', columns: error.columns };
  if (error instanceof RoutingColumnMissing) return { reason: 'RoutingColumnMissing', column: error.column };
  if (error instanceof RoutesUnreadable) return { reason: 'RoutesUnreadable' };
  if (error instanceof TooManyKeys) return { reason: 'TooManyKeys', limit: limits.rowMemoryMaxRows };
  if (!(error instanceof RunSqlRefusal)) return undefined;
  switch (error.code) {
    case 'too-many-rows':
      return { reason: 'ResultTooLarge', limit: limits.maxExecutionRows };
    case 'unknown-parameter':
    case 'missing-parameter':
    case 'invalid-parameter':
      return { reason: 'ParametersInvalid' };
    case 'cancelled':
      return undefined;
    case 'destination-refused':
    case 'connection-failed':
    case 'tls-failed':
    case 'authentication-failed':
    case 'database-not-found':
    case 'connection-lost':
      return { reason: 'SourceUnreachable' };
    default:
      return { reason: 'QueryFailed', stepOrder: error.stepOrder ?? null, error: statementErrorOf(error) };
  }
}

/**
 * Returns the gateway's message. It contains no values of rows, so it may be stored and shown to readers of the query.
 */
function statementErrorOf({ message, hint, position }: RunSqlRefusal): StatementError {
  const text = hint === undefined ? message : `${message} ${hint}`;
  const { line = null, column = null } = position ?? {};
  return { message: text.slice(0, storedMessageLengthMax), line, column };
}
