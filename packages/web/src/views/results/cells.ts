import type { QueryPreview } from '@svc/contract';
import { orderOf } from './ordering.ts';

type PreviewColumn = QueryPreview['columns'][number];
/** A column of a result. `maskedReason` is absent where the server does not return the reason. */
export type ResultColumn = Omit<PreviewColumn, 'maskedReason'> & Partial<Pick<PreviewColumn, 'maskedReason'>>;
export type Cell = string | number | boolean | null;
export type ResultRow = readonly Cell[];

const numberKinds = new Set(['integer', 'decimal', 'float']);
const timeKinds = new Set(['date', 'time', 'timestamp', 'timestamptz']);

export const isNumber = (column: ResultColumn): boolean => numberKinds.has(column.kind) && !column.isMasked;
export const isTime = (column: ResultColumn): boolean => timeKinds.has(column.kind) && !column.isMasked;

/** A value as the service sent it, as text; big integers stay exact, since they come as text. */
export const textOf = (cell: unknown): string =>
  cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);

/** Rows as the service sends them. */
export const rowsOf = (preview: Pick<QueryPreview, 'rows'>): readonly ResultRow[] =>
  preview.rows.map((row) =>
    row.map((cell) => (cell !== null && typeof cell === 'object' ? JSON.stringify(cell) : (cell as Cell))),
  );

/** Masked cells are texts, whatever the column holds. */
const orderOfColumn = (column: ResultColumn) => orderOf(column.isMasked ? 'text' : column.kind);

export type GridSort = { readonly column: number; readonly isDescending: boolean };

/** Row numbers in the requested order. Equal rows retain their order; NULL comes last in both directions. */
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

/** Tab-separated text that a spreadsheet takes: names first; line breaks and tabs in quotes. */
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

/** What a column holds, over the rows that are here. */
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
