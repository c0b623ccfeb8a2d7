import net from 'node:net';
import Type from 'typebox';
import type { HttpTarget } from '../http/client.ts';
import { settingsForm } from '../settings.ts';
import { parseOpenApi } from './openapi.ts';

const endpointsMax = 500;
const documentLengthMax = 500_000;

const schema = Type.Object(
  {
    baseUrl: Type.String({
      title: 'Base URL',
      description: 'Everything that is read lies below it, such as https://api.example.com/v1.',
      minLength: 1,
      maxLength: 2_000,
    }),
    openApi: Type.Optional(
      Type.String({
        title: 'OpenAPI document',
        description:
          'Names the endpoints and the types of their columns. JSON, at most 500,000 characters; the form takes YAML too.',
        contentMediaType: 'application/json',
        maxLength: documentLengthMax,
      }),
    ),
    endpoints: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      title: 'Endpoints',
      description: 'Paths below the base URL that may be read, by GET alone, such as /customers/{id}.',
      minItems: 1,
      maxItems: endpointsMax,
      uniqueItems: true,
    }),
    auth: Type.Union(
      [
        Type.Literal('None'),
        Type.Literal('ApiKey'),
        Type.Literal('ApiKeyInQuery'),
        Type.Literal('Bearer'),
        Type.Literal('Basic'),
      ],
      { title: 'Sign-in', description: 'How the API is told who asks.', default: 'None' },
    ),
    keyHeader: Type.String({
      title: 'Header of the API key',
      description: 'For ApiKey.',
      maxLength: 100,
      default: 'X-Api-Key',
    }),
    keyParameter: Type.String({
      title: 'Query parameter of the API key',
      description:
        'For ApiKeyInQuery. Addresses get into the API’s own logs: prefer a header where the API takes one.',
      maxLength: 100,
      default: 'api_key',
    }),
    user: Type.String({ title: 'User', description: 'For Basic.', maxLength: 128, default: '' }),
    secret: Type.String({
      title: 'API key, token or password',
      maxLength: 8_192,
      default: '',
    }),
    caCertificate: Type.Optional(
      Type.String({
        title: 'CA certificate',
        description: 'PEM text of the authority that signed the server’s certificate.',
        maxLength: 65_536,
        pattern: '-----BEGIN CERTIFICATE-----',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Connection to an API that answers JSON. */
export type RestConnection = Type.Static<typeof schema>;

type Problem = { readonly field: keyof RestConnection; readonly message: string };

/** Parses the base URL of all requests; undefined for an invalid one. */
export function readBaseUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  // The displayed text must equal the requested address: no `..`, no backslash, nothing after the path.
  const isExact =
    url.username === '' &&
    url.password === '' &&
    !/[?#\\\s]/.test(text) &&
    !/\/\.{1,2}(\/|$)|%2e|%2f/i.test(text);
  return isExact ? url : undefined;
}

/** Returns the path of the base URL, without a slash at its end. */
export const basePathOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');

const host = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Returns the destination of requests and its TLS settings. */
export function targetOf(connection: RestConnection): HttpTarget {
  const url = new URL(connection.baseUrl);
  const isSecure = url.protocol === 'https:';
  return {
    host: host(url),
    port: Number(url.port || (isSecure ? 443 : 80)),
    tlsMode: isSecure ? 'VerifyFull' : 'Disable',
    caCertificate: connection.caCertificate,
  };
}

/** Path of an endpoint: segments other than `.` and `..`, with names of parameters in braces. */
const endpointPath = /^\/$|^(\/(?!\.{1,2}(\/|$))([\w.~!$&'()*+,;=:@-]|\{[\w.-]+\})+)+\/?$/;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers of a request that the key must not set. */
const takenHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept',
  'accept-encoding',
  'user-agent',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'keep-alive',
  'proxy-connection',
  'cookie',
]);
/** Names that an address contains unencoded. */
const parameterName = /^[\w.-]+$/;
const isHeaderText = (text: string): boolean => /^[\x20-\x7e\x80-\u{10ffff}]*$/u.test(text);

export const restSettings = settingsForm({
  schema,
  secretFields: ['secret'],
  check: (connection): Problem | undefined =>
    baseUrlProblem(connection) ?? signInProblem(connection) ?? endpointsProblem(connection),
});

function baseUrlProblem({ baseUrl }: RestConnection): Problem | undefined {
  const url = readBaseUrl(baseUrl);
  const field = 'baseUrl';
  if (!url)
    return { field, message: 'must be a URL of http or https, without user, password, query or fragment' };
  if (url.protocol === 'https:' && net.isIP(host(url)) !== 0)
    return { field, message: 'needs a host name for https: certificates are not made out to addresses' };
  return undefined;
}

function signInProblem(connection: RestConnection): Problem | undefined {
  const { auth, secret, user, keyHeader, keyParameter } = connection;
  if (auth === 'None' && secret !== '') return { field: 'auth', message: 'must say what the secret is for' };
  // A password may be empty.
  if (auth !== 'None' && auth !== 'Basic' && secret === '')
    return { field: 'secret', message: 'is required' };
  if (auth === 'Basic' && user === '') return { field: 'user', message: 'is required for Basic' };
  if (user.includes(':')) return { field: 'user', message: 'must not hold a colon' };
  if (auth === 'ApiKey' && (!headerName.test(keyHeader) || takenHeaders.has(keyHeader.toLowerCase())))
    return { field: 'keyHeader', message: 'must be the name of a header that carries a key' };
  if (auth === 'ApiKeyInQuery' && !parameterName.test(keyParameter))
    return { field: 'keyParameter', message: 'must be of letters, digits, dots, dashes and underscores' };
  for (const [field, text] of Object.entries({ secret, user }))
    if (!isHeaderText(text))
      return { field: field as 'secret', message: 'must not hold line breaks or other control characters' };
  return undefined;
}

function endpointsProblem({ endpoints, openApi }: RestConnection): Problem | undefined {
  const field = 'endpoints';
  const invalidPath = endpoints.find((path) => !endpointPath.test(path));
  if (invalidPath !== undefined)
    return {
      field,
      message: `must be paths such as /customers/{id}, without a query: ${invalidPath.slice(0, 100)}`,
    };
  if (openApi === undefined) return undefined;
  const document = parseOpenApi(openApi);
  if (!document)
    return { field: 'openApi', message: 'must be the JSON text of an OpenAPI document with paths' };
  const unknown = endpoints.find((path) => !document.operations.has(path));
  return unknown === undefined
    ? undefined
    : { field, message: `must be read by GET in the OpenAPI document: ${unknown.slice(0, 100)} is not` };
}
