import { createPublicKey } from 'node:crypto';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
} from 'jose';
import { unavailable } from '../../platform/http/index.ts';

/** Source of the signature keys, and the allowed algorithms. */
export type SignatureKeys = {
  readonly algorithms: readonly string[];
  readonly find: JWTVerifyGetKey;
};

const publicAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const sharedAlgorithms = ['HS256', 'HS384', 'HS512'];
const byKeyType: Readonly<Record<string, readonly string[]>> = {
  rsa: publicAlgorithms.slice(0, 6),
  ec: ['ES256', 'ES384', 'ES512'],
  ed25519: ['EdDSA', 'Ed25519'],
};

/** Minimum interval between two fetches for an unknown key id, after success or failure. */
const pauseMs = 30_000;
/** Age after which keys are fetched again in the background. The known keys remain valid until the fetch succeeds. */
const refreshMs = 600_000;
const timeoutMs = 5_000;

/**
 * Returns one configured key: a public key as PEM, or a shared secret. Their algorithms never mix.
 *
 * @throws Error for a PEM without a public key of a known kind.
 */
export function fixedKey(text: string): SignatureKeys {
  if (!text.includes('-----BEGIN')) {
    const secret = new TextEncoder().encode(text);
    return { algorithms: sharedAlgorithms, find: async () => secret };
  }
  const key = createPublicKey(text);
  const algorithms = byKeyType[key.asymmetricKeyType ?? ''];
  if (!algorithms) throw new Error('it must be an RSA, EC or Ed25519 key');
  return { algorithms, find: async () => key };
}

/** Returns keys from an address. They are cached while the address is unavailable, and fetched again for an unknown key id. */
export function publishedKeys(url: URL, fetchKeys: FetchImplementation): SignatureKeys {
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let succeededAt = Number.NEGATIVE_INFINITY;

  const fetchInTurn: FetchImplementation = async (address, init) => {
    if (performance.now() - attemptedAt < pauseMs) throw new KeysAway('asked a moment ago');
    attemptedAt = performance.now();
    const response = await fetchKeys(address, init);
    if (response.status === 200) succeededAt = performance.now();
    return response;
  };
  const remote = createRemoteJWKSet(url, {
    timeoutDuration: timeoutMs,
    cooldownDuration: pauseMs,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    [customFetch]: fetchInTurn,
  });
  const refreshBeside = (): void => {
    const now = performance.now();
    if (now - succeededAt < refreshMs || now - attemptedAt < pauseMs) return;
    // The known keys remain in use after a failure. The next request after the pause tries again.
    remote.reload().catch(() => undefined);
  };

  return {
    algorithms: publicAlgorithms,
    find: async (header, token) => {
      const cachedKeys = remote.jwks();
      if (cachedKeys) refreshBeside();
      try {
        return await remote(header, token);
      } catch (error) {
        if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
          throw error;
        if (cachedKeys) throw new errors.JWKSNoMatchingKey();
        throw unavailable(
          'The keys of access tokens cannot be fetched at the moment. Try again in a minute.',
        );
      }
    },
  };
}

class KeysAway extends Error {}
