import { readSqlTokens, type SqlDialect, tokenText } from '@svc/connectors';

const comparisons = new Set(['=', '<>', '!=']);

/** What can be said of a statement without running it, and without asking a model. */
export function advisoriesOf(sql: string, dialect: SqlDialect): string[] {
  const words = readSqlTokens(sql, dialect)
    .filter(({ kind }) => kind !== 'comment')
    .map((token) => tokenText(sql, token).toLowerCase());
  const has = (word: string) => words.includes(word);
  const advice: string[] = [];
  if (words.some((word, at) => word === 'null' && comparisons.has(joined(words, at))))
    advice.push('It compares with NULL, which no value equals: `is null` may be meant.');
  if (has('limit') && !has('order'))
    advice.push('It takes some of the rows without an order: which ones, the database decides.');
  if (words.some((word, at) => word === 'select' && words[at + 1] === '*'))
    advice.push('It takes every column, also those that are added later.');
  return advice;
}

/** The operator before a word, also where it is told in two signs. */
const joined = (words: readonly string[], at: number): string => {
  const before = words[at - 1] ?? '';
  const two = `${words[at - 2] ?? ''}${before}`;
  return comparisons.has(two) ? two : before;
};

/** Those of the tables that a statement names. @param tables  In small letters. */
export const namedTables = (
  sql: string,
  dialect: SqlDialect,
  tables: ReadonlySet<string>,
): ReadonlySet<string> =>
  new Set(
    readSqlTokens(sql, dialect)
      .filter(({ kind }) => kind !== 'comment')
      .map((token) => tokenText(sql, token).toLowerCase())
      .filter((word) => tables.has(word)),
  );
