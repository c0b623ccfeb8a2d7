import { ConnectorError } from '../error.ts';
import type { Cell } from '../values.ts';
import { assertFewValues, holdsMoreValues } from './bounded-json.ts';

/** Reads a value that came as a text; undefined where the service may not send such a one. */
export type CellReader = (text: string) => Cell | undefined;

/** A reader of texts of one form. */
export const formed =
  (form: RegExp, cell: (text: string) => Cell): CellReader =>
  (text) =>
    form.test(text) ? cell(text) : undefined;

/** The service's own text, so that its numbers stay exact. Some of it (`NaN`, `undefined`) is no JSON: a text then. */
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
  /** The error of an answer that is none of the service's. */
  readonly unreadable: () => ConnectorError;
};

/** How rows are read that are JSON lists of texts and nulls: one reader a column. */
export const textRowReader =
  (readers: readonly CellReader[], { maxCellBytes, unreadable }: RowOptions): RowReader =>
  (row) => {
    const values = parseRow(row, readers.length);
    if (values?.length !== readers.length) throw unreadable();
    return readers.map((read, at) => {
      const value: unknown = values[at];
      if (value === null) return null;
      if (typeof value !== 'string') throw unreadable();
      // No cell is half as long as what it came as: this one is not looked at.
      if (value.length > 2 * maxCellBytes) throw tooLarge(maxCellBytes);
      const cell = read(value);
      if (cell === undefined) throw unreadable();
      if (typeof cell === 'string' && Buffer.byteLength(cell) > maxCellBytes) throw tooLarge(maxCellBytes);
      return cell;
    });
  };

const tooLarge = (bytesMax: number): ConnectorError =>
  new ConnectorError('value-too-large', `A value of the result has more than ${bytesMax} bytes.`);

/** Rows of fewer characters are parsed as they are. */
const shortLength = 65_536;

function parseRow(text: string, columnCount: number): unknown[] | undefined {
  // The list and its values: what is nested in one is none of the service's, and may be too much for the memory.
  if (text.length > shortLength && holdsMoreValues(text, columnCount + 1)) return undefined;
  try {
    const row: unknown = JSON.parse(text);
    return Array.isArray(row) ? row : undefined;
  } catch {
    return undefined;
  }
}
