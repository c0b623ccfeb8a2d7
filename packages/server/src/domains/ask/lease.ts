/** Lease of an answer that no job works on. After it expires, the answer no longer counts against its caller. */
export const answerLeaseMs = 20_000;
/** Several renewals fit into a lease, so that one lost statement does not end it. */
const renewalMs = 5_000;

export type Lease = {
  /** Aborts when a renewal reports that the answer has ended. */
  readonly signal: AbortSignal;
  readonly release: () => void;
};

/**
 * Renews a lease until it is released. A failed renewal is tried again at the next turn.
 *
 * @param renew  Extends the lease to that many milliseconds from now; false when the answer has ended.
 */
export function holdLease(renew: (leaseMs: number) => Promise<boolean>): Lease {
  const ended = new AbortController();
  const timer = setInterval(() => {
    renew(answerLeaseMs).then(
      (isHeld) => isHeld || ended.abort(new Error('The answer has ended.')),
      () => undefined,
    );
  }, renewalMs);
  return { signal: ended.signal, release: () => clearInterval(timer) };
}
