import { guardFormula, type TabularBatch, type TabularColumn } from './cell-text.ts';
import { numberText } from './number-text.ts';

/** Rows that are written at a time: small enough that other work gets its turn in between. */
const rowsAtOnce = 100;
const byteOrderMark = '\uFEFF';
/** What RFC 4180 wants quoted, and what other readers take for the end of a field. */
const needsQuotes = /[",;\s]/;

type Cell = TabularBatch['columns'][number][number];

/**
 * Writes batches as CSV: RFC 4180, UTF-8 with a byte order mark, CRLF, a heading, NULL as an empty field. Text that a
 * spreadsheet would take for a formula is led by an apostrophe. Written by hand, since a million rows took a third less
 * processor time and memory than through a library.
 */
export async function* csvOf(
  columns: readonly TabularColumn[],
  batches: AsyncIterable<TabularBatch>,
): AsyncGenerator<string> {
  yield `${byteOrderMark}${columns.map(({ name }) => fieldOf(name, true)).join(',')}\r\n`;
  for await (const batch of batches) {
    for (let start = 0; start < batch.rowCount; start += rowsAtOnce) {
      yield linesOf(columns, batch, start, Math.min(start + rowsAtOnce, batch.rowCount));
    }
  }
}

function linesOf(columns: readonly TabularColumn[], batch: TabularBatch, start: number, end: number): string {
  let text = '';
  for (let row = start; row < end; row += 1) {
    for (let position = 0; position < columns.length; position += 1) {
      if (position > 0) text += ',';
      text += fieldOf(batch.columns[position]?.[row] ?? null, columns[position]?.isText === true);
    }
    text += '\r\n';
  }
  return text;
}

function fieldOf(cell: Cell, isText: boolean): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return numberText(cell);
  if (typeof cell !== 'string') return String(cell);
  const text = isText ? guardFormula(cell) : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
