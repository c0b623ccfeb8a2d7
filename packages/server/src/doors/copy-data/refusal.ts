import { ConnectorError } from '@svc/connectors';
import { WriteRefusal } from '@svc/connectors/writers';
import { toStorable } from '../../platform/text/index.ts';

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

  constructor(reason: CopyReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Any error of one side as a refusal of the door; a defect is thrown on. */
export function toCopyRefusal(
  error: unknown,
  side: 'source-failed' | 'destination-failed',
): CopyRefusal | UnsettledCopy {
  if (error instanceof CopyRefusal || error instanceof UnsettledCopy) return error;
  if (error instanceof WriteRefusal) return new CopyRefusal(error.reason, error.message, { cause: error });
  if (!(error instanceof ConnectorError)) throw error;
  const { cause } = error;
  // Whoever ended the copy has said why.
  if (error.code === 'cancelled' && cause instanceof CopyRefusal) return cause;
  const reason = error.code === 'timed-out' ? 'timeout' : error.code === 'cancelled' ? 'cancelled' : side;
  // The engine's words may repeat what stands in a row.
  return new CopyRefusal(reason, toStorable(error.message), { cause: error });
}

/** The destination does not say whether the copy has committed: it has neither failed nor come through. */
export class UnsettledCopy extends Error {
  override readonly name = 'UnsettledCopy';
}
