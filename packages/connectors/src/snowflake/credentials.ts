import { fingerprintOf, readPrivateKey } from './private-key.ts';
import { accountOf, keptName, type SnowflakeConnection } from './settings.ts';

/** Headers by which a request is signed in. */
export type Credentials = { readonly headers: () => Promise<Readonly<Record<string, string>>> };

/** A token is used for a minute and lives for five: clocks may differ by some. */
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

/** Says who signs in, by which of their public keys, and for how long the word counts. */
async function signToken(connection: SnowflakeConnection): Promise<string> {
  const key = readPrivateKey(connection.privateKey, connection.passphrase);
  // The settings are checked before they come here.
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

/** What no message may repeat. */
export const secretsOf = ({ privateKey, passphrase, accessToken }: SnowflakeConnection): string[] =>
  [privateKey, passphrase, accessToken].filter((secret) => secret !== '');
