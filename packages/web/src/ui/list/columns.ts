import type { ReactNode } from 'react';

export type Column<Row> = {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** Name that the server sorts by. Absent: the list cannot be sorted by it. */
  readonly sort?: string;
  readonly align?: 'right';
  /** CSS width. The first column takes the remaining space. */
  readonly width?: string;
  /** Width in a table narrower than 480 pixels. Default: `width`, at most 28 % of the table. */
  readonly narrowWidth?: string;
  /** Hidden while the table is narrower than this number of pixels. */
  readonly from?: 480 | 640 | 800 | 960;
  /** Hidden by default. */
  readonly isExtra?: boolean;
};

/**
 * Returns the sort parameter after a press on a column header: ascending, descending, then the list's default order.
 */
export function nextSort(present: string | undefined, name: string): string | undefined {
  if (present === name) return `-${name}`;
  if (present === `-${name}`) return undefined;
  return name;
}

/** Returns the `aria-sort` value of a column. */
export function sortState(
  present: string | undefined,
  name: string | undefined,
): 'ascending' | 'descending' | 'none' | undefined {
  if (name === undefined) return undefined;
  if (present === name) return 'ascending';
  return present === `-${name}` ? 'descending' : 'none';
}
