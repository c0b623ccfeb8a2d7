const isSpace = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** A place in a header, which moves forward alone. */
type Cursor = { readonly text: string; at: number };

function skipSpace(cursor: Cursor): void {
  while (isSpace(cursor.text[cursor.at])) cursor.at++;
}

/** A text between quotes, where a backslash takes the meaning from the character behind it. */
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

/** All up to one of these characters. */
function readUpTo(cursor: Cursor, ends: string): string {
  const start = cursor.at;
  while (cursor.at < cursor.text.length && !ends.includes(cursor.text[cursor.at] ?? '')) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

/** Reads the parameters of a link; the first `rel` is the one that counts (RFC 8288, 3.3). */
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

/** The address of `rel="next"` in a header `Link` (RFC 8288), in one pass over the text; undefined where none is. */
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
