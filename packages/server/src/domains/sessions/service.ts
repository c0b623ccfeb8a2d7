import { hash as digestOf } from 'node:crypto';
import { anonymousCaller, type Caller } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import { type Randomness, randomToken } from '../../platform/crypto/index.ts';
import type { Database, Queryable, Tx } from '../../platform/db/index.ts';
import type { PageRequest } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { rightsOf, type StoredUser } from '../users/index.ts';
import {
  type AuthMethod,
  deleteSessionsBefore,
  type EndedSession,
  type EndReason,
  endSession,
  endSessionsOfProvider,
  endSessionsOfUser,
  type FoundSession,
  findLiveSession,
  findSessionById,
  insertSession,
  listLiveSessions,
  noteChecked,
  type StoredSession,
  suspendSessionsOfUser,
} from './store.ts';

export type SessionSettings = {
  readonly revalidateMinutes: number;
  readonly absoluteLifetimeHours: number;
};

/** New session. The token goes into the cookie. Only its hash is stored. */
export type BegunSession = {
  readonly id: number;
  readonly token: string;
  readonly expiresAt: Date;
  readonly isPersistent: boolean;
};

export type SessionStart = {
  readonly authMethod: AuthMethod;
  readonly isPersistent: boolean;
  readonly clientAddress: string;
  readonly userAgent: string | undefined;
  readonly issuer?: string;
  readonly providerSession?: string;
  /** Time of the sign-in, for a session that replaces another. Default: now. */
  readonly signedInAt?: Date;
};

export type SessionsService = {
  /** Returns the caller of a session token; undefined when the session is over or never existed. */
  readonly authenticate: (token: string) => Promise<Caller | undefined>;
  /** Starts a session for an authenticated user. */
  readonly begin: (tx: Tx, user: StoredUser, start: SessionStart) => Promise<BegunSession>;
  readonly end: (executor: Queryable, sessionId: number, reason: EndReason) => Promise<void>;
  /** Ends the session of a token, if it exists; for requests that sign in again. */
  readonly endByToken: (executor: Queryable, token: string, reason: EndReason) => Promise<void>;
  /** @returns the number of ended sessions. */
  readonly endAllOf: (executor: Queryable, userId: number, reason: EndReason) => Promise<number>;
  /** Suspends all sessions of a disabled user, immediately and permanently. */
  readonly suspendAllOf: (executor: Queryable, userId: number) => Promise<void>;
  /** Ends the sessions that an identity provider identifies by this id. `issuer` null: the provider sent no issuer. */
  readonly endOfProvider: (provider: { session: string; issuer: string | null }) => Promise<number>;
  /** Returns the time of the next check against the user store, and of the end; undefined when the session is over. */
  readonly dueTimes: (sessionId: number) => Promise<{ checkAt: Date; expiresAt: Date } | undefined>;
  /** Returns a live session by id. */
  readonly describe: (executor: Queryable, sessionId: number) => Promise<StoredSession | undefined>;
  readonly listOf: (
    userId: number,
    page: PageRequest,
  ) => Promise<{ rows: StoredSession[]; totalCount: number }>;
  /**
   * Notifies a listener of sessions that this process ended, so that the hub can close their connections immediately.
   */
  readonly onEnded: (listener: (session: EndedSession) => void) => () => void;
  /** Deletes sessions that expired more than 30 days ago. */
  readonly sweep: () => Promise<void>;
};

const minuteMs = 60_000;
/** Shortest interval between two writes to a session's row. Every request checks the session. */
const noteIntervalMs = minuteMs;
const keptAfterExpiryMs = 30 * 24 * 60 * minuteMs;
const userAgentLengthMax = 400;

const hashOf = (token: string): Buffer => digestOf('sha256', token, 'buffer');

