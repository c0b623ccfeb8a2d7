import { ConnectorError, positionAt } from '../error.ts';
import type { Statement } from '../port.ts';
import { canonicalText } from './canonical-text.ts';
import type { SqlDialect } from './dialects.ts';
import { readSqlTokens, type SqlToken, tokenText } from './lexer.ts';

/**
 * Allowed first words of an engine's statements, and functions with effects outside their result. The gate is a
 * second line of defence with clear messages. The engine itself guarantees that a statement does not write.
 */
export type ReadOnlyRules = {
  readonly dialect: SqlDialect;
  /** Words in lower case. */
  readonly firstWords: ReadonlySet<string>;
  /** Names in lower case. A name that ends in `*` is a prefix. */
  readonly refusedFunctions: readonly string[];
  /**
   * Words that may follow EXPLAIN and its options. PostgreSQL runs `EXPLAIN ANALYZE CREATE TABLE … AS` even in a
   * read-only transaction. Absent: any word.
   */
  readonly explainedWords?: ReadonlySet<string>;
  /** Words that are refused anywhere outside quotes, with the reason. */
  readonly refusedWords?: ReadonlyMap<string, string>;
  /** Throws for forms that the engine could read differently from the lexer. `tokens` has no comments. */
  readonly assertForms?: (sql: string, tokens: readonly SqlToken[]) => void;
};

/**
 * Returns the statement with the text that was checked, which is the only text that may be sent. Throws unless it is one
 * statement that starts like a read and calls no refused function.
 */
export function checkedStatement(statement: Statement, rules: ReadOnlyRules): Statement {
  const sql = canonicalRead(statement.sql, rules);
  assertCanonical(sql, rules);
  return { ...statement, sql };
}

/** Throws unless the text is one statement that starts like a read and calls no refused function. */
export function assertOneRead(sql: string, rules: ReadOnlyRules): void {
  assertCanonical(canonicalRead(sql, rules), rules);
}

/** Returns the text without comments. Forms that engines read in different ways are refused in comments too. */
function canonicalRead(sql: string, rules: ReadOnlyRules): string {
  const canonical = canonicalText(sql, rules.dialect);
  if (canonical !== sql) rules.assertForms?.(sql, tokensOf(sql, rules));
  return canonical;
}

const tokensOf = (sql: string, { dialect }: ReadOnlyRules): SqlToken[] =>
  readSqlTokens(sql, dialect).filter(({ kind }) => kind !== 'comment');

function assertCanonical(sql: string, rules: ReadOnlyRules): void {
  const nul = sql.indexOf('\0');
  if (nul !== -1) refuseStatement('syntax-refused', 'The statement holds a NUL character.', sql, nul);
  const tokens = tokensOf(sql, rules);
  assertKnownForms(sql, tokens);
  assertStatement(sql, tokens);
  rules.assertForms?.(sql, tokens);
  assertOneStatement(sql, tokens);
  assertFirstWord(sql, tokens, rules);
  const isRefused = functionMatcher(rules.refusedFunctions);
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' && token.kind !== 'identifier') continue;
    const name = tokenText(sql, token).toLowerCase();
    const reason = token.kind === 'word' ? rules.refusedWords?.get(name) : undefined;
    if (reason) refuseStatement('not-a-read', reason, sql, token.start);
    if (isRefused(name) && isSymbol(sql, tokens[index + 1], '(')) {
      refuseStatement('function-refused', `The function ${name} is not available here.`, sql, token.start);
    }
  }
}

function assertKnownForms(sql: string, tokens: readonly SqlToken[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'executable-comment') {
      refuseStatement('syntax-refused', 'Executable comments (/*! … */) are not accepted.', sql, token.start);
    }
    if (token.kind === 'identifier' && isUnicodeEscaped(sql, tokens, index)) {
      refuseStatement(
        'syntax-refused',
        'Identifiers with Unicode escapes (U&"…") are not accepted.',
        sql,
        token.start,
      );
    }
  }
}

function isUnicodeEscaped(sql: string, tokens: readonly SqlToken[], index: number): boolean {
  const identifier = tokens[index];
  const and = tokens[index - 1];
  const word = tokens[index - 2];
  if (!identifier || !and || !word || and.end !== identifier.start || word.end !== and.start) return false;
  return isSymbol(sql, and, '&') && tokenText(sql, word).toLowerCase() === 'u';
}

