import { createHash } from 'node:crypto';
import type { SingleSignOnRefusal } from '@svc/contract';
import { anonymousCaller } from '../../platform/access/index.ts';
import { statementTime } from '../../platform/clock.ts';
import { type Randomness, randomToken } from '../../platform/crypto/index.ts';
import { unavailable } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type AnswerHeaders, addressKey, type RateLimit } from '../../platform/rate-limit/index.ts';
import { type AdmissionRules, refusalToAdmit } from './admission.ts';
import type { Provider, SignedOn } from './provider.ts';
import { safeReturnTo } from './return-to.ts';
import { type Browser, type CallbackOutcome, createSignIn, type SignInDeps } from './sign-in.ts';
import { insertTransaction, takeTransaction } from './store.ts';

export const transactionSeconds = 600;

export type SingleSignOnDeps = SignInDeps & {
  readonly random: Randomness;
  readonly log: Logger;
  readonly provider: Provider;
  readonly limit: RateLimit;
  readonly admission: AdmissionRules;
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

/** Creates the sign-in at an OpenID provider. */
export function createSingleSignOnService(deps: SingleSignOnDeps): SingleSignOnService {
  const { database, clock, random, log, audit, sessions, provider } = deps;
  const signIn = createSignIn(deps);

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
      const outcome = await signIn(signedOn, safeReturnTo(transaction.returnTo), browser);
      return outcome.ok ? outcome : refuse(outcome.reason, browser, `${iss} ${sub}`);
    },

    frontChannelLogout: async (sid, issuer) => {
      await sessions.endOfProvider({ session: sid, issuer: issuer ?? null });
    },
  };
}
