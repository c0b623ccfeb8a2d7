import { count, plural } from '@svc/contract';
import { cellToText } from './cell.ts';
import { cut, type Message, singleLine } from './message.ts';

/** Bounds of a table in fixed width. */
export type TextTableLimits = { readonly columnsMax: number; readonly widthMax: number };

const widthOf = (text: string) => Array.from(text).length;

/** A cell on one line, cut to a width. */
export function cellLine(cell: unknown, widthMax: number): string {
  return cut(singleLine(cellToText(cell)), widthMax);
}

/**
 * Rows as lines of a fixed-width table: a line of names, a line of dashes, a line per row. Columns are as wide as
 * their widest cell, counted in characters.
 */
export function textTable(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  { columnsMax, widthMax }: TextTableLimits,
): string[] {
  const names = columns.slice(0, columnsMax).map((name) => cellLine(name, widthMax));
  const cells = rows.map((row) => names.map((_name, index) => cellLine(row[index], widthMax)));
  const widths = names.map((name, index) =>
    Math.max(widthOf(name), ...cells.map((row) => widthOf(row[index] ?? ''))),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => text + ' '.repeat((widths[index] ?? 0) - widthOf(text)))
      .join(' | ')
      .trimEnd();
  return [line(names), widths.map((width) => '-'.repeat(width)).join('-+-'), ...cells.map(line)];
}

/** How much of a result a message shows, in one honest sentence without its full stop. */
export function resultsLine(message: Message, shown: { rows: number; columns: number }): string {
  const { columns, timedOut, totalRows } = message;
  const start = timedOut ? 'The run timed out. ' : '';
  if (totalRows === undefined) return `${start}There are no results`;
  if (message.failedRules) return `${start}${rulesLine(totalRows, shown.rows, message.failedRules.rowCount)}`;
  // The results line is fixed: X of Y total records.
  const records = `${start}Showing ${count(shown.rows)} of ${count(totalRows)} total records`;
  return shown.columns < columns.length
    ? `${records}, the first ${shown.columns} of ${plural(columns.length, 'column')}`
    : records;
}

/** "3 rules did not pass, with 183 rows"; names how many are shown where the message has room for fewer. */
function rulesLine(rules: number, shown: number, rowCount: number | undefined): string {
  const rows = rowCount === undefined ? '' : `, with ${plural(rowCount, 'row')}`;
  const cut = shown < rules ? `; the first ${count(shown)} are shown` : '';
  return `${plural(rules, 'rule')} did not pass${rows}${cut}`;
}
