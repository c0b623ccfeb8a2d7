import { clickhouseDialect } from '../sql/dialects.ts';
import { readSqlTokens, type SqlToken, tokenText } from '../sql/lexer.ts';
import { type ReadOnlyRules, refuseStatement } from '../sql/read-only-gate.ts';

/** Refused functions that return a value. A statement can name them without a bracket. */
const valueFunctions = [
  'file',
  'sleep',
  'sleepeachrow',
  'logtrace',
  'generateserialid',
  'catboostevaluate',
  'modelevaluate',
  'aiclassify',
  'aiembed',
  'aiextract',
  'aigenerate',
  'aigeneratecontent',
  'aitranslate',
  'addresstoline',
  'addresstolinewithinlines',
  'addresstosymbol',
];

/**
 * Table functions that read files or other servers or run programs, and functions that have side effects or only
 * consume time. A read-only session refuses most of them, but not `file` and `sleep`.
 */
const refusedFunctions = [
  'file',
  'filecluster',
  'filesystem',
  'url',
  'urlcluster',
  's3*',
  'gcs*',
  'oss',
  'cosn',
  'hdfs*',
  'azureblobstorage*',
  'iceberg*',
  'deltalake*',
  'hudi*',
  'paimon*',
  'hive',
  'remote*',
  'cluster*',
  'mysql',
  'postgresql',
  'mongodb',
  'redis',
  'sqlite',
  'jdbc',
  'odbc',
  'ytsaurus',
  'arrowflight*',
  'arrowstream',
  'executable*',
  'eval',
  'input',
  'addresstoline*',
  ...valueFunctions,
];

const into = 'INTO is not available here: it writes a table or a file.';
const firstWords = new Set(['select', 'with', 'from', 'show', 'describe', 'desc', 'explain', 'exists']);

/** Statements that ClickHouse accepts. */
export const clickhouseRules: ReadOnlyRules = {
  dialect: clickhouseDialect,
  firstWords,
  refusedFunctions,
  explainedWords: new Set(['select', 'with', 'from']),
  refusedWords: new Map([
    ['into', into],
    ['outfile', into],
  ]),
  assertForms,
};

/** Characters of a name without quotes: letters, digits and underscores. */
const plainWord = /^\w+$/;
const namesOfFunctions = new Set(valueFunctions);

/** Tokens of a statement, without its comments. */
type Text = { readonly sql: string; readonly tokens: readonly SqlToken[] };
type Refusal = readonly [
  code: 'syntax-refused' | 'function-refused' | 'more-than-one-statement',
  message: string,
];

/**
 * Refuses forms with more than one reading. The server's versions differ in `$…$`, in typographic quotes, and in
 * backslashes within names.
 */
function assertForms(sql: string, tokens: readonly SqlToken[]): void {
  const text = { sql, tokens };
  const open = readSqlTokens(sql, clickhouseDialect).find(({ isUnterminated }) => isUnterminated);
  if (open) refuseStatement('syntax-refused', 'A quote or a comment is not closed.', sql, open.start);
  for (const [index, token] of tokens.entries()) {
    const refusal = refusalOfToken(text, token) ?? refusalOfName(text, index) ?? refusalOfClause(text, index);
    if (!refusal) continue;
    const [code, message] = refusal;
    refuseStatement(code, message, sql, token.start);
  }
}

function refusalOfToken({ sql }: Text, token: SqlToken): Refusal | undefined {
  const text = sql.slice(token.start, token.end);
  if (text === '$' || (token.kind === 'word' && !plainWord.test(text)))
    return ['syntax-refused', 'Outside quotes a name has letters, digits and underscores only.'];
  if (token.kind === 'identifier' && text.includes('\\'))
    return ['syntax-refused', 'A quoted name must not hold a backslash.'];
  return undefined;
}

const textAt = ({ sql, tokens }: Text, index: number): string =>
  sql.slice(tokens[index]?.start ?? 0, tokens[index]?.end ?? 0).toLowerCase();

/**
 * Refuses a bare name that may mean a function: `APPLY file`, `arrayMap(file, …)`. A name with its table, or after
 * AS, is not a function.
 */
function refusalOfName(text: Text, index: number): Refusal | undefined {
  const token = text.tokens[index];
  if (token?.kind !== 'word' && token?.kind !== 'identifier') return undefined;
  const name = tokenText(text.sql, token);
  const [before, after] = [textAt(text, index - 1), textAt(text, index + 1)];
  if (!namesOfFunctions.has(name.toLowerCase()) || after === '(') return undefined;
  if (before === '.' || after === '.' || ['as', 'from', 'join', 'table'].includes(before)) return undefined;
  const message = `${name} is a function that is not available here. Write a column of that name with its table: t.${name}.`;
  return ['function-refused', message];
}

function refusalOfClause(text: Text, index: number): Refusal | undefined {
  if (text.tokens[index]?.kind !== 'word') return undefined;
  const [word, next] = [textAt(text, index), textAt(text, index + 1)];
  if (word === 'with' && next === 'totals')
    return ['syntax-refused', 'WITH TOTALS is not available here: use WITH ROLLUP.'];
  if (word === 'parallel' && next === 'with')
    return ['more-than-one-statement', 'Only one statement may be run at a time.'];
  if (word === 'format' && isFormatClause(text, index))
    return ['syntax-refused', 'FORMAT is not available here. Remove it.'];
  return undefined;
}

/** Detects `FORMAT name` as a clause: at the end, or before `SETTINGS`. */
const isFormatClause = (text: Text, index: number): boolean =>
  text.tokens[index + 1]?.kind === 'word' && ['', ';', 'settings'].includes(textAt(text, index + 2));
