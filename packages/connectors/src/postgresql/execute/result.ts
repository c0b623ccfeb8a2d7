import { plural } from '@svc/contract/wording';
import type pg from 'pg';
import { ConnectorError } from '../../error.ts';
import type { ExecuteOptions } from '../../port.ts';
import { type Batch, batchOfRows, type Cell, type Column, type ColumnOrigin } from '../../values.ts';
import type { TypeNames } from './type-names.ts';
import { postgresqlCells, postgresqlType } from './types.ts';

/** Returns the columns of a result, with their origins if requested. */
export const columnsOf = (
  fields: readonly pg.FieldDef[],
  origins: readonly (ColumnOrigin | null)[] | undefined,
  typeNames: TypeNames,
): Column[] =>
  fields.map((field, index) => {
    const { name, kind } = postgresqlType(field.dataTypeID);
    return {
      name: field.name,
      kind,
      databaseType: typeNames.get(field.dataTypeID) ?? name,
      ...(origins ? { origin: origins[index] ?? null } : {}),
    };
  });

/** Converts the texts of one row to its cells. */
export type RowParser = (cells: readonly (string | null)[]) => Cell[];

/** Creates the parser of rows of a described statement. */
export function rowParser(
  fields: readonly pg.FieldDef[],
  { decimalsAsText = false }: Pick<ExecuteOptions, 'decimalsAsText'> = {},
): RowParser {
  const parsers = fields.map(({ dataTypeID }) =>
    decimalsAsText && postgresqlType(dataTypeID).kind === 'decimal'
      ? (text: string): Cell => text
      : (postgresqlCells.getTypeParser(dataTypeID, 'text') as (text: string) => Cell),
  );
  return (cells) => cells.map((text, index) => (text === null ? null : (parsers[index]?.(text) ?? null)));
}

/** Counts UTF-16 units, which never exceed the bytes. This is exact enough for a limit, and cheap. */
export function assertCellSizes(rows: readonly (readonly Cell[])[], maxCellBytes: number): void {
  for (const row of rows) {
    for (const cell of row) {
      if (typeof cell === 'string' && cell.length > maxCellBytes) {
        throw new ConnectorError(
          'value-too-large',
          `A value of the result has more than ${plural(maxCellBytes, 'byte')}.`,
        );
      }
    }
  }
}

/** Returns the rows of a finished statement. */
export function oneBatch(
  rows: readonly Cell[][],
  columns: readonly Column[],
  { maxCellBytes }: ExecuteOptions,
): AsyncIterable<Batch> {
  let isTaken = rows.length === 0;
  const iterator: AsyncIterableIterator<Batch, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      if (isTaken) return { done: true, value: undefined };
      isTaken = true;
      assertCellSizes(rows, maxCellBytes);
      return { done: false, value: batchOfRows(rows, columns.length) };
    },
    return: async () => {
      isTaken = true;
      return { done: true, value: undefined };
    },
  };
  return iterator;
}
