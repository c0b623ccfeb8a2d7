import { sqlserverDialect } from '../sql/dialects.ts';
import { readSqlTokens, type SqlToken, tokenText } from '../sql/lexer.ts';
import { type ReadOnlyRules, refuseStatement } from '../sql/read-only-gate.ts';

/** Functions that read files of the server or its transaction log, or call other services. */
const refusedFunctions = [
  'fn_get_audit_file*',
  'fn_xe_file_target_read_file',
  'fn_trace_gettable',
  'fn_dblog*',
  'fn_full_dblog',
  'fn_dump_dblog*',
  'dm_os_file_exists',
  'dm_os_enumerate_filesystem',
  'ai_generate_embeddings',
];

/**
 * Words that start a statement. A statement needs no `;` before it, so each of these words would start a second one.
 * As a name, such a word must be quoted. The engine reserves all but the last three.
 */
const statementWords = `
  add alter backup begin break bulk checkpoint close commit continue create dbcc deallocate declare delete deny disk
  drop dump exec execute goto grant if insert kill lineno load open print raiserror readtext reconfigure restore return
  revert revoke rollback save set setuser shutdown truncate update updatetext waitfor while writetext
  throw
  receive
  conversation`;

const secondStatement = (word: string): string =>
  `${word.toUpperCase()} starts another statement. Write a column of that name as [${word}].`;

const reasons = new Map<string, string>([
  ...statementWords
    .trim()
    .split(/\s+/)
    .map((word): [string, string] => [word, secondStatement(word)]),
  ['into', 'SELECT … INTO is not available here: it makes a table.'],
  ...['openrowset', 'openquery', 'opendatasource', 'openxml'].map((word): [string, string] => [
    word,
    `${word.toUpperCase()} is not available here: it reads files or other servers.`,
  ]),
]);

/** Statements that SQL Server accepts. */
export const sqlserverRules: ReadOnlyRules = {
  dialect: sqlserverDialect,
  firstWords: new Set(['select', 'with']),
  refusedFunctions,
  refusedWords: reasons,
  assertForms,
};

const lockingHints = new Set(
  'tablock tablockx updlock xlock holdlock rowlock paglock serializable repeatableread readcommittedlock'.split(
    ' ',
  ),
);

/** Tokens of a statement, without its comments, and the bracket depth of each. */
type Text = {
  readonly sql: string;
  readonly tokens: readonly SqlToken[];
  readonly depths: readonly number[];
};
type Refusal = readonly [
  code: 'syntax-refused' | 'not-a-read' | 'more-than-one-statement' | 'empty-statement',
  message: string,
];

const readers = [
  refusalOfToken,
  refusalOfSelect,
  refusalOfFetch,
  refusalOfMerge,
  refusalOfUse,
  refusalOfPair,
  refusalOfHint,
  refusalOfName,
];

/** Refuses forms that the server could read differently from the lexer, and forms that start a second statement. */
function assertForms(sql: string, tokens: readonly SqlToken[]): void {
  assertSpaces(sql);
  const text = { sql, tokens, depths: depthsOf(sql, tokens) };
  for (const [index, token] of tokens.entries()) {
    for (const read of readers) {
      const refusal = read(text, index, token);
      if (!refusal) continue;
      const [code, message] = refusal;
      refuseStatement(code, message, sql, token.start);
    }
  }
}

/** Line ends that only one of the server and the lexer might recognise. */
const strangeLineEnd = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/;
/** A backslash at the end of a line joins it with the next one. Its effect outside strings is not documented. */
const joinedLines = /\\\r?\n/;
const strangeSpace = /[^ \t\r\n]/;

/** Checks comments and the text between tokens, where the server's reading could differ from the lexer's unnoticed. */
function assertSpaces(sql: string): void {
  let end = 0;
  for (const token of readSqlTokens(sql, sqlserverDialect)) {
    if (strangeSpace.test(sql.slice(end, token.start)))
      refuseStatement('syntax-refused', 'White space is spaces, tabs and line breaks only.', sql, end);
    end = token.end;
    if (token.kind === 'comment') assertComment(sql, token);
  }
}

