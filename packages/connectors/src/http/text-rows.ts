import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../error.ts';
import type { Cell } from '../values.ts';
import { assertFewValues, holdsMoreValues } from './json/bounded-json.ts';

/** Converts a text to a cell; undefined for a text that is invalid for the column's type. */
export type CellReader = (text: string) => Cell | undefined;

/** Returns a reader that accepts texts of one form. */
export const formed =
  (form: RegExp, cell: (text: string) => Cell): CellReader =>
  (text) =>
    form.test(text) ? cell(text) : undefined;

/**
 * Returns the service's own text, so that its numbers stay exact. Text that is not JSON (`NaN`, `undefined`) becomes
 * a JSON string.
 */
export function jsonCell(text: string): string {
  assertFewValues(text, 'A value');
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}

export type RowReader = (row: string) => Cell[];

export type RowOptions = {
  readonly maxCellBytes: number;
  /** Returns the error for an answer in an unexpected form. */
  readonly unreadable: () => ConnectorError;
};

/** Returns a reader of rows that are JSON lists of texts and nulls, with one reader per column. */
export const textRowReader =
  (readers: readonly CellReader[], { maxCellBytes, unreadable }: RowOptions): RowReader =>
  (row) => {
    const values = parseRow(row, readers.length);
    if (values?.length !== readers.length) throw unreadable();
    return readers.map((read, at) => {
      const value: unknown = values[at];
      if (value === null) return null;
      if (typeof value !== 'string') throw unreadable();
      // A cell is at least half as long as its text: this one exceeds the limit in any case.
      if (value.length > 2 * maxCellBytes) throw tooLarge(maxCellBytes);
      const cell = read(value);
      if (cell === undefined) throw unreadable();
      if (typeof cell === 'string' && Buffer.byteLength(cell) > maxCellBytes) throw tooLarge(maxCellBytes);
      return cell;
    });
  };

const tooLarge = (bytesMax: number): ConnectorError =>
  new ConnectorError('value-too-large', `A value of the result has more than ${plural(bytesMax, 'byte')}.`);

/** Rows with at most this many characters are parsed without counting their values. */
const shortLength = 65_536;

function parseRow(text: string, columnCount: number): unknown[] | undefined {
  // Counts the list and its values. The service never nests values here, and parsing many could exhaust the memory.
  if (text.length > shortLength && holdsMoreValues(text, columnCount + 1)) return undefined;
  try {
    const row: unknown = JSON.parse(text);
    return Array.isArray(row) ? row : undefined;
  } catch {
    return undefined;
  }
}
