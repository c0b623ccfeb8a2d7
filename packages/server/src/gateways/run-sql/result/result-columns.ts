import { type Column, distinctNames } from '@svc/connectors';
import { toStorable } from '../../../platform/text/index.ts';
import type { Masker } from '../masking/index.ts';
import type { RunColumn } from '../request.ts';

/** Makes column names unique, because messages use them as keys of a row. */
export function uniqueColumns(columns: readonly Column[]): RunColumn[] {
  const names = distinctNames(columns.map(({ name }) => toStorable(name)));
  return columns.map(({ kind, databaseType, isLoose }, index) => ({
    name: names[index] ?? '',
    kind,
    databaseType,
    ...(isLoose && { isLoose }),
  }));
}

/** Returns the columns of a masked result. A fully masked column is text, except for JSON. */
export function maskedColumns(columns: readonly Column[], masker: Masker): RunColumn[] {
  return uniqueColumns(columns).map((column, index) =>
    masker.isWholeColumn(index) && column.kind !== 'json' ? { ...column, kind: 'text' } : column,
  );
}
