import { readSqlTokens, type SqlDialect, tokenText } from '@svc/connectors';
import { type Knowledge, tableNameOf } from '../../grounding/index.ts';
import { type ReadStatement, readStatement, schemaNames } from '../../learning/index.ts';
import { multipliedAdvice } from './multiplied-rows.ts';
import { unknownValueAdvice } from './unknown-values.ts';

const comparisons = new Set(['=', '<>', '!=']);

/** Returns advice on a statement without running it and without a model. */
export function advisoriesOf(
  sql: string,
  dialect: SqlDialect,
  knowledge: Pick<Knowledge, 'engine' | 'tables' | 'keys' | 'values'>,
): string[] {
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
  const read = readStatement(sql, dialect, schemaNames(knowledge.tables));
  return [
    ...advice,
    ...joinAdvice(read, knowledge),
    ...multipliedAdvice(read, knowledge),
    ...unknownValueAdvice(read, knowledge),
  ];
}

/** Returns advice for joins that match no known key. Without any known key there is no advice. */
function joinAdvice({ joins }: Pick<ReadStatement, 'joins'>, { keys }: Pick<Knowledge, 'keys'>): string[] {
  if (keys.length === 0) return [];
  const pair = (one: readonly string[], other: readonly string[]): string =>
    [JSON.stringify(one), JSON.stringify(other)].toSorted().join();
  const along = new Set(
    keys.flatMap(({ source, target }) =>
      source.columns.map((column, at) =>
        pair(
          [tableNameOf({ schema: source.schema, name: source.table }), column],
          [tableNameOf({ schema: target.schema, name: target.table }), target.columns[at] ?? ''],
        ),
      ),
    ),
  );
  return joins
    .filter(([table, column, other, otherColumn]) => !along.has(pair([table, column], [other, otherColumn])))
    .map(
      ([table, column, other, otherColumn]) =>
        `It joins ${table} and ${other} by ${column} and ${otherColumn}, of which no key is known.`,
    );
}

/** Returns the operator before a word. It may consist of two symbols. */
const joined = (words: readonly string[], at: number): string => {
  const before = words[at - 1] ?? '';
  const two = `${words[at - 2] ?? ''}${before}`;
  return comparisons.has(two) ? two : before;
};

/** Returns the tables that a statement names. @param tables  In lower case. */
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
