/**
 * Checks the JSON of a token or of user info that a library has accepted. Another reader could understand it
 * differently, for example by using the first of two equal members or by keeping a byte order mark.
 *
 * @param bytes The bytes from the other side.
 * @returns a sentence without content of the text; undefined for valid JSON.
 */
export function faultOfJson(bytes: Uint8Array): string | undefined {
  let json: string;
  try {
    json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'the JSON is no object';
  } catch {
    // `JSON.parse` refuses a byte order mark, which decoders skip by default.
    return 'the JSON cannot be read as it is written';
  }
  return hasDuplicateMembers(json) ? 'a member is named twice' : undefined;
}

/**
 * Checks the header and payload of a signed token in the same way.
 *
 * @param token Verified by a library, in compact form.
 */
export function faultOfTokenJson(token: string): string | undefined {
  for (const part of token.split('.').slice(0, 2)) {
    const fault = faultOfJson(Buffer.from(part, 'base64url'));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * Returns true if any object of a JSON text has a duplicate member. Parsers use the last one. A party that uses the
 * first would read a different token.
 *
 * @param json A text that `JSON.parse` accepts.
 */
export function hasDuplicateMembers(json: string): boolean {
  /** One entry for each open object (its member names so far) or array (null). */
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
