import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../access/caller.ts';

/** Work that has begun for somebody who is still being asked who they are. */
export type Speculation = {
  /** Who the request's credential stood for last time. */
  readonly caller: Caller;
  /** What the request's own gates say. Rejects with their refusal. */
  readonly confirmed: Promise<Caller>;
};

/**
 * Begins to read for the caller of last time, and waits for the gates.
 *
 * @returns the confirmed caller, with what was begun when it is the same in everything.
 * @throws the refusal of the gates, whatever was read.
 */
export async function readEarly(
  { caller: supposed, confirmed }: Speculation,
  read: (caller: Caller) => Promise<unknown> | undefined,
): Promise<{ readonly caller: Caller; readonly early: Promise<unknown> | undefined }> {
  const early = read(supposed);
  // Whether it failed is looked at only by whoever uses it.
  early?.catch(() => undefined);
  const caller = await confirmed;
  return { caller, early: isDeepStrictEqual(caller, supposed) ? early : undefined };
}

/**
 * Runs the work for the caller of last time beside the gates. What came of it counts only when the confirmed caller is
 * the same in everything; otherwise it is thrown away, and the work is done for who it is.
 *
 * @throws the refusal of the gates, whatever the work said.
 */
export async function runEarly<T>(
  { caller: supposed, confirmed }: Speculation,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const early = work(supposed);
  // Whether it failed is looked at only once the caller is known.
  early.catch(() => undefined);
  const caller = await confirmed;
  return isDeepStrictEqual(caller, supposed) ? early : work(caller);
}
