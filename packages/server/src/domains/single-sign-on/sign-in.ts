import type { SingleSignOnRefusal } from '@svc/contract';
import { anonymousCaller } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import { type Database, isUniqueViolation } from '../../platform/db/index.ts';
import type { Audit } from '../audit/index.ts';
import type { BegunSession, SessionsService } from '../sessions/index.ts';
import { noteSignIn } from '../users/index.ts';
import type { SignedOn } from './provider.ts';
import { type ProvisioningRules, refreshFromProvider, userOfIdentity } from './users.ts';

export type SignInDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly sessions: SessionsService;
  readonly provisioning: ProvisioningRules;
};

/** Result of a callback. */
export type CallbackOutcome =
  | { readonly ok: true; readonly session: BegunSession; readonly returnTo: string }
  | { readonly ok: false; readonly reason: SingleSignOnRefusal };

export type Browser = {
  readonly clientAddress: string;
  readonly userAgent: string | undefined;
  readonly traceId: string;
  /** Token of the previous session of the browser. */
  readonly sessionToken: string | undefined;
};

/** Creates the function that starts the session of an identified person, and creates the user at the first sign-in. */
export function createSignIn({ database, clock, audit, sessions, provisioning }: SignInDeps) {
  const signIn = ({ idToken, all }: SignedOn, returnTo: string, browser: Browser): Promise<CallbackOutcome> =>
    database.transaction(async (tx) => {
      const identity = { issuer: idToken.iss, subject: idToken.sub };
      const { user: identified, isNew } = await userOfIdentity(tx, identity, all, provisioning);
      if (!identified.isEnabled || identified.archivedAt !== null) return { ok: false, reason: 'disabled' };
      const { user, granted } = await refreshFromProvider(tx, identified, all, provisioning);
      if (browser.sessionToken !== undefined) await sessions.endByToken(tx, browser.sessionToken, 'Replaced');
      const providerSession = idToken['sid'];
      const session = await sessions.begin(tx, user, {
        authMethod: 'Oidc',
        isPersistent: false,
        clientAddress: browser.clientAddress,
        userAgent: browser.userAgent,
        issuer: idToken.iss,
        ...(typeof providerSession === 'string' && { providerSession }),
      });
      await noteSignIn(tx, user.id, statementTime(clock));
      const event = {
        by: { caller: { ...anonymousCaller, kind: 'session' as const, userId: user.id }, ...browser },
        subject: { kind: 'user', id: user.id },
      };
      if (isNew)
        await audit.record(tx, {
          event: 'users.created',
          ...event,
          detail: { kind: 'External', by: 'Oidc' },
        });
      await audit.record(tx, {
        event: 'auth.sign_in',
        ...event,
        detail: {
          userName: user.userName,
          method: 'Oidc',
          sessionId: session.id,
          grantedByProvider: granted,
        },
      });
      return { ok: true, session, returnTo };
    });

  /**
   * Signs in, and once more after a race. If a person signs in twice for the first time, the second call finds the user
   * of the first.
   */
  return async (signedOn: SignedOn, returnTo: string, browser: Browser): Promise<CallbackOutcome> => {
    try {
      return await signIn(signedOn, returnTo, browser);
    } catch (error) {
      const isRace =
        isUniqueViolation(error, 'users_external') || isUniqueViolation(error, 'users_user_name');
      if (!isRace) throw error;
      return signIn(signedOn, returnTo, browser);
    }
  };
}
