import type { Caller } from '../access/caller.ts';
import { hmac, type KeyRing, type Randomness, randomToken, verifyHmac } from '../crypto/index.ts';

/**
 * Connection tokens. Any process of the service creates them; they are valid for seconds, for the negotiating
 * session.
 */
export type ConnectionTokens = {
  readonly issue: (caller: Caller) => { connectionId: string; token: string };
  /** Returns the content of a valid token of the caller; undefined otherwise. A connection may begin only in time. */
  readonly verify: (token: string, caller: Caller) => SoundToken | undefined;
};

export type SoundToken = { readonly connectionId: string; readonly isInTime: boolean };

const idBytes = 16;
const shape = /^([\w-]{22})~(\d{13})~([\w.]{1,200})$/;

/** Returns the session, or the host user, that a connection belongs to. */
export const identityOf = (caller: Caller): string =>
  caller.kind === 'session' ? `session:${caller.sessionId}` : `host:${caller.hostUserId}`;

/**
 * Creates connection tokens: `<connection id>~<time>~<HMAC(connection id, time, identity)>`. They are stateless, so
 * that a WebSocket may open at another process than the negotiating one.
 */
export function createConnectionTokens(options: {
  keys: KeyRing;
  random: Randomness;
  lifetimeMs: number;
}): ConnectionTokens {
  const { keys, random } = options;
  return {
    issue: (caller) => {
      const connectionId = randomToken(random, idBytes);
      const until = String(Date.now() + options.lifetimeMs);
      const mac = hmac(keys, 'hub', [connectionId, until, identityOf(caller)]);
      return { connectionId, token: `${connectionId}~${until}~${mac}` };
    },
    verify: (token, caller) => {
      const [, connectionId = '', until = '', mac = ''] = shape.exec(token) ?? [];
      const verdict = verifyHmac(keys, 'hub', [connectionId, until, identityOf(caller)], mac);
      if (verdict !== 'Current' && verdict !== 'Previous') return undefined;
      return { connectionId, isInTime: Number(until) >= Date.now() };
    },
  };
}
