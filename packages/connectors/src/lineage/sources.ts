import type { Column } from '../values.ts';
import type { ColumnSources } from './query.ts';

/** Sources of each column, or the shared sources of all columns. Undefined: they were not computed. */
export type Sources = readonly ColumnSources[] | ColumnSources | undefined;

/** Adds its sources to each column. */
export function withSources(columns: readonly Column[], sources: Sources): readonly Column[] {
  if (sources === undefined) return columns;
  const shared: ColumnSources = isList(sources) ? { names: [], unknown: 'the number of columns' } : sources;
  const each = isList(sources) && sources.length === columns.length ? sources : [];
  return columns.map((column, index) => ({ ...column, sources: each[index] ?? shared }));
}

const isList = (sources: readonly ColumnSources[] | ColumnSources): sources is readonly ColumnSources[] =>
  Array.isArray(sources);
