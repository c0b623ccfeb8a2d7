/** Number of renewals within one lease, so that one lost statement does not end the lease. */
const renewalsPerLease = 4;

export type HeldLease = {
  /** Aborts when a renewal reports that the work has ended elsewhere. */
  readonly signal: AbortSignal;
  readonly release: () => void;
};

/**
 * Renews a lease until its release. After a failed renewal, the next turn tries again.
 *
 * @param renew Extends the lease to `leaseMs` from now. Returns false when the work has ended.
 */
export function holdLease(renew: () => Promise<boolean>, leaseMs: number): HeldLease {
  const ended = new AbortController();
  const timer = setInterval(() => {
    renew().then(
      (isHeld) => isHeld || ended.abort(new Error('The work has ended.')),
      () => undefined,
    );
  }, leaseMs / renewalsPerLease);
  return { signal: ended.signal, release: () => clearInterval(timer) };
}