function assertStatement(sql: string, tokens: readonly SqlToken[]): void {
  const first = tokens.find((token) => !isSymbol(sql, token, ';'));
  if (!first) refuseStatement('empty-statement', 'There is no statement.', sql, 0);
  if (first !== tokens[0])
    refuseStatement('empty-statement', 'A semicolon stands before the statement. Remove it.', sql, 0);
}

function assertOneStatement(sql: string, tokens: readonly SqlToken[]): void {
  const semicolon = tokens.findIndex((token) => isSymbol(sql, token, ';'));
  const after = semicolon === -1 ? undefined : tokens[semicolon + 1];
  if (after) {
    refuseStatement('more-than-one-statement', 'Only one statement may be run at a time.', sql, after.start);
  }
}

function assertFirstWord(sql: string, tokens: readonly SqlToken[], rules: ReadOnlyRules): void {
  const first = tokens.find((token) => !isSymbol(sql, token, '('));
  const word = first?.kind === 'word' ? tokenText(sql, first).toLowerCase() : '';
  if (rules.firstWords.has(word)) {
    if (word === 'explain' && rules.explainedWords) assertExplainsRead(sql, tokens, rules.explainedWords);
    return;
  }
  const allowed = [...rules.firstWords].map((name) => name.toUpperCase()).join(', ');
  const what = word === '' ? 'This' : `A statement that starts with ${word.toUpperCase()}`;
  refuseStatement(
    'not-a-read',
    `${what} is not a read. A statement starts with one of ${allowed}.`,
    sql,
    first?.start ?? 0,
  );
}

const explainOptions = new Set(
  'query plan analyze analyse verbose costs settings generic_plan buffers serialize wal timing summary memory format ast syntax tree pipeline estimate'.split(
    ' ',
  ),
);

function assertExplainsRead(sql: string, tokens: readonly SqlToken[], allowed: ReadonlySet<string>): void {
  const wordAt = (index: number): string => {
    const token = tokens[index];
    return token?.kind === 'word' ? tokenText(sql, token).toLowerCase() : '';
  };
  let at = tokens.findIndex((_token, index) => wordAt(index) === 'explain') + 1;
  if (isSymbol(sql, tokens[at], '(') && explainOptions.has(wordAt(at + 1))) {
    while (at < tokens.length && !isSymbol(sql, tokens[at], ')')) at++;
    at++;
  }
  // ClickHouse: `json = 1, indexes = 1`.
  while (explainOptions.has(wordAt(at)) || isSymbol(sql, tokens[at + 1], '=')) {
    at += isSymbol(sql, tokens[at + 1], '=') ? 3 : 1;
    if (isSymbol(sql, tokens[at], ',')) at++;
  }
  while (isSymbol(sql, tokens[at], '(')) at++;
  if (allowed.has(wordAt(at))) return;
  refuseStatement('not-a-read', 'Only a read may be explained here.', sql, tokens[at]?.start ?? sql.length);
}

const matchers = new WeakMap<readonly string[], (name: string) => boolean>();

/** Returns the test for names (in lower case) of functions that these rules refuse. */
export const refusedFunctionsOf = (rules: ReadOnlyRules): ((name: string) => boolean) =>
  functionMatcher(rules.refusedFunctions);

/** Returns the matcher of a list, which is created once per list. */
export function functionMatcher(patterns: readonly string[]): (name: string) => boolean {
  const matcher = matchers.get(patterns) ?? makeMatcher(patterns);
  matchers.set(patterns, matcher);
  return matcher;
}

function makeMatcher(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

function isSymbol(sql: string, token: SqlToken | undefined, symbol: string): boolean {
  return token?.kind === 'symbol' && sql.slice(token.start, token.end) === symbol;
}

/** Throws a refusal with its position. */
export function refuseStatement(
  code: 'syntax-refused' | 'empty-statement' | 'more-than-one-statement' | 'not-a-read' | 'function-refused',
  message: string,
  sql: string,
  offset: number,
): never {
  throw new ConnectorError(code, message, { position: positionAt(sql, offset) });
}
