/** Matches a value in an endpoint's path: at least one character of one segment. */
const braces = /\{[^}]+\}/;

/**
 * Returns true for a path that results from the endpoint with some values in its braces. It searches each text
 * between them once.
 */
export function isOfEndpoint(endpoint: string, path: string): boolean {
  const patterns = endpoint.split('/');
  const segments = path.split('/');
  return (
    patterns.length === segments.length &&
    patterns.every((pattern, at) => isSegment(pattern.split(braces), segments[at] ?? ''))
  );
}

/** @param texts  the texts before, between and after the values */
function isSegment(texts: readonly string[], segment: string): boolean {
  const [first = '', ...others] = texts;
  const last = others.pop();
  if (last === undefined) return segment === first;
  if (!segment.startsWith(first)) return false;
  let at = first.length;
  // The first match of each text leaves the most characters to the later ones.
  for (const text of others) {
    const index = segment.indexOf(text, at + 1);
    if (index === -1) return false;
    at = index + text.length;
  }
  return segment.endsWith(last) && segment.length - last.length > at;
}
