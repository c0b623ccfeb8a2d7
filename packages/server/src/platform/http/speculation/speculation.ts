import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../access/caller.ts';

/** Work that began before the confirmation of its caller. */
export type Speculation = {
  /** Caller of the credential's previous request. */
  readonly caller: Caller;
  /** Result of the request's gates. Rejects with their refusal. */
  readonly confirmed: Promise<Caller>;
};

/**
 * Begins to read for the cached caller, and waits for the gates.
 *
 * @returns the confirmed caller. Includes the read only if both callers are deeply equal.
 * @throws the refusal of the gates, regardless of the read.
 */
export async function readEarly(
  { caller: supposed, confirmed }: Speculation,
  read: (caller: Caller) => Promise<unknown> | undefined,
): Promise<{ readonly caller: Caller; readonly early: Promise<unknown> | undefined }> {
  const early = read(supposed);
  // Prevents an unhandled rejection. The consumer of the promise handles a failure.
  early?.catch(() => undefined);
  const caller = await confirmed;
  return { caller, early: isDeepStrictEqual(caller, supposed) ? early : undefined };
}

/**
 * Runs the work for the cached caller in parallel with the gates. The result counts only if the confirmed caller is
 * deeply equal. Otherwise it is discarded, and the work runs again for the confirmed caller.
 *
 * @throws the refusal of the gates, regardless of the work.
 */
export async function runEarly<T>(
  { caller: supposed, confirmed }: Speculation,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const early = work(supposed);
  // Prevents an unhandled rejection. A failure matters only after the caller is confirmed.
  early.catch(() => undefined);
  const caller = await confirmed;
  return isDeepStrictEqual(caller, supposed) ? early : work(caller);
}
