/** What a call is given: path and query parameters by their names, and the body. */
export type Input = Readonly<Record<string, unknown>>;

/**
 * The address of a service as requests begin with it: its origin and the path that it is mounted below.
 *
 * @param url the same, with or without the `/svc` of its pages at the end.
 * @throws TypeError for what is no address of a service.
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
 * Path and query string of a call: members that the path does not name go into the query.
 *
 * @throws TypeError for a path parameter that is missing, or that would lead to another path.
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

/** The query string of the next page that a `Link` header names; undefined on the last one. */
export function nextPage(link: string | null): string | undefined {
  const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? [];
  if (target === undefined) return undefined;
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at);
}
