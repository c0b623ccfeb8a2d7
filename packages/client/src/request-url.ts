/** Input of a call: path and query parameters by name, and the body. */
export type Input = Readonly<Record<string, unknown>>;

/**
 * Returns the base of the service's requests: its origin and its mount path.
 *
 * @param url the same address, with or without a trailing `/svc`.
 * @throws TypeError for an invalid address.
 */
export function serviceAddress(url: string): string {
  const { protocol, origin, pathname, username, password, search, hash } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError('The address of the service begins with http:// or https://.');
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new TypeError('The address of the service holds neither credentials nor a query.');
  return origin + pathname.replace(/(?:\/svc)?\/*$/, '');
}

/**
 * Returns path and query string of a call. Members that are not in the path become query parameters.
 *
 * @throws TypeError for a missing path parameter, or a value that would change the path.
 */
export function pathOf(template: string, { body: _body, ...parameters }: Input): string {
  const search = new URLSearchParams();
  const rest = new Map(Object.entries(parameters));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name) ?? '');
    rest.delete(name);
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} names no record: "${value}".`);
    return encodeURIComponent(value);
  });
  for (const [name, value] of rest) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Returns the query string of the next page in a `Link` header; undefined on the last page. */
export function nextPage(link: string | null): string | undefined {
  const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? [];
  if (target === undefined) return undefined;
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at);
}
