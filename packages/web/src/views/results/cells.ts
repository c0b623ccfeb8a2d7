import type { QueryPreview } from '@svc/contract';
import { orderOf } from './ordering.ts';

type PreviewColumn = QueryPreview['columns'][number];
/** Column of a result. `maskedReason` is absent if the service does not return the reason. */
export type ResultColumn = Omit<PreviewColumn, 'maskedReason'> & Partial<Pick<PreviewColumn, 'maskedReason'>>;
export type Cell = string | number | boolean | null;
export type ResultRow = readonly Cell[];

const numberKinds = new Set(['integer', 'decimal', 'float']);
const timeKinds = new Set(['date', 'time', 'timestamp', 'timestamptz']);

export const isNumber = (column: ResultColumn): boolean => numberKinds.has(column.kind) && !column.isMasked;
export const isTime = (column: ResultColumn): boolean => timeKinds.has(column.kind) && !column.isMasked;

/** Returns a value as text. Large integers remain exact, because the service sends them as text. */
export const textOf = (cell: unknown): string =>
  cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);

/** Returns the rows of a preview as arrays of cells. */
export const rowsOf = (preview: Pick<QueryPreview, 'rows'>): readonly ResultRow[] =>
  preview.rows.map((row) =>
    row.map((cell) => (cell !== null && typeof cell === 'object' ? JSON.stringify(cell) : (cell as Cell))),
  );

/** Returns the order of a column's cells. Masked cells are texts, regardless of the column's type. */
const orderOfColumn = (column: ResultColumn) => orderOf(column.isMasked ? 'text' : column.kind);

export type GridSort = { readonly column: number; readonly isDescending: boolean };

/** Returns row numbers in the requested order. Equal rows retain their order; NULL comes last in both directions. */
export function sortedOrder(
  columns: readonly ResultColumn[],
  rows: readonly ResultRow[],
  sort: GridSort | null,
): readonly number[] {
  const column = sort === null ? undefined : columns[sort.column];
  if (!sort || !column) return rows.map((_, index) => index);
  const { key, compare } = orderOfColumn(column);
  const direction = sort.isDescending ? -1 : 1;
  const entries = rows.map((row, index) => {
    const cell = row[sort.column] ?? null;
    return { index, key: cell === null ? null : key(cell) };
  });
  entries.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    return direction * compare(a.key, b.key);
  });
  return entries.map(({ index }) => index);
}

/** Returns tab-separated text for a spreadsheet, with a header. Fields with line breaks or tabs are quoted. */
export function toTsv(columns: readonly ResultColumn[], rows: readonly ResultRow[]): string {
  const field = (cell: Cell | string): string => {
    const text = textOf(cell);
    return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns.map((column) => field(column.name)), ...rows.map((row) => row.map(field))]
    .map((line) => line.join('\t'))
    .join('\n');
}

export type ColumnStatistics = {
  readonly count: number;
  readonly nulls: number;
  readonly distinct: number;
  readonly min: string | null;
  readonly max: string | null;
  readonly mean: number | null;
  readonly sum: number | null;
  readonly most: readonly { readonly value: string; readonly count: number }[];
};

const mostShown = 5;

/** Returns statistics of a column over the loaded rows. */
export function statisticsOf(column: ResultColumn, cells: readonly Cell[]): ColumnStatistics {
  const present = cells.filter((cell): cell is Exclude<Cell, null> => cell !== null);
  const counts = new Map<string, number>();
  for (const cell of present) counts.set(textOf(cell), (counts.get(textOf(cell)) ?? 0) + 1);
  const { key, compare } = orderOfColumn(column);
  const ordered = present
    .map((cell) => ({ cell, key: key(cell) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ cell }) => cell);
  const numbers = isNumber(column) ? present.map(Number).filter(Number.isFinite) : [];
  const sum = numbers.length > 0 ? numbers.reduce((total, value) => total + value, 0) : null;
  return {
    count: cells.length,
    nulls: cells.length - present.length,
    distinct: counts.size,
    min: ordered.length > 0 ? textOf(ordered[0]) : null,
    max: ordered.length > 0 ? textOf(ordered.at(-1)) : null,
    mean: sum === null ? null : sum / numbers.length,
    sum,
    most: [...counts]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, mostShown)
      .map(([value, count]) => ({ value, count })),
  };
}