function assertComment(sql: string, token: SqlToken): void {
  if (token.isUnterminated)
    refuseStatement('syntax-refused', 'A quote or a comment is not closed.', sql, token.start);
  // Includes the line break that ends the comment.
  const text = sql.slice(token.start, token.end + 1);
  if (strangeLineEnd.test(text) || joinedLines.test(text)) {
    const message =
      'A comment must not hold other line breaks than LF and CR LF, nor a backslash before one.';
    refuseStatement('syntax-refused', message, sql, token.start);
  }
}

function depthsOf(sql: string, tokens: readonly SqlToken[]): number[] {
  let depth = 0;
  return tokens.map((token) => {
    const text = token.kind === 'symbol' ? sql[token.start] : '';
    if (text === ')') depth--;
    const depthBefore = depth;
    if (text === '(') depth++;
    return depthBefore;
  });
}

/** Returns the text of a token in lower case; empty without a token at this index. */
const textAt = ({ sql, tokens }: Text, index: number): string =>
  sql.slice(tokens[index]?.start ?? 0, tokens[index]?.end ?? 0).toLowerCase();

const isWord = ({ tokens }: Text, index: number): boolean => tokens[index]?.kind === 'word';
const wordAt = (text: Text, index: number): string => (isWord(text, index) ? textAt(text, index) : '');

/** Excludes letters whose case differs between languages: they could become letters of a keyword. */
const plainWord =
  /^(?:@@)?(?!.*[\u0130\u0131\u017f])[A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f][\w$\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]*$/;
/** The server reads `1delete` as a number and a keyword. */
const plainNumber = /^(?:\d+(?:\.\d*)?(?:e\d*)?|0x[\da-f]*)$/i;

/** Allowed escapes, such as `{fn now()}` and `{d '2024-01-01'}`. `{call p}` runs a procedure. */
const odbcEscapes = new Set(['fn', 'd', 't', 'ts', 'oj']);

/** The server reads `@p€delete` as a parameter, an amount and a keyword. */
const plainMarker = /^@[A-Za-z_][\w$]*$/;
const plainSymbol = /^[!-~]+$/;

function refusalOfToken(text: Text, index: number, token: SqlToken): Refusal | undefined {
  if (token.isUnterminated) return ['syntax-refused', 'A quote or a comment is not closed.'];
  const current = textAt(text, index);
  switch (token.kind) {
    case 'word':
      if (plainWord.test(current)) return undefined;
      return ['syntax-refused', 'A name with other than Latin letters, digits and _ must be quoted: [name].'];
    case 'number':
      return plainNumber.test(current)
        ? undefined
        : ['syntax-refused', 'A number must be followed by a space.'];
    case 'marker':
      return plainMarker.test(current) ? undefined : ['syntax-refused', 'A parameter’s name is not plain.'];
    case 'identifier':
      return joinedLines.test(current) ? ['syntax-refused', 'A name must not join lines.'] : undefined;
    case 'symbol':
      return refusalOfSymbol(current, wordAt(text, index + 1));
    default:
      return undefined;
  }
}

function refusalOfSymbol(symbol: string, next: string): Refusal | undefined {
  if (symbol === '{' && !odbcEscapes.has(next))
    return ['syntax-refused', 'A brace outside quotes is not accepted.'];
  // A backslash joins two lines.
  if (symbol === '\\' || !plainSymbol.test(symbol))
    return ['syntax-refused', 'A character outside quotes is not accepted.'];
  return undefined;
}

const setOperators = new Set(['union', 'all', 'except', 'intersect']);

/** Refuses a second SELECT, which is another statement unless it is in brackets, after a set operator or after WITH. */
function refusalOfSelect(text: Text, index: number): Refusal | undefined {
  if (wordAt(text, index) !== 'select' || index === 0) return undefined;
  const before = textAt(text, index - 1);
  if (before === '(' && isWithin(text, index - 1)) return undefined;
  if (setOperators.has(wordAt(text, index - 1))) return undefined;
  if (before === ')' && isBehindWith(text, index)) return undefined;
  return ['more-than-one-statement', 'Only one statement may be run at a time.'];
}

/** Returns false for a bracket after a value or another bracket, which starts a statement, except in `TOP (10) (SELECT …)`. */
function isWithin(text: Text, bracketAt: number): boolean {
  let at = bracketAt;
  while (textAt(text, at) === '(') at--;
  const kind = text.tokens[at]?.kind;
  if (kind === 'number' || kind === 'string' || kind === 'identifier') return false;
  if (textAt(text, at) !== ')') return true;
  let opensAt = at - 1;
  while (opensAt > 0 && !(text.depths[opensAt] === text.depths[at] && textAt(text, opensAt) === '('))
    opensAt--;
  return wordAt(text, opensAt - 1) === 'top';
}

