import { type CellReader, formed, jsonCell, type RowReader, textRowReader } from '../../http/text-rows.ts';
import type { ExecuteOptions } from '../../port.ts';
import { type Cell, type ColumnKind, decimalCell, floatCell, integerCell } from '../../values.ts';
import { unreadableAnswer } from '../errors.ts';
import { clockOf, dateOf, instantOf, zonedInstantOf } from './times.ts';

/** Column of a result, as the service describes it. */
export type SnowflakeColumn = {
  readonly name: string;
  /** Name in capitals. */
  readonly type: string;
  readonly precision: number;
  readonly scale: number;
  readonly length: number;
};

const kinds = new Map<string, ColumnKind>([
  ['REAL', 'float'],
  ['FLOAT', 'float'],
  ['DOUBLE', 'float'],
  ['DECFLOAT', 'decimal'],
  ['BOOLEAN', 'boolean'],
  ['TEXT', 'text'],
  ['VARCHAR', 'text'],
  ['STRING', 'text'],
  ['CHAR', 'text'],
  ['BINARY', 'binary'],
  ['DATE', 'date'],
  ['TIME', 'time'],
  ['TIMESTAMP_NTZ', 'timestamp'],
  ['TIMESTAMP_LTZ', 'timestamptz'],
  ['TIMESTAMP_TZ', 'timestamptz'],
  ['VARIANT', 'json'],
  ['OBJECT', 'json'],
  ['ARRAY', 'json'],
  ['MAP', 'json'],
  ['VECTOR', 'json'],
  ['GEOGRAPHY', 'json'],
  ['GEOMETRY', 'json'],
  ['UUID', 'uuid'],
]);

/** Decimal numbers, including integers. */
const fixedTypes = new Set(['FIXED', 'NUMBER', 'DECIMAL', 'NUMERIC']);

export function snowflakeKind({ type, scale }: Pick<SnowflakeColumn, 'type' | 'scale'>): ColumnKind {
  if (fixedTypes.has(type)) return scale === 0 ? 'integer' : 'decimal';
  if (type.startsWith('INTERVAL')) return 'interval';
  return kinds.get(type) ?? 'other';
}

/** Returns the type as statements write it. */
export function snowflakeType({ type, precision, scale, length }: SnowflakeColumn): string {
  if (fixedTypes.has(type)) return `NUMBER(${precision},${scale})`;
  if (type === 'TEXT') return length > 0 ? `VARCHAR(${length})` : 'VARCHAR';
  if (type === 'REAL') return 'FLOAT';
  if (type === 'TIME' || type.startsWith('TIMESTAMP')) return `${type}(${scale})`;
  return type;
}

/** Returns the reader of a column. All values are texts; an invalid text for the type reads as undefined. */
function cellReader(column: SnowflakeColumn, decimalsAsText: boolean): CellReader {
  switch (snowflakeKind(column)) {
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
    case 'time':
      return clockOf;
    case 'timestamp':
      return instantOf;
    case 'timestamptz':
      return column.type === 'TIMESTAMP_TZ' ? zonedInstantOf : zoned;
    case 'json':
      return jsonCell;
    default:
      return (text) => text;
  }
}

const denormals = new Map([
  ['nan', 'NaN'],
  ['inf', 'Infinity'],
  ['-inf', '-Infinity'],
  ['infinity', 'Infinity'],
  ['-infinity', '-Infinity'],
]);

function float(text: string): Cell | undefined {
  const denormal = denormals.get(text.toLowerCase());
  if (denormal !== undefined) return denormal;
  return /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text) ? floatCell(text) : undefined;
}

/** Accepts hexadecimal digits, two per byte. */
const binary = (text: string): string | undefined =>
  text.length % 2 === 0 && /^[\da-f]*$/i.test(text) ? text.toLowerCase() : undefined;

function zoned(text: string): string | undefined {
  const instant = instantOf(text);
  return instant === undefined ? undefined : `${instant}Z`;
}

/** Returns the reader of rows with these columns. It reads each row from its JSON text. */
export function rowReader(
  columns: readonly SnowflakeColumn[],
  { maxCellBytes, decimalsAsText = false }: Pick<ExecuteOptions, 'maxCellBytes' | 'decimalsAsText'>,
): RowReader {
  const readers = columns.map((column) => cellReader(column, decimalsAsText));
  return textRowReader(readers, { maxCellBytes, unreadable: unreadableAnswer });
}
