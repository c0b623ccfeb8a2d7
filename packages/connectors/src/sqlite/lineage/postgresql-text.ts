import { sqliteDialect } from '../../sql/dialects.ts';
import { readSqlTokens, type SqlToken, tokenText } from '../../sql/lexer.ts';

/**
 * Words of SELECT with the same meaning in PostgreSQL's and SQLite's grammar. All other words become quoted names,
 * because words such as `user`, `true` and `trim` have another meaning in PostgreSQL.
 */
const grammar = new Set(
  `select from where group by order having limit offset distinct all as join left right full inner outer cross natural
   on using union intersect except with recursive materialized not and or in is null exists case when then else end cast
   between like escape collate over partition filter window rows range groups preceding following current unbounded
   exclude ties others no asc desc nulls first last values isnull notnull current_date current_time
   current_timestamp`.split(/\s+/),
);

/** Operators with another name in PostgreSQL, each with a truth value. */
const likeWords = new Set(['glob', 'match', 'regexp']);

/**
 * Rewrites a statement of SQLite for PostgreSQL's parser, with names in lower case. The result is parsed and never
 * sent.
 *
 * @returns undefined for a text that PostgreSQL's parser would read differently.
 */
export function asPostgresql(sql: string): string | undefined {
  const tokens = readSqlTokens(sql, sqliteDialect).filter(({ kind }) => kind !== 'comment');
  let text = '';
  /** For each open bracket: true if it belongs to `cast`. */
  const brackets: boolean[] = [];
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const sign = token.kind === 'symbol' ? sql.slice(token.start, token.end) : '';
    if (sign === '(') brackets.push(before?.kind === 'word' && wordOf(sql, before) === 'cast');
    if (sign === ')') brackets.pop();
    // Skips the prefix of `x'00ff'`: the string alone represents the value.
    if (isBlobPrefix(sql, token, tokens[index + 1])) continue;
    const isBlob = before !== undefined && isBlobPrefix(sql, before, token);
    if (token.kind === 'string' && !isBlob && mayEndValue(sql, before)) return undefined;
    const isGlued = sign !== '' && before?.kind === 'symbol' && before.end === token.start;
    const isType = brackets.at(-1) === true && before?.kind === 'word' && wordOf(sql, before) === 'as';
    text += `${isGlued ? '' : ' '}${isType ? 'text' : textOf(sql, token)}`;
  }
  return text;
}

const wordOf = (sql: string, token: SqlToken): string => sql.slice(token.start, token.end).toLowerCase();

/** Returns true before a string that is an alias in SQLite. PostgreSQL would read it as a constant of a type. */
function mayEndValue(sql: string, before: SqlToken | undefined): boolean {
  if (!before) return false;
  if (before.kind === 'symbol') return [')', ']'].includes(sql.slice(before.start, before.end));
  if (before.kind !== 'word') return true;
  const word = wordOf(sql, before);
  return !grammar.has(word) && !likeWords.has(word);
}

const isBlobPrefix = (sql: string, token: SqlToken, next: SqlToken | undefined): boolean =>
  token.kind === 'word' && wordOf(sql, token) === 'x' && next?.kind === 'string' && next.start === token.end;

function textOf(sql: string, token: SqlToken): string {
  if (token.kind === 'identifier') return quoted(tokenText(sql, token));
  if (token.kind === 'marker') return '$1';
  if (token.kind !== 'word') return sql.slice(token.start, token.end);
  const word = wordOf(sql, token);
  if (grammar.has(word)) return word;
  return likeWords.has(word) ? 'like' : quoted(word);
}

const quoted = (name: string): string => `"${name.toLowerCase().replaceAll('"', '""')}"`;
