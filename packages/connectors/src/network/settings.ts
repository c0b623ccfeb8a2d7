import net from 'node:net';
import Type from 'typebox';

/**
 * Protection of a network connection. `Disable`: none. `Require`: encrypted, without a check of the server's
 * identity. `VerifyCa`: the certificate is verified, but not its name. `VerifyFull`: both are verified.
 */
export const tlsModeSchema = Type.Union(
  [Type.Literal('Disable'), Type.Literal('Require'), Type.Literal('VerifyCa'), Type.Literal('VerifyFull')],
  {
    default: 'VerifyFull',
    title: 'TLS',
    description: 'How the connection is encrypted and the server checked.',
  },
);

export type TlsMode = Type.Static<typeof tlsModeSchema>;

/** Fields of every engine behind a network port. */
export const networkFields = (defaultPort: number) => ({
  host: Type.String({ title: 'Host', minLength: 1, maxLength: 253 }),
  port: Type.Integer({ title: 'Port', minimum: 1, maximum: 65_535, default: defaultPort }),
  database: Type.String({ title: 'Database', minLength: 1, maxLength: 128 }),
  user: Type.String({ title: 'User', minLength: 1, maxLength: 128 }),
  password: Type.String({ title: 'Password', maxLength: 4_096, default: '' }),
  tlsMode: tlsModeSchema,
  caCertificate: Type.Optional(
    Type.String({
      title: 'CA certificate',
      description: 'PEM text of the authority that signed the server’s certificate.',
      maxLength: 65_536,
      pattern: '-----BEGIN CERTIFICATE-----',
    }),
  ),
});

/** Refuses hosts that contain a path (a Unix socket), user info, a port or white space. */
export function checkHost(connection: {
  readonly host: string;
}): { field: string; message: string } | undefined {
  if (net.isIP(connection.host) !== 0) return undefined;
  if (/^[^\s/\\@:?#%[\]]+$/.test(connection.host)) return undefined;
  return { field: 'host', message: 'must be a host name or an IP address, without a path, port or user' };
}
