import { clickhouseDialect } from '../sql/dialects.ts';
import type { SqlToken } from '../sql/lexer.ts';
import { type ReadOnlyRules, refuseStatement } from '../sql/read-only-gate.ts';

/**
 * Table functions that read files or other servers or run programs, and functions that act outside their result or only
 * burn time. A read-only session refuses most of them, `file` and `sleep` it does not.
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
  'sleep',
  'sleepeachrow',
  'logtrace',
  'generateserialid',
  'catboostevaluate',
  'modelevaluate',
  'aiclassify',
  'aiembed',
  'aiextract',
  'aigenerate*',
  'aitranslate',
  'addresstoline*',
  'addresstosymbol',
];

const into = 'INTO is not available here: it writes a table or a file.';
const firstWords = new Set(['select', 'with', 'from', 'show', 'describe', 'desc', 'explain', 'exists']);

/** What ClickHouse may be asked. */
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

/** Letters, digits, underscores: all that a name has without quotes. */
const plainWord = /^\w+$/;

/**
 * The server reads `$…$` and typographic quotes as quotes in ways that changed between versions, and backslashes within
 * names: whatever could be read in two ways is refused.
 */
function assertForms(sql: string, tokens: readonly SqlToken[]): void {
  const wordAt = (index: number): string => {
    const token = tokens[index];
    return token?.kind === 'word' ? sql.slice(token.start, token.end).toLowerCase() : '';
  };
  for (const [index, token] of tokens.entries()) {
    const text = sql.slice(token.start, token.end);
    if (token.isUnterminated)
      refuseStatement('syntax-refused', 'A quote or a comment is not closed.', sql, token.start);
    if (text === '$' || (token.kind === 'word' && !plainWord.test(text)))
      refuseStatement(
        'syntax-refused',
        'Outside quotes a name has letters, digits and underscores only.',
        sql,
        token.start,
      );
    if (token.kind === 'identifier' && text.includes('\\'))
      refuseStatement('syntax-refused', 'A quoted name must not hold a backslash.', sql, token.start);
    if (wordAt(index) === 'with' && wordAt(index + 1) === 'totals')
      refuseStatement(
        'syntax-refused',
        'WITH TOTALS is not available here: use WITH ROLLUP.',
        sql,
        token.start,
      );
    if (wordAt(index) === 'parallel' && wordAt(index + 1) === 'with')
      refuseStatement(
        'more-than-one-statement',
        'Only one statement may be run at a time.',
        sql,
        token.start,
      );
    if (wordAt(index) === 'format' && isLastClause(wordAt, index + 1, tokens.length, sql, tokens))
      refuseStatement('syntax-refused', 'FORMAT is not available here: leave it out.', sql, token.start);
  }
}

/** `FORMAT name` as a clause: at the end, or before `SETTINGS`. */
function isLastClause(
  wordAt: (index: number) => string,
  name: number,
  count: number,
  sql: string,
  tokens: readonly SqlToken[],
): boolean {
  if (wordAt(name) === '') return false;
  const after = tokens[name + 1];
  return name + 1 >= count || wordAt(name + 1) === 'settings' || sql[after?.start ?? 0] === ';';
}
