import type { Column } from '@svc/connectors';
import { toStorable } from '../../platform/text/index.ts';
import type { Masker } from './masking/index.ts';
import type { RunColumn } from './request.ts';

/** Rows are keyed by column name in messages, so names are made unique: a repeated one gets `_2`, `_3`, … */
export function uniqueColumns(columns: readonly Column[]): RunColumn[] {
  const taken = new Set<string>();
  return columns.map(({ name, kind, databaseType }) => {
    const own = toStorable(name);
    let unique = own;
    for (let number = 2; taken.has(unique); number++) unique = `${own}_${number}`;
    taken.add(unique);
    return { name: unique, kind, databaseType };
  });
}

/** The columns of a masked result: what is masked as a whole is text, whatever it was. */
export function maskedColumns(columns: readonly Column[], masker: Masker): RunColumn[] {
  return uniqueColumns(columns).map((column, index) =>
    masker.isWholeColumn(index) && column.kind !== 'json' ? { ...column, kind: 'text' } : column,
  );
}
