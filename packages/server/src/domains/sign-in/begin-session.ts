import type { LoginRequest } from '@svc/contract';
import { anonymousCaller } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Audit } from '../audit/index.ts';
import type { PasswordHashing } from '../passwords/index.ts';
import type { AuthMethod, BegunSession, SessionsService } from '../sessions/index.ts';
import { lockUser, noteSignIn, type StoredUser } from '../users/index.ts';

export type BeginSessionDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly sessions: SessionsService;
  readonly hashing: PasswordHashing;
};

/** Properties of the browser that signs in. */
export type Browser = {
  readonly clientAddress: string;
  readonly userAgent: string | undefined;
  readonly traceId: string;
  readonly signal: AbortSignal;
  /** Token of the previous session of the browser. */
  readonly sessionToken: string | undefined;
};

/** Started session. `outdatedHash`: hash of the password with outdated parameters. */
type Begun = {
  readonly user: StoredUser;
  readonly session: BegunSession;
  readonly outdatedHash: string | undefined;
};

/**
 * Creates the function that starts the session of an identified user. It returns undefined for a user who may no longer
 * sign in by this method.
 */
export const createBeginSession =
  (
    { database, clock, audit, sessions, hashing }: BeginSessionDeps,
    mayUse: (user: StoredUser, method: AuthMethod, typedName: string) => boolean,
  ) =>
  (
    { userId, method }: { readonly userId: number; readonly method: AuthMethod },
    request: LoginRequest,
    browser: Browser,
  ): Promise<Begun | undefined> =>
    database.transaction(async (tx) => {
      const user = await lockUser(tx, userId);
      // A user who was disabled during the check of the password must not sign in.
      if (!user || !mayUse(user, method, request.username)) return undefined;
      const { passwordHash } = user;
      const outdatedHash =
        passwordHash !== null && hashing.isOutdated(passwordHash) ? passwordHash : undefined;
      if (browser.sessionToken !== undefined) await sessions.endByToken(tx, browser.sessionToken, 'Replaced');
      const session = await sessions.begin(tx, user, {
        authMethod: method,
        isPersistent: request.rememberMe ?? false,
        clientAddress: browser.clientAddress,
        userAgent: browser.userAgent,
      });
      await noteSignIn(tx, user.id, statementTime(clock));
      await audit.record(tx, {
        event: method === 'BreakGlass' ? 'auth.break_glass_sign_in' : 'auth.sign_in',
        by: { caller: { ...anonymousCaller, kind: 'session', userId: user.id }, ...browser },
        subject: { kind: 'user', id: user.id },
        detail: { userName: user.userName, method, sessionId: session.id },
      });
      return { user, session, outdatedHash };
    });
