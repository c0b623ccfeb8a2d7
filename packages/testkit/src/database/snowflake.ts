import { generateKeyPairSync } from 'node:crypto';
import {
  type Authority,
  type SnowflakeOptions,
  startSnowflakeServer,
  type TestSnowflake,
} from './snowflake/server.ts';
import { shopAnswer } from './snowflake/shop.ts';

/** Key pair of a user, in PEM format. */
export type TestKeyPair = { readonly privateKey: string; readonly publicKey: string };

export const makeKeyPair = (passphrase?: string): TestKeyPair => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const encryption = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem', ...encryption }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
};

/** Account with a small shop (`snowflake/shop.ts`) and a user who signs in with a key pair. */
export type TestShop = TestSnowflake & { readonly connection: Readonly<Record<string, unknown>> };

export async function startSnowflake(
  authority: Authority,
  options: Pick<SnowflakeOptions, 'host'> = {},
): Promise<TestShop> {
  const { privateKey, publicKey } = makeKeyPair();
  const server = await startSnowflakeServer({
    ...options,
    authority,
    answer: shopAnswer,
    publicKeys: { 'ORG-SHOP.SVC': publicKey },
  });
  return {
    ...server,
    connection: {
      host: server.host,
      caCertificate: server.caCertificate,
      user: 'svc',
      privateKey,
      role: 'reader',
      warehouse: 'work',
      database: 'shop',
    },
  };
}
