import type { ReactNode } from 'react';

/** One column of a list. */
export type Column<Row> = {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** Name that the server sorts by. Absent: the list cannot be sorted by it. */
  readonly sort?: string;
  readonly align?: 'right';
  /** Width in CSS; the first column takes what is left. */
  readonly width?: string;
  /** Width in a table narrower than 480 pixels; default `width`, at most 28 % of the table. */
  readonly narrowWidth?: string;
  /** Hidden while the table is narrower than this many pixels. */
  readonly from?: 480 | 640 | 800 | 960;
  /** Hidden until it is chosen. */
  readonly isExtra?: boolean;
};

/** The sort parameter after the header of a column was pressed: up, down, then the list's own order. */
export function nextSort(present: string | undefined, name: string): string | undefined {
  if (present === name) return `-${name}`;
  if (present === `-${name}`) return undefined;
  return name;
}

/** `aria-sort` of a column. */
export function sortState(
  present: string | undefined,
  name: string | undefined,
): 'ascending' | 'descending' | 'none' | undefined {
  if (name === undefined) return undefined;
  if (present === name) return 'ascending';
  return present === `-${name}` ? 'descending' : 'none';
}
