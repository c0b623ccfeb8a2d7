import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';

const credentialsMax = 2_000;
const remembered = new Set<Caller['kind']>(['apiKey', 'session']);

/** Who the credentials of the last requests stood for, by a hash of them. */
export type KnownCallers = {
  /** Who the request's credential stood for last time. */
  readonly of: (credential: string) => Caller | undefined;
  readonly keep: (credential: string, caller: Caller) => void;
  readonly forget: (credential: string) => void;
};

/** What a request's caller is known by; never the credential itself. */
export const credentialOf = ({ headers: { authorization = '', cookie = '' } }: FastifyRequest): string =>
  hash('sha256', `${authorization}\n${cookie}`, 'base64');

/** Remembers the callers of a bounded number of credentials; the one that was seen longest ago goes first. */
export function createKnownCallers(): KnownCallers {
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
