import { ConnectorError } from '@svc/connectors';
import { WriteRefusal } from '@svc/connectors/writers';
import { cleanEngineError, type FailedStatement, withoutDriverWords } from '../engine-errors/index.ts';

/** Why a copy did not come through. */
export type CopyReason =
  | 'source-failed'
  | 'destination-failed'
  | 'rejected-rows'
  | 'key-not-unique'
  | 'empty-source'
  | 'too-many-deletes'
  | 'schema-changed'
  | 'writes-closed'
  | 'timeout'
  | 'cancelled'
  | 'outcome-unknown';

/** The only error that the door rejects with for what a definition, a data source or an operator did. */
export class CopyRefusal extends Error {
  override readonly name = 'CopyRefusal';
  readonly reason: CopyReason;

  constructor(reason: CopyReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A side of a copy with the statement of its author; the destination runs statements of the service alone. */
export type FailedSide = FailedStatement & { readonly reason: 'source-failed' | 'destination-failed' };

/** Any error of the destination: its own message may repeat values of the rows that are written. */
export const toDestinationRefusal = (error: unknown, engine: string): CopyRefusal | UnsettledCopy =>
  toCopyRefusal(error, { reason: 'destination-failed', engine, sql: '' });

/**
 * Returns an error of one side as a refusal of the gateway, cleaned of values of rows.
 *
 * @throws an error of another origin, such as one of the caller's hooks
 */
export function toCopyRefusal(error: unknown, side: FailedSide): CopyRefusal | UnsettledCopy {
  if (error instanceof CopyRefusal || error instanceof UnsettledCopy) return error;
  if (error instanceof WriteRefusal) return new CopyRefusal(error.reason, error.message);
  if (!(error instanceof ConnectorError)) throw withoutDriverWords(error);
  const { cause } = error;
  // Whoever ended the copy has said why.
  if (error.code === 'cancelled' && cause instanceof CopyRefusal) return cause;
  const reason =
    error.code === 'timed-out' ? 'timeout' : error.code === 'cancelled' ? 'cancelled' : side.reason;
  return new CopyRefusal(reason, cleanEngineError(error, side).message);
}

/** The destination does not say whether the copy has committed: it has neither failed nor come through. */
export class UnsettledCopy extends Error {
  override readonly name = 'UnsettledCopy';

  constructor(message: string) {
    super(message);
  }
}
