import { JobAbortError } from '@svc/jobs';
import { RunSqlRefusal } from '../../doors/run-sql/index.ts';
import { SheetFullError } from '../../platform/tabular/index.ts';
import type { RunReason } from '../run-history/index.ts';
import { AttachmentTooLarge } from '../run-messages/index.ts';

/** Bounds under which a run failed. */
export type FailureLimits = {
  readonly maxExecutionRows: number;
  readonly timeoutSeconds: number;
  readonly attachmentBytesMax: number;
};

/** How an error ends a run; undefined when the run shall be taken up again instead. */
export function failureOf(
  error: unknown,
  signal: AbortSignal,
  limits: FailureLimits,
): { readonly status: 'Failed' | 'Timeout'; readonly reason: RunReason } | undefined {
  const failed = (reason: RunReason) => ({ status: 'Failed', reason }) as const;
  if (signal.aborted) {
    const wasCancelled = signal.reason instanceof JobAbortError && signal.reason.cause === 'Cancelled';
    return wasCancelled ? failed({ reason: 'Cancelled' }) : undefined;
  }
  if (error instanceof AttachmentTooLarge)
    return failed({ reason: 'AttachmentTooLarge', limitBytes: limits.attachmentBytesMax });
  if (error instanceof SheetFullError) return failed({ reason: 'SheetFull' });
  if (!(error instanceof RunSqlRefusal)) return undefined;
  switch (error.code) {
    case 'timed-out':
      return { status: 'Timeout', reason: { reason: 'TimedOut', seconds: limits.timeoutSeconds } };
    case 'too-many-rows':
      return failed({ reason: 'ResultTooLarge', limit: limits.maxExecutionRows });
    case 'unknown-parameter':
    case 'missing-parameter':
    case 'invalid-parameter':
      return failed({ reason: 'ParametersInvalid' });
    case 'cancelled':
      return undefined;
    case 'destination-refused':
    case 'connection-failed':
    case 'tls-failed':
    case 'authentication-failed':
    case 'database-not-found':
    case 'connection-lost':
      return failed({ reason: 'SourceUnreachable' });
    default:
      return failed({ reason: 'QueryFailed', stepOrder: error.stepOrder ?? null });
  }
}
