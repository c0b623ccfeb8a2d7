import { snowflakeDialect } from '../sql/dialects.ts';
import { readSqlTokens, type SqlToken } from '../sql/lexer.ts';
import { assertReadBehindWith } from '../sql/main-verb.ts';
import { type ReadOnlyRules, refuseStatement } from '../sql/read-only-gate.ts';
import { nameAt, type StatementText, textAt, wordAt } from '../sql/statement-text.ts';

/**
 * Functions with effects outside their result, and functions that read files, call models, or return the rows of an
 * earlier statement. `IDENTIFIER` and `TO_QUERY` turn a text into a name or a query that the gate has not checked.
 */
const refusedFunctions = [
  'system$*',
  'ai_*',
  'getnextval',
  'identifier',
  'to_query',
  'result_scan',
  'infer_schema',
  'get_presigned_url',
  'get_absolute_path',
  'get_relative_path',
  'get_stage_location',
  'build_stage_file_url',
  'build_scoped_file_url',
  'directory',
  'to_file',
  'try_to_file',
  'fl_get_*',
];

/** Reserved words that start a statement, or a clause that writes or locks. As names they must be quoted. */
const writingWords =
  'insert update delete merge drop alter create grant revoke truncate copy call put begin commit rollback';
/** Words that are also functions. */
const callable = new Set(['insert', 'truncate']);

const starts = (word: string): string =>
  `${word.toUpperCase()} is not available here: only SELECT runs. Write a column of that name in double quotes.`;

/** Statements that Snowflake accepts. */
export const snowflakeRules: ReadOnlyRules = {
  dialect: snowflakeDialect,
  firstWords: new Set(['select', 'with']),
  refusedFunctions,
  refusedWords: new Map([['into', 'INTO is not available here: it writes.']]),
  assertForms,
};

type Refusal = readonly [
  code: 'syntax-refused' | 'not-a-read' | 'function-refused' | 'more-than-one-statement',
  message: string,
];

const readers = [
  refusalOfToken,
  refusalOfWord,
  refusalOfCall,
  refusalOfPipe,
  refusalOfStage,
  refusalOfSequence,
  refusalOfNamespace,
  refusalOfProcedure,
];

/** Refuses forms that the service could read differently from the lexer, and forms that do more than read. */
function assertForms(sql: string, tokens: readonly SqlToken[]): void {
  assertComments(sql);
  const text = { sql, tokens };
  for (const [index, token] of tokens.entries()) {
    for (const read of readers) {
      const refusal = read(text, index, token);
      if (!refusal) continue;
      const [code, message] = refusal;
      refuseStatement(code, message, sql, token.start);
    }
  }
  assertReadBehindWith(text, ['select']);
}

/** Line ends that only one of the service and the lexer might recognise. */
const strangeLineEnd = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/;

/** Refuses ambiguous comments: readers differ on nested comments and on the end of a line comment. */
function assertComments(sql: string): void {
  for (const token of readSqlTokens(sql, snowflakeDialect)) {
    if (token.kind !== 'comment') continue;
    const text = sql.slice(token.start, token.end + 1);
    if (token.isUnterminated && text.startsWith('/*'))
      refuseStatement('syntax-refused', 'A quote or a comment is not closed.', sql, token.start);
    if (text.startsWith('/*') && text.includes('/*', 2))
      refuseStatement('syntax-refused', 'A comment must not hold another one.', sql, token.start);
    if (!text.startsWith('/*') && strangeLineEnd.test(text))
      refuseStatement(
        'syntax-refused',
        'A comment must not hold other line breaks than LF and CR LF.',
        sql,
        token.start,
      );
  }
}

/** Letters of other scripts might become letters of a keyword when the case changes. */
const plainWord = /^[A-Za-z_][\w$]*$/;
const plainNumber = /^\d+(?:\.\d*)?(?:e\d*)?$/i;
const plainSymbol = /^[!-~]+$/;

function refusalOfToken(text: StatementText, index: number, token: SqlToken): Refusal | undefined {
  if (token.isUnterminated) return ['syntax-refused', 'A quote or a comment is not closed.'];
  const current = textAt(text, index);
  switch (token.kind) {
    case 'word':
      if (plainWord.test(current)) return undefined;
      return [
        'syntax-refused',
        'A name with other than Latin letters, digits and _ must be in double quotes.',
      ];
    case 'number':
      return plainNumber.test(current)
        ? undefined
        : ['syntax-refused', 'A number must be followed by a space.'];
    case 'string':
      if (!current.startsWith('$') || current.startsWith('$$')) return undefined;
      return ['syntax-refused', 'A text between dollar signs has none but $$ on both sides.'];
    case 'symbol':
      return refusalOfSymbol(text, index, current);
    default:
      return undefined;
  }
}

