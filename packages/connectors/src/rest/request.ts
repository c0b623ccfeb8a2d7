import { isOfEndpoint } from './endpoint-paths.ts';
import { basePathOf, type RestConnection } from './settings.ts';

/** Headers hold bytes: those of UTF-8. */
const headerText = (text: string): string => Buffer.from(text).toString('latin1');

/** User and password as their header writes them. */
export const basicOf = ({ user, secret }: RestConnection): string =>
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

export type Query = readonly (readonly [name: string, value: string])[];

/** True for the parameter that carries the key: it is the connection's, whatever case it is written in. */
export const isKeyParameter = ({ auth, keyParameter }: RestConnection, name: string): boolean =>
  auth === 'ApiKeyInQuery' && name.toLowerCase() === keyParameter.toLowerCase();

/** The address of a request. */
export function addressOf(connection: RestConnection, path: string, query: Query): URL {
  const base = new URL(connection.baseUrl);
  const url = new URL(`${base.origin}${basePathOf(base)}${path}`);
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}

/** Addresses are kept, compared and followed without the key: a link that repeats it leads to the same page. */
export function withoutKey(connection: RestConnection, url: URL): URL {
  const names = [...url.searchParams.keys()].filter((name) => isKeyParameter(connection, name));
  if (names.length === 0) return url;
  const clean = new URL(url.href);
  for (const name of names) clean.searchParams.delete(name);
  return clean;
}

/** What a request sends behind the host: the only text that the key stands in. */
export function targetText(connection: RestConnection, url: URL): string {
  const sent = new URL(url.href);
  const { auth, keyParameter, secret } = connection;
  if (auth === 'ApiKeyInQuery') sent.searchParams.set(keyParameter, secret);
  return `${sent.pathname}${sent.search}`;
}

/** The address lies below the base URL, at an endpoint that was ticked. */
export function isTicked(connection: RestConnection, url: URL): boolean {
  const base = new URL(connection.baseUrl);
  const basePath = basePathOf(base);
  if (url.origin !== base.origin || url.username !== '' || url.password !== '') return false;
  if (!url.pathname.startsWith(`${basePath}/`) || /%2e|%2f|%5c/i.test(url.pathname)) return false;
  const path = url.pathname.slice(basePath.length);
  return connection.endpoints.some((endpoint) => isOfEndpoint(endpoint, path));
}
