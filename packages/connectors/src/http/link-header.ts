const isSpace = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** Position in a header. It only moves forward. */
type Cursor = { readonly text: string; at: number };

function skipSpace(cursor: Cursor): void {
  while (isSpace(cursor.text[cursor.at])) cursor.at++;
}

/** Reads a quoted text, in which a backslash escapes the next character. */
function readQuoted(cursor: Cursor): string {
  let value = '';
  for (cursor.at++; cursor.at < cursor.text.length; cursor.at++) {
    if (cursor.text[cursor.at] === '"') {
      cursor.at++;
      return value;
    }
    if (cursor.text[cursor.at] === '\\') cursor.at++;
    value += cursor.text[cursor.at] ?? '';
  }
  return value;
}

/** Reads up to one of these characters. */
function readUpTo(cursor: Cursor, ends: string): string {
  const start = cursor.at;
  while (cursor.at < cursor.text.length && !ends.includes(cursor.text[cursor.at] ?? '')) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

/** Reads the parameters of a link. Only the first `rel` counts (RFC 8288, 3.3). */
function readRelations(cursor: Cursor): readonly string[] {
  let relations: string | undefined;
  for (;;) {
    skipSpace(cursor);
    if (cursor.text[cursor.at] !== ';') return (relations ?? '').toLowerCase().split(/[ \t]/);
    cursor.at++;
    const name = readUpTo(cursor, ';,<="').trim().toLowerCase();
    if (cursor.text[cursor.at] !== '=') continue;
    cursor.at++;
    skipSpace(cursor);
    const value = cursor.text[cursor.at] === '"' ? readQuoted(cursor) : readUpTo(cursor, ';,<').trim();
    if (name === 'rel') relations ??= value;
  }
}

/** Returns the address of `rel="next"` in a `Link` header (RFC 8288); undefined without one. It needs one pass. */
export function nextLink(header: string | undefined): string | undefined {
  const cursor: Cursor = { text: header ?? '', at: 0 };
  for (;;) {
    readUpTo(cursor, '<');
    cursor.at++;
    const address = readUpTo(cursor, '>');
    if (cursor.at >= cursor.text.length) return undefined;
    cursor.at++;
    if (readRelations(cursor).includes('next')) return address;
  }
}
