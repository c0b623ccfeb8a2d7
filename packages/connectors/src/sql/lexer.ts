import type { SqlDialect } from './dialects.ts';

/**
 * Kinds of tokens. `executable-comment` is a comment that MySQL executes. `placeholder` is `{{name}}` outside quotes
 * and comments. `marker` is the engine's own parameter marker.
 */
export type SqlTokenKind =
  | 'word'
  | 'identifier'
  | 'string'
  | 'number'
  | 'comment'
  | 'executable-comment'
  | 'placeholder'
  | 'marker'
  | 'symbol';

export type SqlToken = {
  readonly kind: SqlTokenKind;
  readonly start: number;
  readonly end: number;
  /** The text ends within the quotes or the comment. */
  readonly isUnterminated: boolean;
};

const wordStart = /[A-Za-z_\u0080-\uffff]/;
const wordPart = /[A-Za-z0-9_$\u0080-\uffff]/;
const digit = /[0-9]/;
const numberPart = /[0-9A-Za-z_.]/;
const space = /\s/;
const parameterName = /[A-Za-z0-9_]/;

/**
 * Reads SQL text in one pass from left to right, and never returns to an earlier token. It recognises quotes and
 * comments, not grammar: the engine decides the effects of a statement.
 */
export function readSqlTokens(sql: string, dialect: SqlDialect): readonly SqlToken[] {
  if (last?.sql === sql && last.dialect === dialect) return last.tokens;
  const tokens = readAll(sql, dialect);
  if (sql.length <= rememberedChars) last = { sql, dialect, tokens };
  return tokens;
}

/** Longest text whose tokens are cached. Several readers in a row request the same tokens of one statement. */
const rememberedChars = 10_000;
let last: { readonly sql: string; readonly dialect: SqlDialect; readonly tokens: SqlToken[] } | undefined;

