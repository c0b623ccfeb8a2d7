import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** Responses of the provider, before an attack changes them. */
export type Draft = {
  discovery: Json;
  /** Header and claims of the ID token. */
  header: Json;
  claims: Json;
  /** Signature of the token. */
  signing: { key: KeyObject; kind: 'RS256' | 'HS256' | 'none' };
  /** Changes the JSON text of the claims before it is signed, for texts that `JSON.stringify` never produces. */
  writeClaims: (json: string) => string;
  /** Members of the token endpoint's response in addition to the ID token. */
  token: Json;
  tokenStatus: number;
  /** Text of the ID token, if it replaces the token from the members above. */
  idToken: string | undefined;
  /** Parameters of the redirect back. */
  callback: Json;
  keys: Json[];
  /** Claims of the user-info endpoint. */
  userInfo: Json;
  /** Changes the JSON text of the user info before it is sent. */
  writeUserInfo: (json: string) => string;
};

export type Spoil = (
  draft: Draft,
  provider: { readonly issuer: string; readonly publicPem: string; readonly otherKey: KeyObject },
) => void;

const base64 = (text: string): string => Buffer.from(text).toString('base64url');

/** Encodes and signs the token of a draft. */
function encode({ header, claims, signing, writeClaims }: Draft): string {
  const input = `${base64(JSON.stringify(header))}.${base64(writeClaims(JSON.stringify(claims)))}`;
  if (signing.kind === 'none') return `${input}.`;
  const signature =
    signing.kind === 'HS256'
      ? createHmac('sha256', signing.key.export({ type: 'spki', format: 'pem' }))
          .update(input)
          .digest()
      : sign('sha256', Buffer.from(input), signing.key);
  return `${input}.${signature.toString('base64url')}`;
}

/** Starts a provider that is correct except for the changes of `spoil`. Each request creates new responses. */
export async function startHostileProvider(clientId: string) {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const state = {
    spoil: (() => undefined) as Spoil,
    nonce: '',
    challenge: '',
    sent: '',
    publicKey: pair.publicKey,
  };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const ownKeys = {
    issuer,
    publicPem: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    otherKey: other.privateKey,
  };

  const draft = (): Draft => {
    const now = Math.floor(Date.now() / 1_000);
    const created: Draft = {
      discovery: {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/userinfo`,
        authorization_response_iss_parameter_supported: true,
        id_token_signing_alg_values_supported: ['RS256'],
        subject_types_supported: ['public'],
        response_types_supported: ['code'],
      },
      header: { alg: 'RS256', kid: 'k1', typ: 'JWT' },
      claims: {
        iss: issuer,
        sub: 'victim',
        aud: clientId,
        exp: now + 300,
        iat: now,
        nonce: state.nonce,
        tid: 'tenant-1',
        acct: 0,
        groups: ['group-1'],
        amr: ['pwd', 'mfa'],
        // With these names, the service requests the user-info endpoint only if an attack removes them.
        name: 'Victim',
        email: 'v@example.org',
        preferred_username: 'victim',
      },
      signing: { key: pair.privateKey, kind: 'RS256' },
      writeClaims: (json) => json,
      token: { access_token: 'a', token_type: 'Bearer', expires_in: 60 },
      tokenStatus: 200,
      idToken: undefined,
      callback: { code: 'c', iss: issuer },
      keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }],
      userInfo: {
        sub: 'victim',
        name: 'Victim of user info',
        email: 'v@example.org',
        preferred_username: 'victim',
      },
      writeUserInfo: (json) => json,
    };
    state.spoil(created, ownKeys);
    return created;
  };

  server.on('request', (request, response) => {
    const answer = (status: number, body: unknown, write = (json: string) => json) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(write(JSON.stringify(body)));
    const current = draft();
    const path = new URL(request.url ?? '/', issuer).pathname;
    if (path === '/.well-known/openid-configuration') return answer(200, current.discovery);
    if (path === '/jwks') return answer(200, { keys: current.keys });
    if (path === '/userinfo') return answer(200, current.userInfo, current.writeUserInfo);
    if (path === '/token') {
      state.sent = current.idToken ?? encode(current);
      return answer(current.tokenStatus, { ...current.token, id_token: state.sent });
    }
    return answer(404, {});
  });

  return {
    issuer,
    /** Returns the redirect of the provider. */
    authorize: (location: string, spoil: Spoil): string => {
      const request = new URL(location).searchParams;
      state.spoil = spoil;
      state.nonce = request.get('nonce') ?? '';
      const parameters = { state: request.get('state'), ...draft().callback };
      return `/signin-oidc?${new URLSearchParams(parameters as Record<string, string>)}`;
    },
    /** Returns the last ID token of the token endpoint. */
    sentIdToken: (): string => state.sent,
    spoilFromStart: (spoil: Spoil) => {
      state.spoil = spoil;
    },
    sha256: (text: string) => createHash('sha256').update(text).digest('base64url'),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
