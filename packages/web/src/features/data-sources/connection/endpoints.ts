/** Endpoint of an API that can be read. */
export type Endpoint = { readonly path: string; readonly summary: string | null };

const isObject = (value: unknown): value is Readonly<{ [name: string]: unknown }> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the endpoints that an OpenAPI document describes for GET, sorted by path. Undefined if the text is no OpenAPI
 * document.
 */
export function endpointsOf(document: string): readonly Endpoint[] | undefined {
  let root: unknown;
  try {
    root = JSON.parse(document);
  } catch {
    return undefined;
  }
  if (!isObject(root) || !isObject(root['paths'])) return undefined;
  return Object.entries(root['paths'])
    .flatMap(([path, item]) => {
      const get = isObject(item) ? item['get'] : undefined;
      if (!isObject(get)) return [];
      const { summary } = get;
      return [{ path, summary: typeof summary === 'string' && summary !== '' ? summary : null }];
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Splits a text into paths, one per line. */
export const pathsOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