function readAll(sql: string, dialect: SqlDialect): SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  while (at < sql.length) {
    if (space.test(sql[at] ?? '')) {
      at++;
      continue;
    }
    const token = readToken(sql, at, dialect);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

/** Returns the text of a token; for a quoted identifier its name. */
export function tokenText(sql: string, token: SqlToken): string {
  const text = sql.slice(token.start, token.end);
  if (token.kind !== 'identifier') return text;
  const quote = text[0] === '[' ? ']' : (text[0] ?? '');
  return text.slice(1, token.isUnterminated ? undefined : -1).replaceAll(quote + quote, quote);
}

/** Returns the name inside a placeholder token. */
export function placeholderName(sql: string, token: SqlToken): string {
  return sql.slice(token.start + 2, token.end - 2).trim();
}

function readToken(sql: string, start: number, dialect: SqlDialect): SqlToken {
  const first = sql[start] ?? '';
  return (
    readComment(sql, start, first, dialect) ??
    readRawString(sql, start, first, dialect) ??
    readTripleQuoted(sql, start, first, dialect) ??
    readQuoted(sql, start, first, dialect) ??
    readPlain(sql, start, first, dialect)
  );
}

function token(kind: SqlTokenKind, start: number, end: number, isUnterminated = false): SqlToken {
  return { kind, start, end, isUnterminated };
}

function readComment(sql: string, start: number, first: string, dialect: SqlDialect): SqlToken | undefined {
  const next = sql[start + 1] ?? '';
  if (first === '-' && next === '-') {
    const after = sql[start + 2];
    if (!dialect.dashCommentNeedsSpace || after === undefined || after <= ' ')
      return lineComment(sql, start, dialect);
  }
  if (first === '#' && dialect.hasHashComments) return lineComment(sql, start, dialect);
  if (first === '/' && next === '/' && dialect.hasSlashComments) return lineComment(sql, start, dialect);
  if (first === '/' && next === '*') return blockComment(sql, start, dialect);
  return undefined;
}

function lineComment(sql: string, start: number, dialect: SqlDialect): SqlToken {
  return token('comment', start, endOfLine(sql, start, dialect));
}

/** Returns the index of the character that ends the line for this engine, or the length of the text. */
function endOfLine(sql: string, from: number, dialect: SqlDialect): number {
  for (let at = from; at < sql.length; at++) {
    const character = sql[at];
    if (character === '\r' && dialect.endsLinesAtCarriageReturn) return at;
    if (character === '\n' && !(dialect.joinsLinesAtBackslash && sql[at - 1] === '\\')) return at;
  }
  return sql.length;
}

function blockComment(sql: string, start: number, dialect: SqlDialect): SqlToken {
  const isExecutable =
    dialect.name === 'mysql' && (sql[start + 2] === '!' || /^m!/i.test(sql.slice(start + 2, start + 4)));
  const kind = isExecutable ? 'executable-comment' : 'comment';
  let depth = 1;
  let at = start + 2;
  while (at < sql.length) {
    if (sql[at] === '*' && sql[at + 1] === '/') {
      depth--;
      at += 2;
      if (depth === 0) return token(kind, start, at);
    } else if (dialect.areCommentsNested && sql[at] === '/' && sql[at + 1] === '*') {
      depth++;
      at += 2;
    } else {
      at++;
    }
  }
  return token(kind, start, sql.length, true);
}

function readQuoted(sql: string, start: number, first: string, dialect: SqlDialect): SqlToken | undefined {
  if (first === "'") return quoted(sql, start, start, "'", 'string', dialect.hasBackslashStrings);
  if ((first === 'e' || first === 'E') && sql[start + 1] === "'" && dialect.hasEscapeStringPrefix) {
    return escapeString(sql, start, dialect);
  }
  if (first === '"') {
    return dialect.areDoubleQuotesStrings
      ? quoted(sql, start, start, '"', 'string', dialect.hasBackslashStrings)
      : quoted(sql, start, start, '"', 'identifier', dialect.hasBackslashIdentifiers ?? false);
  }
  if (first === '`' && dialect.hasBacktickIdentifiers)
    return quoted(sql, start, start, '`', 'identifier', dialect.hasBackslashIdentifiers ?? false);
  if (first === '[' && dialect.hasBracketIdentifiers) {
    if (dialect.areBracketsDoubled) return quoted(sql, start, start, ']', 'identifier', false);
    const end = sql.indexOf(']', start);
    return end === -1 ? token('identifier', start, sql.length, true) : token('identifier', start, end + 1);
  }
  if (first === '$' && dialect.hasDollarStrings) return dollarString(sql, start);
  return undefined;
}

function quoted(
  sql: string,
  start: number,
  openAt: number,
  quote: string,
  kind: SqlTokenKind,
  hasBackslash: boolean,
): SqlToken {
  let at = openAt + 1;
  while (at < sql.length) {
    const character = sql[at];
    if (character === '\\' && hasBackslash) {
      at += 2;
    } else if (character === quote) {
      if (sql[at + 1] !== quote) return token(kind, start, at + 1);
      at += 2;
    } else {
      at++;
    }
  }
  return token(kind, start, sql.length, true);
}

/** Reads `'…'` or `'''…'''`, raw or not. The character after a backslash never ends the text. */
function readTripleQuoted(
  sql: string,
  start: number,
  first: string,
  dialect: SqlDialect,
): SqlToken | undefined {
  if (!dialect.hasTripleQuotes || (first !== "'" && first !== '"')) return undefined;
  const quote = sql.startsWith(first.repeat(3), start) ? first.repeat(3) : first;
  let at = start + quote.length;
  while (at < sql.length) {
    if (sql[at] === '\\') at += 2;
    else if (sql.startsWith(quote, at)) return token('string', start, at + quote.length);
    else at++;
  }
  return token('string', start, sql.length, true);
}

/** Reads `r'…'`, in which nothing escapes. A longer word before a quote is not a prefix. */
function readRawString(sql: string, start: number, first: string, dialect: SqlDialect): SqlToken | undefined {
  if (!dialect.hasRawStringPrefix || (first !== 'r' && first !== 'R')) return undefined;
  const quote = sql[start + 1] ?? '';
  if (quote !== "'" && quote !== '"') return undefined;
  const end = sql.indexOf(quote, start + 2);
  return end === -1 ? token('string', start, sql.length, true) : token('string', start, end + 1);
}

/** Reads `E'…'`. A further literal after a line break continues it with the same escapes. */
function escapeString(sql: string, start: number, dialect: SqlDialect): SqlToken {
  let part = quoted(sql, start, start + 1, "'", 'string', true);
  while (!part.isUnterminated) {
    const openAt = continuationQuote(sql, part.end, dialect);
    if (openAt === undefined) return part;
    part = quoted(sql, start, openAt, "'", 'string', true);
  }
  return part;
}

const lineSpace = /[ \t\f\v]/;
const anySpace = /[ \t\f\v\n\r]/;

/**
 * Returns the index of the quote that continues a literal. PostgreSQL allows white space and `--` comments before it,
 * if they contain a line break. The gap has no maximum length.
 */
function continuationQuote(sql: string, end: number, dialect: SqlDialect): number | undefined {
  let at = endOf(sql, end, lineSpace);
  if (sql.startsWith('--', at)) at = endOfLine(sql, at, dialect);
  if (sql[at] !== '\n' && sql[at] !== '\r') return undefined;
  for (;;) {
    at = endOf(sql, at, anySpace);
    if (sql[at] === "'") return at;
    if (!sql.startsWith('--', at)) return undefined;
    at = endOfLine(sql, at, dialect);
  }
}

function dollarString(sql: string, start: number): SqlToken | undefined {
  let at = start + 1;
  if (digit.test(sql[at] ?? '')) return undefined;
  while (at < sql.length && sql[at] !== '$' && wordPart.test(sql[at] ?? '')) at++;
  if (sql[at] !== '$') return undefined;
  const tag = sql.slice(start, at + 1);
  const end = sql.indexOf(tag, at + 1);
  return end === -1 ? token('string', start, sql.length, true) : token('string', start, end + tag.length);
}

function readPlain(sql: string, start: number, first: string, dialect: SqlDialect): SqlToken {
  if (wordStart.test(first)) return token('word', start, endOf(sql, start + 1, wordPart));
  if (first === '@' && sql[start + 1] === '@' && dialect.hasGlobalVariables)
    return token('word', start, endOf(sql, start + 2, wordPart));
  if (digit.test(first)) return token('number', start, endOf(sql, start + 1, numberPart));
  if (first === '{') {
    const end = placeholderEnd(sql, start);
    if (end !== undefined) return token('placeholder', start, end);
    const marker = dialect.areMarkersBraced
      ? bracedMarker.exec(sql.slice(start, start + bracedMarkerLengthMax))
      : null;
    if (marker) return token('marker', start, start + marker[0].length);
  }
  if (dialect.markerCharacters.includes(first)) return markerOrSymbol(sql, start, first, dialect);
  return token('symbol', start, start + 1);
}

const bracedMarkerLengthMax = 300;
/** `{name:Type}` of ClickHouse, without the type's closing brace. */
const bracedMarker = /^\{\s*[A-Za-z_]\w*\s*:/;

function endOf(sql: string, from: number, part: RegExp): number {
  let at = from;
  while (at < sql.length && part.test(sql[at] ?? '')) at++;
  return at;
}

/** Returns the end of a `{{name}}` that starts here; undefined without one. */
export function placeholderEnd(sql: string, start: number): number | undefined {
  if (sql[start] !== '{' || sql[start + 1] !== '{') return undefined;
  let at = endOf(sql, start + 2, /[ \t]/);
  const nameStart = at;
  at = endOf(sql, at, parameterName);
  if (at === nameStart) return undefined;
  at = endOf(sql, at, /[ \t]/);
  return sql[at] === '}' && sql[at + 1] === '}' ? at + 2 : undefined;
}

/** Returns the end of a `{{{{name}}}}` that starts here. Inside quotes it means the literal text `{{name}}`. */
export function escapedPlaceholderEnd(sql: string, start: number): number | undefined {
  if (!sql.startsWith('{{{{', start)) return undefined;
  const end = placeholderEnd(sql, start + 2);
  return end !== undefined && sql.startsWith('}}', end) ? end + 2 : undefined;
}

function markerOrSymbol(sql: string, start: number, first: string, dialect: SqlDialect): SqlToken {
  const next = sql[start + 1] ?? '';
  // A cast (`::`) and JSON operators are not markers.
  if (first === ':' && next === ':') return token('symbol', start, start + 2);
  // `data:city` is a path into a value, not a marker.
  if (first === ':' && dialect.hasColonPaths && /[\w`\])]/.test(sql[start - 1] ?? ''))
    return token('symbol', start, start + 1);
  const isNamed = first !== '?' && wordPart.test(next);
  if (first === '?' && dialect.name === 'duckdb') return token('symbol', start, start + 1);
  if (first === '?' || isNamed) return token('marker', start, endOf(sql, start + 1, wordPart));
  return token('symbol', start, start + 1);
}
