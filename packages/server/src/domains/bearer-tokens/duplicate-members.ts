/**
 * Whether any object of a JSON text names a member twice. Parsers keep the last one; another party that keeps the
 * first would read another token than we do.
 *
 * @param json  a text that `JSON.parse` accepts.
 */
export function hasDuplicateMembers(json: string): boolean {
  /** One entry for each open object (names seen) or array (null). */
  const open: (Set<string> | null)[] = [];
  let expectsName = false;
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;
  for (const [text] of json.matchAll(token)) {
    const inner = open.at(-1);
    if (text === '{') open.push(new Set());
    else if (text === '[') open.push(null);
    else if (text === '}' || text === ']') open.pop();
    else if (text.startsWith('"') && expectsName && inner) {
      const name = String(JSON.parse(text));
      if (inner.has(name)) return true;
      inner.add(name);
    }
    expectsName = text === '{' || (text === ',' && open.at(-1) !== null);
  }
  return false;
}
