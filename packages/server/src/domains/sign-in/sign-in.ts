import type { CurrentUser, LoginRequest } from '@svc/contract';
import { anonymousCaller } from '../../platform/access/index.ts';
import { unauthorized } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { AnswerHeaders } from '../../platform/rate-limit/index.ts';
import type { BegunSession } from '../sessions/index.ts';
import { findUserByName, renewPasswordHash, type StoredUser } from '../users/index.ts';
import { type BeginSessionDeps, type Browser, createBeginSession } from './begin-session.ts';
import { presentCurrentUser, type Surroundings } from './current-user.ts';
import { createIdentify, type IdentifyDeps } from './identify.ts';
import type { SignInThrottle } from './throttle.ts';

export type SignInDeps = BeginSessionDeps &
  IdentifyDeps & {
    readonly log: Logger;
    readonly throttle: SignInThrottle;
    readonly settings: Surroundings;
  };

const eventIds = { breakGlassSignIn: 7119 } as const;

const refused = () => unauthorized('User name and password do not match.', 'sign-in-failed');

/** Creates the sign-in with a password. It throws 401 with one fixed text for every cause, 429 when throttled. */
export function createSignIn(deps: SignInDeps) {
  const { database, log, audit, hashing, throttle, settings } = deps;
  const { identify, mayUse } = createIdentify(deps);
  const beginSession = createBeginSession(deps, mayUse);

  const recordFailure = async (user: StoredUser | undefined, browser: Browser): Promise<void> => {
    await audit.record(database, {
      event: 'auth.sign_in_failed',
      by: { caller: anonymousCaller, ...browser },
      // An unknown name may be a password in the wrong field, so it is not stored.
      ...(user && { subject: { kind: 'user', id: user.id }, detail: { userName: user.userName } }),
    });
  };

  const warnOfBreakGlass = ({ id, userName }: StoredUser): void =>
    log.warn(
      { eventId: eventIds.breakGlassSignIn, event: 'BreakGlassSignIn', userId: id, userName },
      'BreakGlassSignIn: a break-glass account signed in with its password',
    );

  /** Replaces a hash with outdated parameters while the password is available. */
  const renewHash = async (userId: number, old: string, password: string): Promise<void> =>
    renewPasswordHash(database, userId, { old, new: await hashing.hash(password) });

  return async (
    request: LoginRequest,
    browser: Browser,
    answer: AnswerHeaders,
  ): Promise<{ session: BegunSession; user: CurrentUser }> => {
    await throttle.admit(browser.clientAddress, answer);
    await throttle.slowDown(request.username, browser.signal);
    const namedUser = await findUserByName(database, request.username);
    const identity = await identify(request, namedUser, browser.signal);
    const begun = identity && (await beginSession(identity, request, browser));
    if (!begun) {
      await throttle.noteFailure(request.username);
      await recordFailure(namedUser, browser);
      throw refused();
    }
    await throttle.noteSuccess(request.username);
    const { user, session, outdatedHash } = begun;
    if (identity.method === 'BreakGlass') warnOfBreakGlass(user);
    if (outdatedHash !== undefined) await renewHash(user.id, outdatedHash, request.password);
    return { session, user: presentCurrentUser(user, session.expiresAt, settings) };
  };
}