function refusalOfSymbol(text: StatementText, index: number, current: string): Refusal | undefined {
  if (current === '$')
    return [
      'syntax-refused',
      'Variables and columns by their number ($1) are not available: write the name.',
    ];
  // `{*}` turns a whole row into one value.
  if (current === '{' && text.tokens[index + 1]?.kind !== 'string' && textAt(text, index + 1) !== '}')
    return ['syntax-refused', 'In braces only an object with its keys in quotes is accepted.'];
  if (current === '`' || current === '\\' || current === '#' || !plainSymbol.test(current))
    return ['syntax-refused', 'A character outside quotes is not accepted.'];
  return undefined;
}

const writing = new Set(writingWords.split(' '));

function refusalOfWord(text: StatementText, index: number): Refusal | undefined {
  const word = wordAt(text, index);
  if (!writing.has(word) || isPartOfName(text, index)) return undefined;
  if (callable.has(word) && textAt(text, index + 1) === '(') return undefined;
  return ['not-a-read', starts(word)];
}

/** Returns true for a word after a dot, a colon (a path) or AS, or before a dot: it is a name. */
const isPartOfName = (text: StatementText, index: number): boolean =>
  ['.', ':', 'as'].includes(textAt(text, index - 1)) || textAt(text, index + 1) === '.';

/** Refuses `model!predict(…)`, which calls a method of an object. `!=` compares. */
function refusalOfCall(text: StatementText, index: number, token: SqlToken): Refusal | undefined {
  if (textAt(text, index) !== '!') return undefined;
  const next = text.tokens[index + 1];
  if (next && next.start === token.end && textAt(text, index + 1) === '=') return undefined;
  return ['function-refused', 'Methods of objects are not available here.'];
}

/** Refuses `->>`, which sends the rows of one statement to the next one. */
function refusalOfPipe(text: StatementText, index: number): Refusal | undefined {
  const isPipe = [0, 1, 2].every((at) => textAt(text, index + at) === '->>'[at]);
  return isPipe ? ['more-than-one-statement', 'Only one statement may be run at a time.'] : undefined;
}

const stage = 'Files of a stage are not available here: only tables and views are read.';

/** Refuses `@stage/file`, also as a string in the position of a table. */
function refusalOfStage(text: StatementText, index: number, token: SqlToken): Refusal | undefined {
  if (textAt(text, index) === '@') return ['not-a-read', stage];
  if (token.kind !== 'string') return undefined;
  return isTablePlace(text, index) ? ['not-a-read', stage] : undefined;
}

const clauses = new Set('from join select where group having order qualify limit'.split(' '));
const beforeTable = new Set(['from', 'join', 'table']);

/** Detects a position after FROM or JOIN on the same level of brackets, or alone in `TABLE(…)`. */
function isTablePlace(text: StatementText, index: number): boolean {
  const before = textAt(text, index - 1);
  if (beforeTable.has(wordAt(text, index - 1))) return true;
  if (before !== ',' && before !== '(') return false;
  let depth = 0;
  for (let at = index - 1; at >= 0; at--) {
    const sign = textAt(text, at);
    if (sign === ')') depth++;
    else if (sign === '(' && --depth < 0) return beforeTable.has(wordAt(text, at - 1));
    else if (depth === 0 && clauses.has(wordAt(text, at))) return beforeTable.has(wordAt(text, at));
  }
  return false;
}

function refusalOfSequence(text: StatementText, index: number): Refusal | undefined {
  if (nameAt(text, index) !== 'nextval' || textAt(text, index - 1) !== '.') return undefined;
  return ['not-a-read', 'NEXTVAL is not available here: it changes a sequence.'];
}

/** `SNOWFLAKE.CORTEX.…` calls models. `SNOWFLAKE.ML.…` and `SNOWFLAKE.NOTIFICATION.…` act for the account. */
const refusedNamespaces = new Set(['cortex', 'ml', 'notification']);

function refusalOfNamespace(text: StatementText, index: number): Refusal | undefined {
  if (!refusedNamespaces.has(nameAt(text, index)) || textAt(text, index + 1) !== '.') return undefined;
  const isOfService = textAt(text, index - 1) === '.' && nameAt(text, index - 2) === 'snowflake';
  // Without the database, a schema may have the same name. Only a call is then refused, not a table.
  const isCall = nameAt(text, index + 2) !== '' && textAt(text, index + 3) === '(';
  if (!isOfService && !isCall) return undefined;
  return ['function-refused', `Functions of ${nameAt(text, index).toUpperCase()} are not available here.`];
}

/** Refuses `WITH … AS PROCEDURE (…) … CALL …`, which runs code. */
function refusalOfProcedure(text: StatementText, index: number): Refusal | undefined {
  if (wordAt(text, index) !== 'procedure' || wordAt(text, index - 1) !== 'as') return undefined;
  if (wordAt(text, 0) !== 'with') return undefined;
  return ['not-a-read', 'Procedures are not available here.'];
}
