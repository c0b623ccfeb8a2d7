import { exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { publishedKeys } from './keys.ts';

let published: JWK[] = [];
let fetches = 0;
const fetchKeys = async () => {
  fetches += 1;
  return Response.json({ keys: published });
};

beforeEach(() => {
  fetches = 0;
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});
afterEach(() => void vi.useRealTimers());

async function makeKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' };
  const sign = () =>
    new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid }).setExpirationTime('365d').sign(privateKey);
  return { jwk, sign };
}

test('a key that the provider adds is accepted within one minute, and a removed key is refused after ten minutes', async () => {
  const [old, next] = [await makeKey('old'), await makeKey('next')];
  const keys = publishedKeys(new URL('https://idp.example.com/jwks'), fetchKeys);
  const isAccepted = async (key: { sign: () => Promise<string> }) =>
    jwtVerify(await key.sign(), keys.find, { algorithms: ['RS256'] }).then(
      () => true,
      () => false,
    );
  published = [old.jwk];
  expect([await isAccepted(old), await isAccepted(next)]).toEqual([true, false]);

  published = [old.jwk, next.jwk];
  let acceptedAfterSeconds = 0;
  while (!(await isAccepted(next)) && acceptedAfterSeconds < 120) {
    vi.advanceTimersByTime(1_000);
    acceptedAfterSeconds += 1;
    // The old key remains valid during the rotation.
    expect(await isAccepted(old)).toBe(true);
  }
  expect(acceptedAfterSeconds).toBeLessThanOrEqual(60);
  expect(fetches).toBeLessThanOrEqual(3);

  published = [next.jwk];
  vi.advanceTimersByTime(601_000);
  await isAccepted(next);
  await vi.waitFor(async () => expect(await isAccepted(old)).toBe(false));
  expect(await isAccepted(next)).toBe(true);
});

test('a flood of unknown key ids causes at most one fetch in 30 seconds', async () => {
  const [publishedKey, ...strangers] = await Promise.all(['known', 'a', 'b', 'c'].map(makeKey));
  published = publishedKey ? [publishedKey.jwk] : [];
  const keys = publishedKeys(new URL('https://idp.example.com/jwks'), fetchKeys);
  for (let second = 0; second < 300; second += 1) {
    for (const stranger of strangers)
      await expect(jwtVerify(await stranger.sign(), keys.find)).rejects.toThrow();
    vi.advanceTimersByTime(1_000);
  }
  expect(fetches).toBeLessThanOrEqual(11);
});
