/**
 * What is wrong with the text of a token or of user info that a library has accepted. Another reader could take another
 * meaning from it: one that keeps the first of two members, or that does not skip a byte order mark.
 *
 * @param bytes  a text, or the bytes that the other side sent
 * @returns a sentence without anything of the text; undefined when nothing is wrong
 */
export function faultOfJson(bytes: Uint8Array): string | undefined {
  let json: string;
  try {
    json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'the JSON is no object';
  } catch {
    // `JSON.parse` refuses a byte order mark, which decoders skip unless they are told to keep it.
    return 'the JSON cannot be read as it is written';
  }
  return hasDuplicateMembers(json) ? 'a member is named twice' : undefined;
}

/**
 * The same for header and payload of a signed token.
 *
 * @param token  in the compact form that a library has verified
 */
export function faultOfTokenJson(token: string): string | undefined {
  for (const part of token.split('.').slice(0, 2)) {
    const fault = faultOfJson(Buffer.from(part, 'base64url'));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

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
