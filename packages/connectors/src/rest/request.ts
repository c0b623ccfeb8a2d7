import { basePathOf, type RestConnection } from './settings.ts';

/** Headers hold bytes: those of UTF-8. */
const headerText = (text: string): string => Buffer.from(text).toString('latin1');

const basicOf = ({ user, secret }: RestConnection): string =>
  Buffer.from(`${user}:${secret}`).toString('base64');

/** What each request says of who asks. */
export function requestHeaders(connection: RestConnection): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    // Some APIs refuse those who do not say what they are.
    'user-agent': 'svc',
  };
  const { auth, secret, keyHeader } = connection;
  if (auth === 'ApiKey') headers[keyHeader.toLowerCase()] = headerText(secret);
  if (auth === 'Bearer') headers['authorization'] = `Bearer ${headerText(secret)}`;
  if (auth === 'Basic') headers['authorization'] = `Basic ${basicOf(connection)}`;
  return headers;
}

/** Texts that no message may repeat. */
export const secretsOf = (connection: RestConnection): readonly string[] =>
  connection.secret === ''
    ? []
    : [connection.secret, encodeURIComponent(connection.secret.toWellFormed()), basicOf(connection)];

export type Query = readonly (readonly [name: string, value: string])[];

/** The address of a request. */
export function addressOf(connection: RestConnection, path: string, query: Query): URL {
  const base = new URL(connection.baseUrl);
  const url = new URL(`${base.origin}${basePathOf(base)}${path}`);
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}

/** What a request asks for, behind the host. */
export const targetText = (url: URL): string => `${url.pathname}${url.search}`;

/** The pattern of an endpoint's paths. */
function patternOf(endpoint: string): RegExp {
  const parts = endpoint.split(/\{[^}]+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

/** The address lies below the base URL, at an endpoint that was ticked. */
export function isTicked(connection: RestConnection, url: URL): boolean {
  const base = new URL(connection.baseUrl);
  const basePath = basePathOf(base);
  if (url.origin !== base.origin || url.username !== '' || url.password !== '') return false;
  if (!url.pathname.startsWith(`${basePath}/`) || /%2e|%2f|%5c/i.test(url.pathname)) return false;
  const path = url.pathname.slice(basePath.length);
  return connection.endpoints.some((endpoint) => patternOf(endpoint).test(path));
}