export function createSessionsService(deps: {
  database: Database;
  clock: Clock;
  random: Randomness;
  log: Logger;
  settings: SessionSettings;
}): SessionsService {
  const { database, clock, random, log, settings } = deps;
  const listeners = new Set<(session: EndedSession) => void>();
  const intervalMs = settings.revalidateMinutes * minuteMs;

  const tell = (sessions: readonly EndedSession[]): number => {
    for (const session of sessions) for (const listener of listeners) listener(session);
    return sessions.length;
  };
  const end = (reason: EndReason) => ({ reason, at: statementTime(clock) });

  /** Runs the periodic check. @returns false when the session must end. */
  const revalidate = async (session: FoundSession): Promise<boolean> => {
    const sinceCheckMs = session.at.getTime() - session.checkedAt.getTime();
    if (sinceCheckMs < intervalMs) return true;
    if (!session.isUserActive || !session.hasCurrentStamp) {
      tell(await endSession(database, session.id, end('UserChanged')));
      return false;
    }
    if (sinceCheckMs >= Math.max(intervalMs, noteIntervalMs)) {
      noteChecked(database, session.id, session.at).catch((error: unknown) =>
        log.warn({ err: error, sessionId: session.id }, 'the check of a session could not be noted'),
      );
    }
    return true;
  };

  return {
    authenticate: async (token) => {
      const session = await findLiveSession(database.lookups.coalesce, hashOf(token), statementTime(clock));
      return session && (await revalidate(session)) ? toCaller(session) : undefined;
    },
    begin: async (tx, user, start) => {
      const token = randomToken(random);
      const stored = await insertSession(tx, {
        tokenHash: hashOf(token),
        userId: user.id,
        securityStamp: user.securityStamp,
        authMethod: start.authMethod,
        issuer: start.issuer ?? null,
        providerSession: start.providerSession ?? null,
        isPersistent: start.isPersistent,
        lifetimeHours: settings.absoluteLifetimeHours,
        userAgent: start.userAgent?.slice(0, userAgentLengthMax) ?? null,
        clientAddress: start.clientAddress,
        at: statementTime(clock),
        signedInAt: start.signedInAt ?? null,
      });
      return { ...stored, token, isPersistent: start.isPersistent };
    },
    end: async (executor, sessionId, reason) => {
      tell(await endSession(executor, sessionId, end(reason)));
    },
    endByToken: async (executor, token, reason) => {
      const session = await findLiveSession(executor.query, hashOf(token), statementTime(clock));
      if (session) tell(await endSession(executor, session.id, end(reason)));
    },
    endAllOf: async (executor, userId, reason) =>
      tell(await endSessionsOfUser(executor, userId, end(reason))),
    suspendAllOf: suspendSessionsOfUser,
    endOfProvider: async (provider) =>
      tell(await endSessionsOfProvider(database, provider, statementTime(clock))),
    dueTimes: async (sessionId) => {
      const session = await findSessionById(database, sessionId, statementTime(clock));
      return (
        session && {
          checkAt: new Date(session.checkedAt.getTime() + intervalMs),
          expiresAt: session.expiresAt,
        }
      );
    },
    describe: (executor, sessionId) => findSessionById(executor, sessionId, statementTime(clock)),
    listOf: (userId, page) => listLiveSessions(database, { userId, at: statementTime(clock) }, page),
    onEnded: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    sweep: () => deleteSessionsBefore(database, new Date(clock.now().getTime() - keptAfterExpiryMs)),
  };
}

/**
 * Returns the caller of a session. Each request reads the rights again. A disabled or archived user is signed out
 * immediately, and remains signed out after being enabled again. The session itself ends at its next check.
 */
function toCaller(session: FoundSession): Caller {
  if (!session.isUserActive || session.isSuspended) return { ...anonymousCaller, isSuspended: true };
  return {
    kind: 'session',
    userId: session.userId,
    userName: session.userName,
    ...rightsOf(session.roles, session.isSuperAdmin),
    scopes: null,
    allowedProjectIds: null,
    apiKeyId: null,
    sessionId: session.id,
    mustChangePassword: session.mustChangePassword,
  };
}