/** Returns true after `WITH a AS (…)` or `WITH XMLNAMESPACES (…)`, if no earlier SELECT is outside brackets. */
function isBehindWith(text: Text, index: number): boolean {
  if (wordAt(text, 0) !== 'with' || text.depths[index] !== 0) return false;
  const isSelectOutside = (at: number): boolean => text.depths[at] === 0 && wordAt(text, at) === 'select';
  let opensAt = index - 2;
  while (opensAt > 0 && !(text.depths[opensAt] === 0 && textAt(text, opensAt) === '(')) opensAt--;
  if (!['as', 'xmlnamespaces'].includes(wordAt(text, opensAt - 1))) return false;
  return !text.tokens.slice(0, index).some((_token, at) => isSelectOutside(at));
}

/** Accepts `OFFSET 5 ROWS FETCH NEXT 10 ROWS ONLY`. `FETCH NEXT FROM c` moves a cursor. */
function refusalOfFetch(text: Text, index: number): Refusal | undefined {
  if (wordAt(text, index) !== 'fetch') return undefined;
  const isOffset = ['row', 'rows'].includes(wordAt(text, index - 1));
  const isPage = ['next', 'first'].includes(wordAt(text, index + 1)) && wordAt(text, index + 2) === '';
  const isCount = text.tokens[index + 2]?.kind !== 'identifier';
  return isOffset && isPage && isCount ? undefined : ['not-a-read', secondStatement('fetch')];
}

/** Accepts `MERGE JOIN` and `MERGE UNION`, which are hints. */
function refusalOfMerge(text: Text, index: number): Refusal | undefined {
  if (wordAt(text, index) !== 'merge' || ['join', 'union'].includes(wordAt(text, index + 1)))
    return undefined;
  return ['not-a-read', secondStatement('merge')];
}

/** Accepts `OPTION (USE HINT (…))`: no statement starts within brackets. */
function refusalOfUse(text: Text, index: number): Refusal | undefined {
  if (wordAt(text, index) !== 'use') return undefined;
  const isHint = (text.depths[index] ?? 0) > 0 && ['hint', 'plan'].includes(wordAt(text, index + 1));
  return isHint ? undefined : ['not-a-read', secondStatement('use')];
}

const pairs = new Map([
  ['next value', 'NEXT VALUE FOR is not available here: it changes a sequence.'],
  ['enable trigger', secondStatement('enable')],
  ['disable trigger', secondStatement('disable')],
  ['send on', secondStatement('send')],
]);

function refusalOfPair(text: Text, index: number): Refusal | undefined {
  const message = pairs.get(`${wordAt(text, index)} ${wordAt(text, index + 1)}`);
  return message === undefined ? undefined : ['not-a-read', message];
}

/** Checks quoted names too: in brackets they can also be hints. */
function refusalOfHint(text: Text, index: number, token: SqlToken): Refusal | undefined {
  if (token.kind !== 'word' && token.kind !== 'identifier') return undefined;
  const name = tokenText(text.sql, token).toLowerCase();
  const isBracketed = (text.depths[index] ?? 0) > 0 && ['(', ',', ')'].includes(textAt(text, index + 1));
  if (!lockingHints.has(name) || (token.kind === 'identifier' && !isBracketed)) return undefined;
  return ['not-a-read', `The hint ${name.toUpperCase()} is not available here: it locks rows.`];
}

/** Refuses `server.database.schema.table`, a table of another server. The two middle parts may be empty. */
function refusalOfName(text: Text, index: number): Refusal | undefined {
  if (textAt(text, index - 1) === '.' || !isPartOfName(text, index)) return undefined;
  let dots = 0;
  for (let at = index + 1; at < text.tokens.length; at++) {
    const isDot = textAt(text, at) === '.';
    if (isDot) dots++;
    else if (textAt(text, at - 1) !== '.' || !isPartOfName(text, at)) break;
  }
  if (dots < 3) return undefined;
  return ['not-a-read', 'A name of four parts is not available here: it reaches another server.'];
}

const isPartOfName = ({ tokens }: Text, index: number): boolean =>
  ['word', 'identifier'].includes(tokens[index]?.kind ?? '');
