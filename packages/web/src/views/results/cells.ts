import type { QueryPreview } from '@svc/contract';

export type ResultColumn = QueryPreview['columns'][number];
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

const wholePattern = /^-?\d+$/;

function compareNumbers(a: Cell, b: Cell): number {
  // Integers beyond the safe range come as decimal text and must not pass through a double.
  if (wholePattern.test(String(a)) && wholePattern.test(String(b))) {
    const [left, right] = [BigInt(String(a)), BigInt(String(b))];
    return left < right ? -1 : left > right ? 1 : 0;
  }
  return Number(a) - Number(b);
}

/** Made once: making it for each comparison takes most of the time of sorting. */
const collator = new Intl.Collator('en', { numeric: true });

/** Order of two cells of a column; NULL comes last, whichever way. */
export function compareCells(column: ResultColumn, a: Cell, b: Cell): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (isNumber(column)) return compareNumbers(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return collator.compare(String(a), String(b));
}

export type GridSort = { readonly column: number; readonly isDescending: boolean };

/** Row numbers in the wanted order. Rows that are equal keep theirs. */
export function sortedOrder(
  columns: readonly ResultColumn[],
  rows: readonly ResultRow[],
  sort: GridSort | null,
): readonly number[] {
  const order = rows.map((_, index) => index);
  const column = sort === null ? undefined : columns[sort.column];
  if (!sort || !column) return order;
  const cell = (row: number): Cell => rows[row]?.[sort.column] ?? null;
  return order.sort((a, b) => {
    const [left, right] = [cell(a), cell(b)];
    if (left === null || right === null) return compareCells(column, left, right);
    return (sort.isDescending ? -1 : 1) * compareCells(column, left, right);
  });
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
  const ordered = present.toSorted((a, b) => compareCells(column, a, b));
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
