import {
  askTokenEndpoint,
  type BearerSettings,
  type BearerTokens,
  createBearerTokens,
  createTokenVerifier,
  signatureKeys,
} from '../../domains/bearer-tokens/index.ts';
import type { ExternalUser } from '../../domains/sign-in/index.ts';
import { HttpProblem, unavailable } from '../../platform/http/index.ts';
import { identityProviderPolicy } from '../../platform/outbound/index.ts';
import type { Infrastructure } from '../infrastructure.ts';

const externalLoginTimeoutMs = 10_000;

/** Access tokens, and the host's optional password check. */
export type AccessTokens = {
  readonly tokens: BearerTokens;
  readonly externalUser: ExternalUser | undefined;
};

/** Composes access-token authentication; undefined while it is off. */
export function composeBearerTokens(infra: Infrastructure): AccessTokens | undefined {
  const { bearer } = infra.settings;
  if (!bearer) return undefined;
  const policy = identityProviderPolicy();
  // The library has its own types for the arguments and result of fetch. They are compatible with undici's at run
  // time.
  const keys = signatureKeys(bearer, infra.outbound.fetchUnder(policy) as never);
  const tokens = createBearerTokens({
    ...infra,
    verify: createTokenVerifier(bearer, keys),
  });
  return { tokens, externalUser: externalUserOf(infra, bearer, tokens) };
}

function externalUserOf(
  { outbound, log }: Infrastructure,
  { externalLoginEndpoint }: BearerSettings,
  tokens: BearerTokens,
): ExternalUser | undefined {
  if (externalLoginEndpoint === undefined) return undefined;
  const policy = identityProviderPolicy();
  const fetchFromHost = outbound.fetchUnder(policy, { totalTimeoutMs: externalLoginTimeoutMs });
  const ask = askTokenEndpoint(externalLoginEndpoint, fetchFromHost);
  return async ({ username, password }, signal) => {
    try {
      const token = await ask({ username, password }, signal);
      return token === undefined ? undefined : await tokens.userOf(token);
    } catch (error) {
      if (error instanceof HttpProblem && error.status === 401) return undefined;
      log.error(
        { failure: error instanceof Error ? error.message : 'unknown' },
        'the external login endpoint failed',
      );
      throw unavailable(
        'Sign-in with this account is not possible at the moment. Try again in a few minutes.',
      );
    }
  };
}
