import { bigqueryDialect } from '../../sql/dialects.ts';
import { readSqlTokens, type SqlToken, tokenText } from '../../sql/lexer.ts';
import { assertReadBehindWith } from '../../sql/main-verb.ts';
import { type ReadOnlyRules, refuseStatement } from '../../sql/read-only-gate.ts';

/** Functions that query another database, or send rows to another service. */
const refusedFunctions = ['external_query', 'external_object_transform'];

/** Namespaces whose functions call models, possibly remote ones, or create addresses that read files. */
const refusedNamespaces = new Set(['ai', 'ml', 'obj']);

/** Namespaces of the engine's own functions. Any other namespace is a dataset. */
const ownNamespaces = new Set(['safe', 'net', 'hll_count', 'kll_quantiles', 'keys', 'aead']);

/** Statements that BigQuery accepts. The dry run checks the statement's kind and the functions that it calls. */
export const bigqueryRules: ReadOnlyRules = {
  dialect: bigqueryDialect,
  firstWords: new Set(['select', 'with']),
  refusedFunctions,
  assertForms,
};

/** Characters of a name without quotes. `@@name` is a variable of the engine. */
const plainWord = /^(@@)?\w+$/;

/** Refuses ambiguous forms, and forms that the masking of results cannot follow. */
function assertForms(sql: string, tokens: readonly SqlToken[]): void {
  for (const [index, token] of tokens.entries()) {
    const refusal = refusalOfToken(sql, token);
    if (refusal !== undefined) refuseStatement('syntax-refused', refusal, sql, token.start);
    const [text, next] = [textOf(sql, token), tokens[index + 1]];
    if (text === '|' && next?.start === token.end && textOf(sql, next) === '>')
      refuseStatement('syntax-refused', 'Pipe syntax is not available here.', sql, token.start);
    if (text === '.' && textOf(sql, next) === '(')
      refuseStatement('syntax-refused', 'A function in brackets is not available here.', sql, token.start);
    const path = calledPath(sql, tokens, index);
    if (!path) continue;
    const [name = '', namespace] = path.toReversed();
    if (refusedFunctions.includes(name) || (namespace !== undefined && refusedNamespaces.has(namespace)))
      refuseStatement(
        'function-refused',
        `The function ${path.join('.')} is not available here.`,
        sql,
        token.start,
      );
  }
  assertComments(sql);
  assertReadBehindWith({ sql, tokens }, ['select']);
}

const textOf = (sql: string, token: SqlToken | undefined): string =>
  token ? sql.slice(token.start, token.end) : '';

function refusalOfToken(sql: string, token: SqlToken): string | undefined {
  const text = textOf(sql, token);
  if (token.isUnterminated) return 'A quote is not closed.';
  if (text === '$' || (token.kind === 'word' && !plainWord.test(text)))
    return 'Outside quotes a name has letters, digits and underscores only.';
  if (token.kind === 'identifier' && /[\\\n\r]|``/.test(text))
    return 'A quoted name must not hold a backslash, a backtick or a line break.';
  if (token.kind === 'string' && !text.startsWith(text.slice(0, 1).repeat(3)) && /[\n\r]/.test(text))
    return 'A text on several lines stands in three quotes.';
  return undefined;
}

/** Returns the names of `a.b(` that end at this token, in lower case; undefined without a call. */
function calledPath(sql: string, tokens: readonly SqlToken[], index: number): string[] | undefined {
  if (textOf(sql, tokens[index + 1]) !== '(') return undefined;
  const path: string[] = [];
  for (let at = index; ; at -= 2) {
    const token = tokens[at];
    if (token?.kind !== 'word' && token?.kind !== 'identifier') break;
    // A quoted name may contain a whole path.
    path.unshift(...tokenText(sql, token).toLowerCase().split('.'));
    if (textOf(sql, tokens[at - 1]) !== '.') break;
  }
  return path.length === 0 ? undefined : path.map((name) => name.trim());
}

/** Counts the calls of dataset functions in the text of a statement. */
export function callsOfRoutines(sql: string): number {
  const tokens = readSqlTokens(sql, bigqueryDialect).filter(({ kind }) => kind !== 'comment');
  return tokens.filter((_token, index) => {
    const path = calledPath(sql, tokens, index);
    return path !== undefined && path.length > 1 && !ownNamespaces.has(path[0] ?? '');
  }).length;
}

/**
 * Refuses comments that the service reads differently: it ends a comment at a lone carriage return, and does not
 * accept an unclosed comment.
 */
function assertComments(sql: string): void {
  const tokens = readSqlTokens(sql, bigqueryDialect);
  const open = tokens.find(({ kind, isUnterminated }) => kind === 'comment' && isUnterminated);
  if (open) refuseStatement('syntax-refused', 'A comment is not closed.', sql, open.start);
  const quoted = tokens.filter(({ kind }) => kind === 'string');
  for (const { index } of sql.matchAll(/\r(?!\n)/g)) {
    if (quoted.some(({ start, end }) => start < index && index < end)) continue;
    refuseStatement('syntax-refused', 'A carriage return stands before a line feed only.', sql, index);
  }
}
