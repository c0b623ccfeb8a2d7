import { count, plural } from '@svc/contract';
import { cellToText } from './cell.ts';
import { cut, type Message, singleLine } from './message.ts';

/** Bounds of a fixed-width table. */
export type TextTableLimits = { readonly columnsMax: number; readonly widthMax: number };

const widthOf = (text: string) => Array.from(text).length;

/** Returns a cell on one line, cut to a width. */
export function cellLine(cell: unknown, widthMax: number): string {
  return cut(singleLine(cellToText(cell)), widthMax);
}

/**
 * Returns rows as lines of a fixed-width table: names, dashes, and one line per row. The widest cell sets the width of
 * a column, counted in characters.
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

/** Returns a sentence without full stop about the shown share of the result. */
export function resultsLine(message: Message, shown: { rows: number; columns: number }): string {
  const { columns, timedOut, totalRows } = message;
  const start = timedOut ? 'The run timed out. ' : '';
  if (totalRows === undefined) return `${start}There are no results`;
  if (message.failedRules)
    return `${start}${rulesLine(totalRows, shown.rows, message.failedRules.violationCount)}`;
  // The spec fixes this text: X of Y total records.
  const records = `${start}Showing ${count(shown.rows)} of ${count(totalRows)} total records`;
  return shown.columns < columns.length
    ? `${records}, the first ${shown.columns} of ${plural(columns.length, 'column')}`
    : records;
}

/** Returns "3 rules did not pass, with 183 violations", and the shown number if the message shows fewer rules. */
function rulesLine(rules: number, shown: number, violationCount: number | undefined): string {
  const violations = violationCount === undefined ? '' : `, with ${plural(violationCount, 'violation')}`;
  const cut = shown < rules ? `; the first ${count(shown)} are shown` : '';
  return `${plural(rules, 'rule')} did not pass${violations}${cut}`;
}
