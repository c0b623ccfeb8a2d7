import type { Caller } from '../access/caller.ts';
import { hmac, type KeyRing, type Randomness, randomToken, verifyHmac } from '../crypto/index.ts';

/** Connection tokens: made by any process of the service, valid for the session that negotiated, for seconds. */
export type ConnectionTokens = {
  readonly issue: (caller: Caller) => { connectionId: string; token: string };
  /** What the token says, when it is sound and the caller's own. A connection may begin while it is in time. */
  readonly verify: (token: string, caller: Caller) => SoundToken | undefined;
};

export type SoundToken = { readonly connectionId: string; readonly isInTime: boolean };

const idBytes = 16;
const shape = /^([\w-]{22})~(\d{13})~([\w.]{1,200})$/;

/** The session, or the host's user, that a connection belongs to. */
export const identityOf = (caller: Caller): string =>
  caller.kind === 'session' ? `session:${caller.sessionId}` : `host:${caller.hostUserId}`;

/**
 * A token is `<connection id>~<time>~<HMAC(connection id, time, who)>`. Nothing is kept for it, so that a WebSocket
 * may begin at another process than the one that negotiated.
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
