import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';

const credentialsMax = 2_000;
const remembered = new Set<Caller['kind']>(['apiKey', 'session']);

/** Cached callers of recent credentials, by a hash of the credential. */
export type KnownCallers = {
  /** Returns the caller of the credential's previous request. */
  readonly of: (credential: string) => Caller | undefined;
  readonly keep: (credential: string, caller: Caller) => void;
  readonly forget: (credential: string) => void;
};

/** Returns the hash that identifies a request's credential; never the credential itself. */
export const credentialOf = ({ headers: { authorization = '', cookie = '' } }: FastifyRequest): string =>
  hash('sha256', `${authorization}\n${cookie}`, 'base64');

/** Caches the callers of a bounded number of credentials. The least recently used one is evicted first. */
export function createKnownCallers(): KnownCallers {
  const callers = new Map<string, Caller>();
  return {
    of: (credential) => callers.get(credential),
    keep: (credential, caller) => {
      if (!remembered.has(caller.kind)) return;
      callers.delete(credential);
      callers.set(credential, caller);
      const [oldest] = callers.size > credentialsMax ? callers.keys() : [];
      if (oldest !== undefined) callers.delete(oldest);
    },
    forget: (credential) => callers.delete(credential),
  };
}
