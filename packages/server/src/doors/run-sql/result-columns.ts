import { type Column, distinctNames } from '@svc/connectors';
import { toStorable } from '../../platform/text/index.ts';
import type { Masker } from './masking/index.ts';
import type { RunColumn } from './request.ts';

/** Names of columns are made distinct, since messages key rows by them. */
export function uniqueColumns(columns: readonly Column[]): RunColumn[] {
  const names = distinctNames(columns.map(({ name }) => toStorable(name)));
  return columns.map(({ kind, databaseType, isLoose }, index) => ({
    ...{ name: names[index] ?? '', kind, databaseType },
    ...(isLoose && { isLoose }),
  }));
}

/** The columns of a masked result: what is masked as a whole is text, whatever it was. */
export function maskedColumns(columns: readonly Column[], masker: Masker): RunColumn[] {
  return uniqueColumns(columns).map((column, index) =>
    masker.isWholeColumn(index) && column.kind !== 'json' ? { ...column, kind: 'text' } : column,
  );
}
