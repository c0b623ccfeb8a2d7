import { ConnectorError } from '@svc/connectors';
import { WriteRefusal } from '@svc/connectors/writers';
import { cleanEngineError, type FailedStatement, withoutDriverWords } from '../engine-errors/index.ts';

/** Reason why a copy failed. */
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

/** The only error of this gateway that a definition, a data source or an operator causes. */
export class CopyRefusal extends Error {
  override readonly name = 'CopyRefusal';
  readonly reason: CopyReason;

  constructor(reason: CopyReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Source or destination of a copy, with the author's statement. The destination executes only statements of the service. */
export type FailedSide = FailedStatement & { readonly reason: 'source-failed' | 'destination-failed' };

/** Converts an error of the destination. The driver's own message is removed: it may repeat values of the written rows. */
export const toDestinationRefusal = (error: unknown, engine: string): CopyRefusal | UnsettledCopy =>
  toCopyRefusal(error, { reason: 'destination-failed', engine, sql: '' });

/**
 * Converts an error of one side into a refusal of the gateway, without values of rows.
 *
 * @throws an error of another origin, such as one of the caller's hooks
 */
export function toCopyRefusal(error: unknown, side: FailedSide): CopyRefusal | UnsettledCopy {
  if (error instanceof CopyRefusal || error instanceof UnsettledCopy) return error;
  if (error instanceof WriteRefusal) return new CopyRefusal(error.reason, error.message);
  if (!(error instanceof ConnectorError)) throw withoutDriverWords(error);
  const { cause } = error;
  // The caller that cancelled the copy has given its reason.
  if (error.code === 'cancelled' && cause instanceof CopyRefusal) return cause;
  const reason =
    error.code === 'timed-out' ? 'timeout' : error.code === 'cancelled' ? 'cancelled' : side.reason;
  return new CopyRefusal(reason, cleanEngineError(error, side).message);
}

/** The destination does not report whether the copy has committed. The copy has neither failed nor succeeded. */
export class UnsettledCopy extends Error {
  override readonly name = 'UnsettledCopy';

  constructor(message: string) {
    super(message);
  }
}
