import { type CellReader, formed, jsonCell, type RowReader, textRowReader } from '../../http/text-rows.ts';
import type { ExecuteOptions } from '../../port.ts';
import { shortened } from '../../shortened.ts';
import { type Cell, type ColumnKind, decimalCell, floatCell, integerCell } from '../../values.ts';
import { unreadableAnswer } from '../errors.ts';
import { dateOf, instantOf, timestampOf } from './times.ts';

/** Column of a result, as the service describes it. */
export type DatabricksColumn = {
  readonly name: string;
  /** SQL text of the type, such as `DECIMAL(10,2)` or `ARRAY<STRING>`. */
  readonly type: string;
};

const kinds = new Map<string, ColumnKind>([
  ['TINYINT', 'integer'],
  ['BYTE', 'integer'],
  ['SMALLINT', 'integer'],
  ['SHORT', 'integer'],
  ['INT', 'integer'],
  ['INTEGER', 'integer'],
  ['BIGINT', 'integer'],
  ['LONG', 'integer'],
  ['FLOAT', 'float'],
  ['REAL', 'float'],
  ['DOUBLE', 'float'],
  ['BOOLEAN', 'boolean'],
  ['STRING', 'text'],
  ['VARCHAR', 'text'],
  ['CHAR', 'text'],
  ['BINARY', 'binary'],
  ['DATE', 'date'],
  ['TIMESTAMP', 'timestamptz'],
  ['TIMESTAMP_NTZ', 'timestamp'],
  ['INTERVAL', 'interval'],
  ['ARRAY', 'json'],
  ['MAP', 'json'],
  ['STRUCT', 'json'],
  ['VARIANT', 'json'],
  ['OBJECT', 'json'],
]);

const decimalTypes = new Set(['DECIMAL', 'DEC', 'NUMERIC']);

export function databricksKind({ type }: Pick<DatabricksColumn, 'type'>): ColumnKind {
  const first = /^\w+/.exec(type)?.[0].toUpperCase() ?? '';
  if (decimalTypes.has(first)) return /,\s*[1-9]\d*\s*\)$/.test(type) ? 'decimal' : 'integer';
  return kinds.get(first) ?? 'other';
}

const typeLengthMax = 2_000;

/** Returns the type for display; long texts are cut. */
export const databricksType = ({ type }: Pick<DatabricksColumn, 'type'>): string =>
  shortened(type, typeLengthMax);

/** Returns the reader of a column. All values are texts; an invalid text for the type reads as undefined. */
function cellReader(column: DatabricksColumn, decimalsAsText: boolean): CellReader {
  switch (databricksKind(column)) {
    case 'integer':
      return formed(/^-?\d+$/, integerCell);
    case 'decimal':
      return formed(/^-?\d+(\.\d+)?(e[-+]?\d+)?$/i, decimalsAsText ? (text) => text : decimalCell);
    case 'float':
      return float;
    case 'boolean':
      return (text) => (text === 'true' ? true : text === 'false' ? false : undefined);
    case 'binary':
      return binary;
    case 'date':
      return dateOf;
    case 'timestamp':
      return timestampOf;
    case 'timestamptz':
      return instantOf;
    case 'json':
      return jsonCell;
    default:
      return (text) => text;
  }
}

const denormals = new Set(['NaN', 'Infinity', '-Infinity']);

function float(text: string): Cell | undefined {
  if (denormals.has(text)) return text;
  return /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text) ? floatCell(text) : undefined;
}

/** Converts base64 to hexadecimal digits; undefined for invalid base64. */
function binary(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes.toString('hex') : undefined;
}

/** Returns the reader of rows with these columns. It reads each row from its JSON text. */
export function rowReader(
  columns: readonly DatabricksColumn[],
  { maxCellBytes, decimalsAsText = false }: Pick<ExecuteOptions, 'maxCellBytes' | 'decimalsAsText'>,
): RowReader {
  const readers = columns.map((column) => cellReader(column, decimalsAsText));
  return textRowReader(readers, { maxCellBytes, unreadable: unreadableAnswer });
}
