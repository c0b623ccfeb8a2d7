import { basePathOf, type RestConnection } from '../settings.ts';
import { isOfEndpoint } from './endpoint-paths.ts';

/** Encodes a text as UTF-8 bytes, which a header contains. */
const headerText = (text: string): string => Buffer.from(text).toString('latin1');

/** Returns user and password in the form of a Basic header. */
export const basicOf = ({ user, secret }: RestConnection): string =>
  Buffer.from(`${user}:${secret}`).toString('base64');

/** Returns the headers of each request, with its authentication. */
export function requestHeaders(connection: RestConnection): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    // Some APIs refuse requests without a user agent.
    'user-agent': 'svc',
  };
  const { auth, secret, keyHeader } = connection;
  if (auth === 'ApiKey') headers[keyHeader.toLowerCase()] = headerText(secret);
  if (auth === 'Bearer') headers['authorization'] = `Bearer ${headerText(secret)}`;
  if (auth === 'Basic') headers['authorization'] = `Basic ${basicOf(connection)}`;
  return headers;
}

export type Query = readonly (readonly [name: string, value: string])[];

/** Returns true for the parameter of the key, in any case. Only the connection may set it. */
export const isKeyParameter = ({ auth, keyParameter }: RestConnection, name: string): boolean =>
  auth === 'ApiKeyInQuery' && name.toLowerCase() === keyParameter.toLowerCase();

/** Returns the address of a request. */
export function addressOf(connection: RestConnection, path: string, query: Query): URL {
  const base = new URL(connection.baseUrl);
  const url = new URL(`${base.origin}${basePathOf(base)}${path}`);
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}

/**
 * Removes the key from an address. Addresses are stored, compared and followed without it: a link that repeats the
 * key is the same page.
 */
export function withoutKey(connection: RestConnection, url: URL): URL {
  const names = [...url.searchParams.keys()].filter((name) => isKeyParameter(connection, name));
  if (names.length === 0) return url;
  const clean = new URL(url.href);
  for (const name of names) clean.searchParams.delete(name);
  return clean;
}

/** Returns the request target after the host. Only this text contains the key. */
export function targetText(connection: RestConnection, url: URL): string {
  const sent = new URL(url.href);
  const { auth, keyParameter, secret } = connection;
  if (auth === 'ApiKeyInQuery') sent.searchParams.set(keyParameter, secret);
  return `${sent.pathname}${sent.search}`;
}

/** Returns true for an address below the base URL, at a selected endpoint. */
export function isTicked(connection: RestConnection, url: URL): boolean {
  const base = new URL(connection.baseUrl);
  const basePath = basePathOf(base);
  if (url.origin !== base.origin || url.username !== '' || url.password !== '') return false;
  if (!url.pathname.startsWith(`${basePath}/`) || /%2e|%2f|%5c/i.test(url.pathname)) return false;
  const path = url.pathname.slice(basePath.length);
  return connection.endpoints.some((endpoint) => isOfEndpoint(endpoint, path));
}
