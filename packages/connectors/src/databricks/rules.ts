import { databricksDialect } from '../sql/dialects.ts';
import { readSqlTokens, type SqlToken } from '../sql/lexer.ts';
import { assertReadBehindWith } from '../sql/main-verb.ts';
import { type ReadOnlyRules, refuseStatement } from '../sql/read-only-gate.ts';
import { nameAt, type StatementText, textAt, wordAt } from '../sql/statement-text.ts';
import { ownMarker } from './parameters.ts';

/**
 * Functions that call code or services, or read files, streams or secrets. `IDENTIFIER` turns a text into a name that
 * the gate has not checked. Message formats may fetch their schema from a file or a registry.
 */
const refusedFunctions = [
  'ai_*',
  'vector_search',
  'http_request',
  'remote_query',
  'python_exec',
  'java_method',
  'reflect',
  'try_reflect',
  'read_files',
  'cloud_files',
  'cloud_files_state',
  'read_kafka',
  'read_kinesis',
  'read_pubsub',
  'read_pulsar',
  'read_statestore',
  'read_state_metadata',
  'stream',
  'secret',
  'try_secret',
  'list_secrets',
  'identifier',
  'from_avro',
  'to_avro',
  'from_protobuf',
  'to_protobuf',
  'schema_of_avro',
];

/** Statements that Databricks accepts. */
export const databricksRules: ReadOnlyRules = {
  dialect: databricksDialect,
  firstWords: new Set(['select', 'with', 'values']),
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
  refusalOfStatement,
  refusalOfPipe,
  refusalOfScript,
  refusalOfFile,
  refusalOfOptions,
  refusalOfNamespace,
];

/** Refuses forms that the service could read differently from the lexer, and forms that do more than read. */
function assertForms(sql: string, tokens: readonly SqlToken[]): void {
  assertNoVariables(sql);
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
  assertReadBehindWith(text, ['select', 'values']);
}

const variable = `$${'{'}`;

/** Refuses `${name}`: the service replaces it before it reads the statement, also within texts and comments. */
function assertNoVariables(sql: string): void {
  const at = sql.indexOf(variable);
  if (at !== -1)
    refuseStatement('syntax-refused', `Variables (${variable}…}) are not available here.`, sql, at);
}

/** Line ends that only one of the service and the lexer might recognise. */
const strangeLineEnd = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/;
/** The service interprets hints. For this subset its reading equals the lexer's. */
const plainHint = /^\/\*\+[\w\s,().]*\*\/$/;

function assertComments(sql: string): void {
  for (const token of readSqlTokens(sql, databricksDialect)) {
    if (token.kind !== 'comment') continue;
    const refusal = refusalOfComment(sql, token);
    if (refusal !== undefined) refuseStatement('syntax-refused', refusal, sql, token.start);
  }
}

function refusalOfComment(sql: string, { start, end, isUnterminated }: SqlToken): string | undefined {
  const text = sql.slice(start, end);
  if (text.startsWith('/*')) {
    if (isUnterminated) return 'A quote or a comment is not closed.';
    if (text.includes('/*', 2)) return 'A comment must not hold another one.';
    return text.startsWith('/*+') && !plainHint.test(text)
      ? 'A hint holds names, numbers, commas and brackets alone.'
      : undefined;
  }
  if (/\\(?:\r?\n|$)/.test(text))
    return 'A comment must not end in a backslash, which joins it with the next line.';
  return strangeLineEnd.test(sql.slice(start, end + 1))
    ? 'A comment must not hold other line breaks than LF and CR LF.'
    : undefined;
}

const plainWord = /^[A-Za-z_]\w*$/;
/** Numbers with an optional type suffix: `1L`, `1.5BD`. */
const plainNumber = /^\d+(?:\.\d*)?(?:e\d*)?(?:bd|[lsydf])?$/i;
const plainSymbol = /^[!-~]+$/;
const refusedSymbols = new Set(['\\', '#', '@', '$', '{', '}', '`']);

function refusalOfToken(text: StatementText, index: number, token: SqlToken): Refusal | undefined {
  if (token.isUnterminated) return ['syntax-refused', 'A quote or a comment is not closed.'];
  const current = textAt(text, index);
  switch (token.kind) {
    case 'word':
      if (plainWord.test(current)) return undefined;
      return ['syntax-refused', 'A name with other than Latin letters, digits and _ must be in backticks.'];
    case 'number':
      if (plainNumber.test(current)) return undefined;
      return [
        'syntax-refused',
        'A number must be followed by a space, and a name that starts with a digit stands in backticks.',
      ];
    case 'marker':
      if (ownMarker.test(current)) return undefined;
      return ['syntax-refused', 'Markers of the service are not available: write {{name}}.'];
    case 'string':
      return refusalOfString(text.sql, current, token);
    case 'symbol':
      if (isTimeTravel(text, index)) return undefined;
      if (plainSymbol.test(current) && !refusedSymbols.has(current)) return undefined;
      return ['syntax-refused', 'A character outside quotes is not accepted.'];
    default:
      return undefined;
  }
}

