import { type DecodedEncoding, decodedTexts, isOpenAfter, linesOf } from './decoded-file.ts';

/** Options with which the engine divides a CSV file into rows. */
export type CsvRows = {
  readonly encoding: DecodedEncoding;
  readonly quote: string;
  readonly escape: string;
  /** Prefix of lines that the engine does not get; undefined for none. */
  readonly comment: string | undefined;
  /** Lines before the header or the first row, without lines with the comment prefix. */
  readonly skippedLines: number;
  readonly hasHeader: boolean;
  /** The engine reads empty lines only in a file of one column. */
  readonly columnCount: number;
};

/**
 * Returns the line, from 1, on which a row begins. Reads the file up to this line.
 *
 * @param row  number of the row, from 1, without the header
 */
export async function lineOfRow(path: string, row: number, rows: CsvRows): Promise<number> {
  const counter = new RowCounter(row, rows);
  for await (const lines of linesOf(decodedTexts(path, rows.encoding)))
    for (const line of lines) if (counter.take(line)) return counter.lines;
  return counter.lines;
}

class RowCounter {
  readonly #rows: CsvRows;
  #remainingLines: number;
  #remainingRows: number;
  #isOpen = false;
  /** Lines so far. */
  lines = 0;

  constructor(row: number, rows: CsvRows) {
    this.#rows = rows;
    this.#remainingLines = rows.skippedLines;
    this.#remainingRows = rows.hasHeader ? row + 1 : row;
  }

  /** @returns true for the line on which the row begins. */
  take(line: string): boolean {
    const { quote, escape: mark, comment, columnCount } = this.#rows;
    this.lines += 1;
    if (!this.#isOpen) {
      if (comment !== undefined && line.startsWith(comment)) return false;
      if (this.#remainingLines > 0) {
        this.#remainingLines -= 1;
        return false;
      }
      if (columnCount > 1 && /^[\r\n]*$/.test(line)) return false;
      this.#remainingRows -= 1;
      if (this.#remainingRows === 0) return true;
    }
    const text = mark === quote ? line : line.replaceAll(mark + quote, '');
    this.#isOpen = isOpenAfter(text, quote, this.#isOpen);
    return false;
  }
}
