import * as oidc from 'openid-client';
import type { Claims } from './admission.ts';
import { assertSoundIdToken, assertSoundText, assertStrictToken, assertStrictUserInfo } from './id-token.ts';

export type ProviderSettings = {
  readonly authority: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
};

/** Secrets of one started sign-in. */
export type Challenge = { readonly state: string; readonly nonce: string; readonly codeVerifier: string };

export type SignedOn = {
  /** Claims of the ID token: verified signature, issuer, audience, nonce, subject, issue time and lifetime. */
  readonly idToken: Claims & { readonly iss: string; readonly sub: string };
  /** The same, completed by the user-info endpoint if the ID token does not name the user. */
  readonly all: Claims;
};

export type Provider = {
  readonly begin: (redirectUri: string) => Promise<{ url: URL; challenge: Challenge }>;
  /** Exchanges the code of a callback. Throws when any part of the response is invalid. */
  readonly finish: (callback: URL, challenge: Challenge) => Promise<SignedOn>;
};

const keptMs = 3_600_000;
const timeoutSeconds = 15;
const namingClaims = ['preferred_username', 'email', 'name'];

/** Checks the text of user info before the library parses it. */
const strictUserInfo =
  (fetchFromProvider: oidc.CustomFetch, endpoint: string | undefined): oidc.CustomFetch =>
  async (url, options) => {
    const answer = await fetchFromProvider(url, options);
    if (endpoint === undefined || new URL(url).href !== new URL(endpoint).href || answer.status !== 200)
      return answer;
    const { status, headers } = answer;
    const body = new Uint8Array(await answer.arrayBuffer());
    assertStrictUserInfo(body, headers.get('content-type')?.includes('jwt') ?? false);
    return new Response(body, { status, headers });
  };

/** Creates the client of the identity provider. Discovery happens at first use. Tokens are not stored. */
export function createProvider(settings: ProviderSettings, fetchFromProvider: oidc.CustomFetch): Provider {
  let cached: { at: number; configuration: Promise<oidc.Configuration> } | undefined;

  const discover = async (): Promise<oidc.Configuration> => {
    const server = new URL(settings.authority);
    const isUnencrypted = server.protocol === 'http:';
    const discovered = await oidc.discovery(server, settings.clientId, settings.clientSecret, undefined, {
      [oidc.customFetch]: fetchFromProvider,
      timeout: timeoutSeconds,
      ...(isUnencrypted && { execute: [oidc.allowInsecureRequests] }),
    });
    const methods = discovered.serverMetadata().token_endpoint_auth_methods_supported ?? [
      'client_secret_basic',
    ];
    const authenticate = methods.includes('client_secret_basic')
      ? oidc.ClientSecretBasic
      : oidc.ClientSecretPost;
    const configuration = new oidc.Configuration(
      discovered.serverMetadata(),
      settings.clientId,
      undefined,
      authenticate(settings.clientSecret),
    );
    configuration[oidc.customFetch] = strictUserInfo(
      fetchFromProvider,
      discovered.serverMetadata().userinfo_endpoint,
    );
    configuration.timeout = timeoutSeconds;
    // The signature of the ID token is checked too, although the provider sends it directly.
    oidc.enableNonRepudiationChecks(configuration);
    if (isUnencrypted) oidc.allowInsecureRequests(configuration);
    return configuration;
  };
  /** Returns the configuration, which is cached for an hour. A failure is not cached. */
  const configuration = (): Promise<oidc.Configuration> => {
    if (cached && performance.now() - cached.at < keptMs) return cached.configuration;
    const fresh = { at: performance.now(), configuration: discover() };
    cached = fresh;
    fresh.configuration.catch(() => {
      if (cached === fresh) cached = undefined;
    });
    return fresh.configuration;
  };

  return {
    begin: async (redirectUri) => {
      const challenge = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: settings.scopes.join(' '),
        state: challenge.state,
        nonce: challenge.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(challenge.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url, challenge };
    },
    finish: async (callback, challenge) => {
      const current = await configuration();
      const tokens = await oidc.authorizationCodeGrant(current, callback, {
        expectedState: challenge.state,
        expectedNonce: challenge.nonce,
        pkceCodeVerifier: challenge.codeVerifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (!idToken) throw new Error('The identity provider sent no ID token.');
      assertStrictToken(tokens.id_token);
      assertSoundIdToken(idToken, Math.floor(Date.now() / 1_000));
      const isNamed = namingClaims.every((claim) => idToken[claim] !== undefined);
      const hasUserInfo = current.serverMetadata().userinfo_endpoint !== undefined;
      if (isNamed || !hasUserInfo) return { idToken, all: idToken };
      const more = await oidc.fetchUserInfo(current, tokens.access_token, idToken.sub);
      assertSoundText(more);
      return { idToken, all: { ...more, ...idToken } };
    },
  };
}