/** Detects time travel without a space: `orders@v3`, `orders@20260102030405678`. */
function isTimeTravel(text: StatementText, index: number): boolean {
  const [before, at, after] = text.tokens.slice(index - 1, index + 2);
  if (textAt(text, index) !== '@' || before?.end !== at?.start || at?.end !== after?.start) return false;
  return nameAt(text, index - 1) !== '' && /^(?:v\d+|\d{17})$/.test(textAt(text, index + 1));
}

/** Refuses doubled quotes after `r'…'`: readers differ on whether they mean one quote. */
function refusalOfString(sql: string, current: string, token: SqlToken): Refusal | undefined {
  if (!current.startsWith('r') || sql[token.end] !== current.at(-1)) return undefined;
  return ['syntax-refused', 'A raw text must be followed by another character than its quote.'];
}

/** First words of statements, with the words that follow them there. Alone they may be names. */
const statements: Readonly<Record<string, ReadonlySet<string>>> = {
  insert: new Set(['into', 'overwrite']),
  delete: new Set(['from']),
  merge: new Set(['into', 'with']),
  copy: new Set(['into']),
  truncate: new Set(['table']),
  execute: new Set(['immediate']),
  drop: new Set(['table', 'view', 'schema', 'database', 'catalog', 'function', 'volume']),
  create: new Set(['table', 'view', 'schema', 'database', 'catalog', 'function', 'volume', 'or']),
};

function refusalOfStatement(text: StatementText, index: number): Refusal | undefined {
  const word = wordAt(text, index);
  if (!Object.hasOwn(statements, word)) return undefined;
  const follows = statements[word]?.has(wordAt(text, index + 1)) ?? false;
  return follows ? ['not-a-read', `${word.toUpperCase()} is not available here: only reads run.`] : undefined;
}

/** Operators after a pipe. */
const pipedOperators = new Set(
  `select extend set drop as where limit offset aggregate join inner left right full cross natural semi anti lateral
   order sort cluster distribute union intersect except minus pivot unpivot tablesample window group`.split(
    /\s+/,
  ),
);

/** Refuses `|>`, and a `|` that starts an operator: a pipe returns columns that no SELECT list of the statement names. */
function refusalOfPipe(text: StatementText, index: number): Refusal | undefined {
  if (textAt(text, index) !== '|' || textAt(text, index - 1) === '|') return undefined;
  const next = textAt(text, index + 1);
  if (next !== '>' && !pipedOperators.has(wordAt(text, index + 1))) return undefined;
  return ['syntax-refused', 'Pipes are not available here: write a subquery.'];
}

/** Refuses `TRANSFORM (…) USING 'script'`, MAP and REDUCE, which run a program. The USING of a join has brackets. */
function refusalOfScript(text: StatementText, index: number): Refusal | undefined {
  if (wordAt(text, index) !== 'using' || text.tokens[index + 1]?.kind !== 'string') return undefined;
  return ['not-a-read', 'USING with a text is not available here: it runs a program.'];
}

/** Format names in the position of a schema, where the service reads a path. */
const fileFormats = new Set(
  'parquet orc csv json text binaryfile image avro delta deltasharing iceberg hudi xml excel jdbc kafka kinesis libsvm cloudfiles hive'.split(
    ' ',
  ),
);

/** Refuses ``json.`/path` ``, which reads a file. A schema or an alias with such a name looks the same and is refused too. */
function refusalOfFile(text: StatementText, index: number): Refusal | undefined {
  const name = nameAt(text, index);
  if (name === '' || textAt(text, index + 1) !== '.' || textAt(text, index - 1) === '.') return undefined;
  const isPath = text.tokens[index + 2]?.kind === 'identifier' && /[/:]/.test(nameAt(text, index + 2));
  const isFormat = fileFormats.has(name) || name.includes('.');
  if (!isFormat && !(isPath && isTablePlace(text, index))) return undefined;
  return [
    'not-a-read',
    `Files are not available here, and ${name}.… reads as one: write the catalog in front of a schema of that name, or another alias.`,
  ];
}

const clauses = new Set('from join select where group having order qualify limit on'.split(' '));

/** Detects a position after FROM or JOIN, at any depth of brackets. */
function isTablePlace(text: StatementText, index: number): boolean {
  let depth = 0;
  for (let at = index - 1; at >= 0; at--) {
    const sign = textAt(text, at);
    if (sign === ')') depth++;
    else if (sign === '(') depth = Math.max(0, depth - 1);
    else if (depth === 0 && clauses.has(wordAt(text, at)))
      return wordAt(text, at) === 'from' || wordAt(text, at) === 'join';
  }
  return false;
}

/** Refuses `table WITH ('path' = '…')`: it passes options to the reader of the table. */
function refusalOfOptions(text: StatementText, index: number): Refusal | undefined {
  if (wordAt(text, index) !== 'with' || textAt(text, index + 1) !== '(') return undefined;
  return ['syntax-refused', 'Options of a table are not available here.'];
}

/** Refuses `SYSTEM.AI`: it contains models, and functions that run code from their arguments. */
function refusalOfNamespace(text: StatementText, index: number): Refusal | undefined {
  const isOfService = textAt(text, index - 1) === '.' && nameAt(text, index - 2) === 'system';
  if (nameAt(text, index) !== 'ai' || !isOfService) return undefined;
  return ['function-refused', 'Functions of SYSTEM.AI are not available here.'];
}
