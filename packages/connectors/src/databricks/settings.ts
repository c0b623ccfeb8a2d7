import net from 'node:net';
import Type from 'typebox';
import type { HttpTarget } from '../http/client.ts';
import { checkHost } from '../network/settings.ts';
import { settingsForm } from '../settings.ts';

const schema = Type.Object(
  {
    host: Type.String({
      title: 'Workspace host',
      description: 'Such as dbc-a1b2345c-d6e7.cloud.databricks.com, without https://.',
      minLength: 1,
      maxLength: 253,
    }),
    port: Type.Integer({ title: 'Port', minimum: 1, maximum: 65_535, default: 443 }),
    warehouseId: Type.String({
      title: 'SQL warehouse',
      description: 'Its ID, as its connection details have it at the end of the HTTP path.',
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z0-9]+$',
    }),
    signIn: Type.Union([Type.Literal('ServicePrincipal'), Type.Literal('AccessToken')], {
      title: 'Sign-in',
      description: 'By a service principal (OAuth), or by a personal access token.',
      default: 'ServicePrincipal',
    }),
    clientId: Type.String({
      title: 'Client ID',
      description: 'For ServicePrincipal: its application ID.',
      maxLength: 255,
      default: '',
    }),
    clientSecret: Type.String({
      title: 'Client secret',
      description: 'For ServicePrincipal: an OAuth secret of it.',
      maxLength: 1_024,
      default: '',
    }),
    accessToken: Type.String({
      title: 'Access token',
      description: 'For AccessToken: a personal access token.',
      maxLength: 8_192,
      default: '',
    }),
    catalog: Type.String({
      title: 'Catalog',
      description: 'Of Unity Catalog: the one that statements read.',
      minLength: 1,
      maxLength: 255,
    }),
    schema: Type.String({
      title: 'Schema',
      description: 'For table names without one.',
      minLength: 1,
      maxLength: 255,
      default: 'default',
    }),
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
        title: 'Accept a login that may write',
        description:
          'Uses a login that may do more than read, which is refused otherwise. Databricks has no read-only sessions: only the login’s privileges keep a statement from writing for certain.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Connection to a SQL warehouse of Databricks, by its Statement Execution API. */
export type DatabricksConnection = Type.Static<typeof schema>;

/** Returns the target. TLS is always used and verified. */
export const targetOf = ({ host, port, caCertificate }: DatabricksConnection): HttpTarget => ({
  host,
  port,
  tlsMode: 'VerifyFull',
  caCertificate,
});

type Problem = { readonly field: keyof DatabricksConnection; readonly message: string };

export const databricksSettings = settingsForm({
  schema,
  secretFields: ['clientSecret', 'accessToken'],
  check: (connection) => hostProblem(connection) ?? nameProblem(connection) ?? signInProblem(connection),
});

function hostProblem({ host }: DatabricksConnection): Problem | undefined {
  if (net.isIP(host) !== 0 || checkHost({ host }))
    return { field: 'host', message: 'must be a host name, without https://, a path or a port' };
  return undefined;
}

/** Characters that no name of Unity Catalog contains: points, white space, slashes, control characters. */
const noName = /[.\s/`\p{Cc}]/u;
/** Catalogs from before Unity Catalog. They list neither their tables nor the privileges of a login. */
const legacyCatalogs = new Set(['hive_metastore', 'spark_catalog']);

function nameProblem(connection: DatabricksConnection): Problem | undefined {
  for (const field of ['catalog', 'schema'] as const)
    if (noName.test(connection[field]))
      return { field, message: 'must be one name, without points, white space, slashes or quotes' };
  if (legacyCatalogs.has(connection.catalog.toLowerCase()))
    return { field: 'catalog', message: 'must be a catalog of Unity Catalog' };
  return undefined;
}

/** Characters that a header accepts. */
const headerText = /^[\x21-\x7e]+$/;
const noHeaderText = 'must not hold white space or control characters';

function signInProblem(connection: DatabricksConnection): Problem | undefined {
  const fields =
    connection.signIn === 'AccessToken'
      ? (['accessToken'] as const)
      : (['clientId', 'clientSecret'] as const);
  for (const field of fields) {
    if (connection[field] === '') return { field, message: 'is required' };
    if (!headerText.test(connection[field])) return { field, message: noHeaderText };
  }
  // The text before the first colon is the client (RFC 7617).
  return connection.signIn === 'ServicePrincipal' && connection.clientId.includes(':')
    ? { field: 'clientId', message: 'must not hold a colon' }
    : undefined;
}
