import { findByWords } from '../../packages/server/src/domains/mcp/context/search-index.ts';
import type { Bench } from '../run/bench.ts';
import type { Figure } from '../run/result.ts';
import { type Case, readCases, readTables } from './cases.ts';
import { findBySubstrings } from './substrings.ts';

const firstTables = 10;
const target = 0.95;

/** A search that returns table names for a question, best first. */
type Search = (question: string) => readonly string[];

/** Measures whether the search returns the tables that the statements of a question read. */
export const bench: Bench = {
  purpose: `tables that a question needs among the first ${firstTables} found, of 72 tables of 7 schemas in one project`,
  run: async () => {
    const tables = readTables();
    const cases = readCases(tables);
    const named = tables.map(({ name, columns }) => {
      const [schema = '', table = ''] = name.split('.');
      return {
        schema,
        name: table,
        comment: null,
        columns: columns.map(({ name: column, type, comment }) => ({
          name: column,
          comment,
          databaseType: type,
        })),
      };
    });
    const searched = {
      schemas: [{ dataSourceId: 1, tables: named }],
      queries: [],
      documents: [],
      isPersonal: () => false,
    };
    const index: Search = (question) => tablesOf(findByWords(searched, question));
    const substrings: Search = (question) => tablesOf(findBySubstrings(tables, question));
    return [
      figure(`the index, ${cases.length} questions`, rateOf(cases, index), { ratioMin: target }),
      figure(`unchanged words, ${cases.length} questions`, rateOf(cases, substrings), null),
    ];
  },
};

/** Returns the tables of the hits in their order. A column counts for its table. */
const tablesOf = (hits: readonly { readonly name: string }[]): string[] => [
  ...new Set(hits.map(({ name }) => name.split('.').slice(0, 2).join('.'))),
];

const rateOf = (cases: readonly Case[], search: Search): number =>
  cases.filter(({ question, needed }) => {
    const first = search(question).slice(0, firstTables);
    return needed.every((table) => first.includes(table));
  }).length / cases.length;

function figure(title: string, rate: number, wanted: Figure['target']): Figure {
  process.stdout.write(`${title.padEnd(44)} ${(rate * 100).toFixed(1)} %\n`);
  return {
    title,
    unit: 'questions with all tables',
    against: 'all',
    values: [],
    floorValues: [],
    ratios: [Math.round(rate * 10_000) / 10_000],
    target: wanted,
    pairs: null,
  };
}
