import net from 'node:net';
import Type from 'typebox';
import type { HttpTarget } from '../http/client.ts';
import { checkHost } from '../network/settings.ts';
import { settingsForm } from '../settings.ts';
import { readPrivateKey } from './private-key.ts';

const name = (title: string, description: string) =>
  Type.String({ title, description, minLength: 1, maxLength: 255 });

const schema = Type.Object(
  {
    host: Type.String({
      title: 'Account host',
      description: 'Such as org-account.snowflakecomputing.com, without https://.',
      minLength: 1,
      maxLength: 253,
    }),
    port: Type.Integer({ title: 'Port', minimum: 1, maximum: 65_535, default: 443 }),
    user: name('User', 'A user of the type SERVICE is best.'),
    signIn: Type.Union([Type.Literal('KeyPair'), Type.Literal('AccessToken')], {
      title: 'Sign-in',
      description: 'By a key pair, or by a programmatic access token.',
      default: 'KeyPair',
    }),
    privateKey: Type.String({
      title: 'Private key',
      description: 'For KeyPair: PEM text of an RSA key (PKCS #8) whose public key the user has.',
      maxLength: 16_384,
      default: '',
    }),
    passphrase: Type.String({
      title: 'Passphrase of the private key',
      description: 'For KeyPair: empty for a key that is not encrypted.',
      maxLength: 1_024,
      default: '',
    }),
    accessToken: Type.String({
      title: 'Access token',
      description: 'For AccessToken: a programmatic access token of the user.',
      maxLength: 8_192,
      default: '',
    }),
    role: name('Role', 'May only read. Names are read in capitals unless they are in double quotes.'),
    warehouse: name('Warehouse', 'Runs the statements.'),
    database: name('Database', 'The one that statements read.'),
    schema: Type.String({
      title: 'Schema',
      description: 'For table names without one.',
      minLength: 1,
      maxLength: 255,
      default: 'PUBLIC',
    }),
    account: Type.Optional(
      Type.String({
        title: 'Account identifier',
        description:
          'For KeyPair, only where it differs from the beginning of the host: ORG-MY_ACCOUNT for org-my-account.',
        minLength: 1,
        maxLength: 255,
        pattern: '^[A-Za-z0-9_-]+$',
      }),
    ),
    caCertificate: Type.Optional(
      Type.String({
        title: 'CA certificate',
        description: 'PEM text, where a proxy in between signs the server’s certificate.',
        maxLength: 65_536,
        pattern: '-----BEGIN CERTIFICATE-----',
      }),
    ),
    // Optional, not false by default: settings that were stored without it remain valid.
    acceptWritingLogin: Type.Optional(
      Type.Boolean({
        title: 'Accept a role that may write',
        description:
          'Uses a role that may do more than read, which is refused otherwise. Snowflake has no read-only sessions: only the role’s grants keep a statement from writing for certain.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Connection to an account of Snowflake, by its SQL API. */
export type SnowflakeConnection = Type.Static<typeof schema>;

/** Returns the target. TLS is always used and verified. */
export const targetOf = ({ host, port, caCertificate }: SnowflakeConnection): HttpTarget => ({
  host,
  port,
  tlsMode: 'VerifyFull',
  caCertificate,
});

/** Returns the name as the account stores it: in capitals, or unchanged from between double quotes. */
export function keptName(text: string): string {
  const quoted = /^"((?:[^"]|"")+)"$/.exec(text)?.[1];
  return quoted === undefined ? text.toUpperCase() : quoted.replaceAll('""', '"');
}

/** Returns the account's identifier in capitals. By default it is the part of the host before the first dot. */
export const accountOf = ({ account, host }: SnowflakeConnection): string =>
  (account ?? host.split('.')[0] ?? '').toUpperCase();

type Problem = { readonly field: keyof SnowflakeConnection; readonly message: string };

export const snowflakeSettings = settingsForm({
  schema,
  secretFields: ['privateKey', 'passphrase', 'accessToken'],
  check: (connection) => hostProblem(connection) ?? nameProblem(connection) ?? signInProblem(connection),
});

function hostProblem({ host }: SnowflakeConnection): Problem | undefined {
  if (net.isIP(host) !== 0 || checkHost({ host }))
    return { field: 'host', message: 'must be a host name, without https://, a path or a port' };
  return undefined;
}

/** Name in the account: letters, digits, `_`, `$`, or any characters within double quotes. */
const accountName = /^(?:[A-Za-z_][\w$]*|"(?:[^"]|"")+")$/;

function nameProblem(connection: SnowflakeConnection): Problem | undefined {
  for (const field of ['role', 'warehouse', 'database', 'schema'] as const)
    if (!accountName.test(connection[field]))
      return { field, message: 'must be a plain name, or one in double quotes' };
  return undefined;
}

/** Returns true for a text that a header accepts. */
const isHeaderText = (text: string): boolean => /^[\x21-\x7e]*$/.test(text);

function signInProblem(connection: SnowflakeConnection): Problem | undefined {
  const { signIn, privateKey, passphrase, accessToken } = connection;
  if (signIn === 'AccessToken') {
    if (accessToken === '') return { field: 'accessToken', message: 'is required' };
    if (!isHeaderText(accessToken))
      return { field: 'accessToken', message: 'must not hold white space or control characters' };
    return undefined;
  }
  if (privateKey === '') return { field: 'privateKey', message: 'is required' };
  return readPrivateKey(privateKey, passphrase) === undefined
    ? { field: 'privateKey', message: 'must be an RSA key in PEM (PKCS #8), and its passphrase must fit' }
    : undefined;
}
