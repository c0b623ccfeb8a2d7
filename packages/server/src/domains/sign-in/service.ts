import type { CurrentUser, LoginRequest, Permissions, SignInOptions } from '@svc/contract';
import { permissions } from '@svc/contract';
import {
  anonymousCaller,
  type Caller,
  canRead,
  canWrite,
  holds,
  isAdmin,
} from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { unauthorized } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { AnswerHeaders } from '../../platform/rate-limit/index.ts';
import type { Actor, Audit } from '../audit/index.ts';
import type { PasswordHashing } from '../passwords/index.ts';
import type { AuthMethod, BegunSession, SessionsService } from '../sessions/index.ts';
import {
  findUser,
  findUserByName,
  lockUser,
  noteSignIn,
  renewPasswordHash,
  type StoredUser,
} from '../users/index.ts';
import { presentCurrentUser, presentNobody, type Surroundings } from './current-user.ts';
import type { SignInThrottle } from './throttle.ts';

export type SignInSettings = Surroundings & {
  readonly localLoginEnabled: boolean;
  readonly breakGlassUserNames: readonly string[];
  readonly migrationsEnabled: boolean;
  /** Label of the single sign-on button; undefined: not offered. */
  readonly ssoDisplayName: string | undefined;
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

export type SignInService = {
  /** Throws 401 with one fixed text for every cause, 429 when throttled. */
  readonly signIn: (
    request: LoginRequest,
    browser: Browser,
    answer: AnswerHeaders,
  ) => Promise<{ session: BegunSession; user: CurrentUser }>;
  readonly signOut: (actor: Actor, options: { everywhere: boolean }) => Promise<void>;
  readonly currentUser: (caller: Caller) => Promise<CurrentUser>;
  readonly signInOptions: () => SignInOptions;
  readonly permissionsOf: (caller: Caller) => Permissions;
};

const eventIds = { breakGlassSignIn: 7119 } as const;

/** Returns the external user that the host confirms. */
export type ExternalUser = (
  credentials: { username: string; password: string },
  signal: AbortSignal,
) => Promise<StoredUser | undefined>;

const refused = () => unauthorized('User name and password do not match.', 'sign-in-failed');

export function createSignInService(deps: {
  database: Database;
  clock: Clock;
  log: Logger;
  audit: Audit;
  sessions: SessionsService;
  hashing: PasswordHashing;
  throttle: SignInThrottle;
  /** Checks credentials at the host that match no local user. Returns undefined when the host refuses them. */
  externalUser: ExternalUser | undefined;
  settings: SignInSettings;
}): SignInService {
  const { database, clock, log, audit, sessions, hashing, throttle, settings } = deps;

  /** Returns the method that the user's password counts as; undefined when it does not count. */
  const methodFor = (user: StoredUser, typedName: string): AuthMethod | undefined => {
    if (user.kind !== 'Internal' || !user.isEnabled || user.archivedAt !== null) return undefined;
    if (settings.localLoginEnabled) return 'Password';
    const isNamed = settings.breakGlassUserNames.includes(user.userName) && typedName === user.userName;
    return isNamed ? 'BreakGlass' : undefined;
  };

  const mayUse = (user: StoredUser, method: AuthMethod, typedName: string): boolean =>
    method === 'ExternalLogin'
      ? user.kind === 'External' && user.isEnabled && user.archivedAt === null
      : methodFor(user, typedName) === method;

  /** Returns the user of the credentials, and the method. */
  const identify = async (
    request: LoginRequest,
    user: StoredUser | undefined,
    signal: AbortSignal,
  ): Promise<{ userId: number; method: AuthMethod } | undefined> => {
    const method = user && methodFor(user, request.username);
    // Without a user the same work is done, so that the response time reveals nothing.
    const isRight = await hashing.verify(request.password, method ? user.passwordHash : null);
    if (method) return isRight ? { userId: user.id, method } : undefined;
    if (!settings.localLoginEnabled || !deps.externalUser || user?.kind === 'Internal') return undefined;
    const external = await deps.externalUser(request, signal);
    return external && { userId: external.id, method: 'ExternalLogin' };
  };

  const recordFailure = async (user: StoredUser | undefined, browser: Browser): Promise<void> => {
    await audit.record(database, {
      event: 'auth.sign_in_failed',
      by: { caller: anonymousCaller, ...browser },
      // An unknown name may be a password in the wrong field, so it is not stored.
      ...(user && { subject: { kind: 'user', id: user.id }, detail: { userName: user.userName } }),
    });
  };

  const begin = (userId: number, method: AuthMethod, request: LoginRequest, browser: Browser) =>
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

  /** Replaces a hash with outdated parameters while the password is available. */
  const renewHash = async (userId: number, old: string, password: string): Promise<void> =>
    renewPasswordHash(database, userId, { old, new: await hashing.hash(password) });

  return {
    signIn: async (request, browser, answer) => {
      await throttle.admit(browser.clientAddress, answer);
      await throttle.slowDown(request.username, browser.signal);
      const user = await findUserByName(database, request.username);
      const identified = await identify(request, user, browser.signal);
      const begun = identified && (await begin(identified.userId, identified.method, request, browser));
      if (!begun) {
        await throttle.noteFailure(request.username);
        await recordFailure(user, browser);
        throw refused();
      }
      await throttle.noteSuccess(request.username);
      if (identified.method === 'BreakGlass') {
        log.warn(
          {
            eventId: eventIds.breakGlassSignIn,
            event: 'BreakGlassSignIn',
            userId: begun.user.id,
            userName: begun.user.userName,
          },
          'BreakGlassSignIn: a break-glass account signed in with its password',
        );
      }
      if (begun.outdatedHash !== undefined)
        await renewHash(begun.user.id, begun.outdatedHash, request.password);
      return {
        session: begun.session,
        user: presentCurrentUser(begun.user, begun.session.expiresAt, settings),
      };
    },
    signOut: async (actor, { everywhere }) => {
      const caller = actor.caller;
      if (caller?.kind !== 'session' || caller.userId === null || caller.sessionId === null) return;
      const { userId, sessionId } = caller;
      await database.transaction(async (tx) => {
        if (everywhere) await sessions.endAllOf(tx, userId, 'SignedOutEverywhere');
        else await sessions.end(tx, sessionId, 'SignedOut');
        await audit.record(tx, {
          event: everywhere ? 'auth.signed_out_everywhere' : 'auth.sign_out',
          by: actor,
          subject: { kind: 'user', id: userId },
        });
      });
    },
    currentUser: async (caller) => {
      if (caller.kind === 'anonymous') return presentNobody(settings);
      const user = caller.userId === null ? undefined : await findUser(database, caller.userId);
      if (!user) {
        return {
          ...presentNobody(settings),
          isAuthenticated: true,
          userName: caller.userName,
          roles: [...(caller.role === null ? [] : [caller.role]), ...caller.permissions],
        };
      }
      const due = caller.sessionId === null ? undefined : await sessions.dueTimes(caller.sessionId);
      return presentCurrentUser(user, due?.expiresAt, settings);
    },
    signInOptions: () => ({
      enabled: settings.ssoDisplayName !== undefined,
      displayName: settings.ssoDisplayName ?? null,
      localLoginEnabled: settings.localLoginEnabled,
      breakGlassEnabled: !settings.localLoginEnabled && settings.breakGlassUserNames.length > 0,
      externalLogin: settings.externalLoginUrl === undefined ? null : { loginUrl: settings.externalLoginUrl },
    }),
    permissionsOf: (caller) => ({
      canRead: canRead(caller),
      canWrite: canWrite(caller),
      isAdmin: isAdmin(caller),
      permissions: permissions.filter((permission) => holds(caller, permission)).toSorted(),
      migrationsEnabled: settings.migrationsEnabled,
    }),
  };
}
