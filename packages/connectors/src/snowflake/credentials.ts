import { fingerprintOf, readPrivateKey } from './private-key.ts';
import { accountOf, keptName, type SnowflakeConnection } from './settings.ts';

/** Headers that authenticate a request. */
export type Credentials = { readonly headers: () => Promise<Readonly<Record<string, string>>> };

/** A token is used for one minute and valid for five, because clocks may differ. */
const renewedAfterMs = 60_000;
const lifetimeSeconds = 300;

const headersOf = (type: 'KEYPAIR_JWT' | 'PROGRAMMATIC_ACCESS_TOKEN', token: string) => ({
  authorization: `Bearer ${token}`,
  'x-snowflake-authorization-token-type': type,
});

export function credentialsOf(connection: SnowflakeConnection): Credentials {
  if (connection.signIn === 'AccessToken') {
    const headers = headersOf('PROGRAMMATIC_ACCESS_TOKEN', connection.accessToken);
    return { headers: async () => headers };
  }
  let token: { readonly text: Promise<string>; readonly madeAt: number } | undefined;
  return {
    headers: async () => {
      if (!token || performance.now() - token.madeAt > renewedAfterMs)
        token = { text: signToken(connection), madeAt: performance.now() };
      return headersOf('KEYPAIR_JWT', await token.text);
    },
  };
}

/** Signs a token with the user, the fingerprint of the public key, and the lifetime. */
async function signToken(connection: SnowflakeConnection): Promise<string> {
  const key = readPrivateKey(connection.privateKey, connection.passphrase);
  // The settings were validated before.
  if (!key) throw new TypeError('The private key cannot be read.');
  const { SignJWT } = await import('jose');
  const subject = `${accountOf(connection)}.${keptName(connection.user)}`;
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(`${subject}.${fingerprintOf(key)}`)
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeSeconds)
    .sign(key);
}

/** Returns texts that no message may repeat. */
export const secretsOf = ({ privateKey, passphrase, accessToken }: SnowflakeConnection): string[] =>
  [privateKey, passphrase, accessToken].filter((secret) => secret !== '');
