/** A value of an endpoint's path: one character or more of one segment. */
const braces = /\{[^}]+\}/;

/** True for a path that the endpoint has with some values in its braces. Each text between them is looked for once. */
export function isOfEndpoint(endpoint: string, path: string): boolean {
  const patterns = endpoint.split('/');
  const segments = path.split('/');
  return (
    patterns.length === segments.length &&
    patterns.every((pattern, at) => isSegment(pattern.split(braces), segments[at] ?? ''))
  );
}

/** @param texts  what stands before, between and behind the values */
function isSegment(texts: readonly string[], segment: string): boolean {
  const [first = '', ...others] = texts;
  const last = others.pop();
  if (last === undefined) return segment === first;
  if (!segment.startsWith(first)) return false;
  let at = first.length;
  // The first place of each text leaves the most to those behind it.
  for (const text of others) {
    const found = segment.indexOf(text, at + 1);
    if (found === -1) return false;
    at = found + text.length;
  }
  return segment.endsWith(last) && segment.length - last.length > at;
}
