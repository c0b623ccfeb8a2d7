import { type GlossaryColumn, glossaryColumns } from '@svc/contract';
import { csvOf, readableAgain } from '../../../platform/tabular/index.ts';
import type { TermRow } from '../store.ts';
import { writeSynonyms } from './synonyms-text.ts';

const cellOf: Readonly<Record<GlossaryColumn, (term: TermRow) => string>> = {
  term: ({ term }) => term,
  synonyms: ({ synonyms }) => writeSynonyms(synonyms),
  definition: ({ definition }) => definition,
  dataSource: ({ dataSourceName }) => dataSourceName ?? '',
  schema: ({ target }) => target?.schema ?? '',
  table: ({ target }) => target?.table ?? '',
  column: ({ target }) => target?.column ?? '',
  metricExpression: ({ metricExpression }) => metricExpression ?? '',
  isActive: ({ isActive }) => String(isActive),
};

/** Writes terms as CSV that `readRecords` can read. */
export async function* termsAsCsv(terms: readonly TermRow[]): AsyncGenerator<string> {
  const columns = glossaryColumns.map((name) => ({ name, isText: true }));
  const batch = {
    rowCount: terms.length,
    columns: glossaryColumns.map((name) => terms.map((term) => readableAgain(cellOf[name](term)))),
  };
  yield* csvOf(columns, once(batch));
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}
