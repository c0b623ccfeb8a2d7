import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';

/** Work that has begun for somebody who is still being asked who they are. */
export type Presumed = {
  readonly caller: Caller;
  /** What the request's own authentication and judgement say. Rejects with their refusal. */
  readonly confirmed: Promise<Caller>;
};

const credentialsMax = 2_000;
const remembered = new Set<Caller['kind']>(['apiKey', 'session']);

/** Who the credentials of the last requests stood for, by a hash of them. */
export type Presumption = {
  /** Who the request's credential stood for last time. */
  readonly of: (credential: string) => Caller | undefined;
  readonly keep: (credential: string, caller: Caller) => void;
  readonly forget: (credential: string) => void;
};

/** What the presumption knows a request by; never the credential itself. */
export const credentialOf = ({ headers: { authorization = '', cookie = '' } }: FastifyRequest): string =>
  hash('sha256', `${authorization}\n${cookie}`, 'base64');

/**
 * Remembers who a credential stood for, so that a route that only reads can begin while this request's own
 * authentication still runs. It decides nothing: an answer leaves only after the authentication of the same
 * request has named the same caller.
 */
export function createPresumption(): Presumption {
  const known = new Map<string, Caller>();
  return {
    of: (credential) => known.get(credential),
    keep: (credential, caller) => {
      if (!remembered.has(caller.kind)) return;
      known.delete(credential);
      known.set(credential, caller);
      const [oldest] = known.size > credentialsMax ? known.keys() : [];
      if (oldest !== undefined) known.delete(oldest);
    },
    forget: (credential) => known.delete(credential),
  };
}

/**
 * Begins to read for the presumed caller, and waits for the confirmation.
 *
 * @returns the confirmed caller, with what was begun when it is the same in everything.
 * @throws the refusal of the confirmation, whatever was read.
 */
export async function readPresumed(
  { caller: presumed, confirmed }: Presumed,
  read: (caller: Caller) => Promise<unknown> | undefined,
): Promise<{ readonly caller: Caller; readonly early: Promise<unknown> | undefined }> {
  const early = read(presumed);
  // Whether it failed is looked at only by whoever uses it.
  early?.catch(() => undefined);
  const caller = await confirmed;
  return { caller, early: isDeepStrictEqual(caller, presumed) ? early : undefined };
}

/**
 * Runs the work for the presumed caller beside the confirmation. What came of it counts only when the confirmed
 * caller is the same in everything; otherwise it is thrown away, and the work is done for who it is.
 *
 * @throws the refusal of the confirmation, whatever the work said.
 */
export async function runPresumed<T>(
  { caller: presumed, confirmed }: Presumed,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const early = work(presumed);
  // Whether it failed is looked at only once the caller is known.
  early.catch(() => undefined);
  const caller = await confirmed;
  return isDeepStrictEqual(caller, presumed) ? early : work(caller);
}
