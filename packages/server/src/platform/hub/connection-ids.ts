import type { Caller } from '../access/caller.ts';
import { badRequest, conflict, notFound } from '../http/index.ts';
import type { createConnectionTokens } from './token.ts';

export type ConnectionIds = ReturnType<typeof createConnectionIds>;

/** Creates the reader of connection tokens. A token opens one connection only. */
export function createConnectionIds(
  tokens: Pick<ReturnType<typeof createConnectionTokens>, 'verify'>,
  tokenLifetimeMs: number,
) {
  /** Ids of opened connections, each with the expiry of its token. */
  const usedUntil = new Map<string, number>();

  const verified = (caller: Caller, token: string | undefined) => {
    if (token === undefined)
      throw badRequest('id-required', 'Negotiate first, and send the connection token as "id".');
    const verifiedToken = tokens.verify(token, caller);
    if (!verifiedToken) throw notFound();
    return verifiedToken;
  };

  return {
    /** Returns the connection id of a token. Every invalid token gets the same response. */
    idOf: (caller: Caller, token: string | undefined): string => verified(caller, token).connectionId,

    /** Returns the id for a new connection. */
    claim: (caller: Caller, token: string | undefined): string => {
      const { connectionId, isInTime } = verified(caller, token);
      if (usedUntil.has(connectionId))
        throw conflict('connection-in-use', 'This connection has begun already. Negotiate another.');
      if (!isInTime) throw notFound();
      return connectionId;
    },

    /** Prevents a second connection with this id, until its token has expired. */
    markUsed: (id: string): void => void usedUntil.set(id, Date.now() + tokenLifetimeMs),

    /** Forgets ids whose token has expired and whose connection has ended. */
    forgetExpired: (isOpen: (id: string) => boolean): void => {
      const nowMs = Date.now();
      for (const [id, expiresAtMs] of usedUntil) if (expiresAtMs < nowMs && !isOpen(id)) usedUntil.delete(id);
    },
  };
}
