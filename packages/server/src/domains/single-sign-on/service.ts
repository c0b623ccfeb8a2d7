import { createHash } from 'node:crypto';
import type { SingleSignOnRefusal } from '@svc/contract';
import { anonymousCaller } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import { type Randomness, randomToken } from '../../platform/crypto/index.ts';
import { type Database, isUniqueViolation } from '../../platform/db/index.ts';
import { unavailable } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type AnswerHeaders, addressKey, type RateLimit } from '../../platform/rate-limit/index.ts';
import type { Audit } from '../audit/index.ts';
import type { BegunSession, SessionsService } from '../sessions/index.ts';
import { noteSignIn } from '../users/index.ts';
import { type AdmissionRules, refusalToAdmit } from './admission.ts';
import type { Provider, SignedOn } from './provider.ts';
import { safeReturnTo } from './return-to.ts';
import { insertTransaction, takeTransaction } from './store.ts';
import { type ProvisioningRules, refreshFromProvider, userOfIdentity } from './users.ts';

export const transactionSeconds = 600;

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

export type SingleSignOnService = {
  /** Starts a sign-in. Returns the address for the browser, and the token for its transaction cookie. */
  readonly challenge: (
    redirectUri: string,
    returnTo: string | undefined,
    clientAddress: string,
    answer: AnswerHeaders,
  ) => Promise<{ url: string; token: string }>;
  /** Finishes a sign-in. Each fault becomes a reason. No content of the provider's response is returned. */
  readonly callback: (url: URL, token: string | undefined, browser: Browser) => Promise<CallbackOutcome>;
  /** Ends the sessions that the provider identifies by this id. Ignores unknown ids. */
  readonly frontChannelLogout: (sid: string, issuer: string | undefined) => Promise<void>;
};

/**
 * Returns the parts of a failure that may be logged. The cause of a library error contains whole responses with tokens.
 */
function describeFailure(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { failure: 'unknown' };
  const { code, cause } = error as Error & { code?: unknown };
  return {
    failure: error.message,
    code: typeof code === 'string' ? code : undefined,
    reason: cause instanceof Error ? cause.message : undefined,
  };
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export function createSingleSignOnService(deps: {
  database: Database;
  clock: Clock;
  random: Randomness;
  log: Logger;
  audit: Audit;
  sessions: SessionsService;
  provider: Provider;
  limit: RateLimit;
  admission: AdmissionRules;
  provisioning: ProvisioningRules;
}): SingleSignOnService {
  const { database, clock, random, log, audit, sessions, provider } = deps;

  const refuse = async (
    reason: SingleSignOnRefusal,
    browser: Browser,
    subject?: string,
  ): Promise<CallbackOutcome> => {
    await audit.record(database, {
      event: 'auth.sign_in_failed',
      by: { caller: anonymousCaller, ...browser },
      detail: { method: 'Oidc', reason, ...(subject !== undefined && { subject }) },
    });
    return { ok: false, reason };
  };

  const signIn = ({ idToken, all }: SignedOn, returnTo: string, browser: Browser): Promise<CallbackOutcome> =>
    database.transaction(async (tx) => {
      const identity = { issuer: idToken.iss, subject: idToken.sub };
      const { user: identified, isNew } = await userOfIdentity(tx, identity, all, deps.provisioning);
      if (!identified.isEnabled || identified.archivedAt !== null) return { ok: false, reason: 'disabled' };
      const { user, granted } = await refreshFromProvider(tx, identified, all, deps.provisioning);
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
  const signInOnceMore = async (signedOn: SignedOn, returnTo: string, browser: Browser) => {
    try {
      return await signIn(signedOn, returnTo, browser);
    } catch (error) {
      const isRace =
        isUniqueViolation(error, 'users_external') || isUniqueViolation(error, 'users_user_name');
      if (!isRace) throw error;
      return signIn(signedOn, returnTo, browser);
    }
  };

  return {
    challenge: async (redirectUri, returnTo, clientAddress, answer) => {
      await deps.limit.consume(addressKey(clientAddress), answer);
      const begun = await provider.begin(redirectUri).catch((error: unknown) => {
        log.error(describeFailure(error), 'the identity provider cannot be used');
        throw unavailable('The identity provider does not answer at the moment. Try again in a few minutes.');
      });
      const token = randomToken(random);
      await insertTransaction(
        database,
        hashOf(token),
        { ...begun.challenge, returnTo: safeReturnTo(returnTo) },
        { seconds: transactionSeconds, at: statementTime(clock) },
      );
      return { url: begun.url.href, token };
    },
    callback: async (url, token, browser) => {
      const transaction =
        token === undefined
          ? undefined
          : await takeTransaction(database, hashOf(token), statementTime(clock));
      if (!transaction) return refuse('expired', browser);
      let signedOn: SignedOn;
      try {
        signedOn = await provider.finish(url, transaction);
      } catch (error) {
        log.warn(describeFailure(error), 'a sign-in at the identity provider was refused');
        return refuse('provider', browser);
      }
      const { iss, sub } = signedOn.idToken;
      const refusal = refusalToAdmit(deps.admission, signedOn.idToken, signedOn.all);
      if (refusal) return refuse(refusal, browser, `${iss} ${sub}`);
      const outcome = await signInOnceMore(signedOn, safeReturnTo(transaction.returnTo), browser);
      return outcome.ok ? outcome : refuse(outcome.reason, browser, `${iss} ${sub}`);
    },
    frontChannelLogout: async (sid, issuer) => {
      await sessions.endOfProvider({ session: sid, issuer: issuer ?? null });
    },
  };
}
