import { type CellKind, exactJson, exactNumber, type NumberFormat } from './exact-json.ts';

/** A JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

const depthMax = 20;

/** Converts a cell of a result to JSON: exact numbers stay numbers, all other values become text. Never throws. */
export function cellToJson(cell: unknown, depth = 0): JsonValue {
  switch (typeof cell) {
    case 'string':
    case 'boolean':
      return cell;
    case 'number':
      return Number.isFinite(cell) ? cell : String(cell);
    case 'bigint':
      return Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell);
    case 'object':
      return cell === null ? null : objectToJson(cell, depth);
    default:
      return null;
  }
}

function objectToJson(cell: object, depth: number): JsonValue {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? null : cell.toISOString();
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString('base64');
  // Also stops at circular values.
  if (depth >= depthMax) return null;
  if (Array.isArray(cell)) return cell.map((item: unknown) => cellToJson(item, depth + 1));
  return Object.fromEntries(Object.entries(cell).map(([key, value]) => [key, cellToJson(value, depth + 1)]));
}

/** Converts a cell of a result to text; empty for a missing value. */
export function cellToText(cell: unknown): string {
  const value = cellToJson(cell);
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Makes column names unique: a second `name` becomes `name_2`. */
export function distinctColumns(columns: readonly string[]): string[] {
  const taken = new Set<string>(columns);
  const seen = new Set<string>();
  return columns.map((column) => {
    let name = column;
    for (let number = 2; seen.has(name) || (name !== column && taken.has(name)); number += 1)
      name = `${column}_${number}`;
    seen.add(name);
    return name;
  });
}

/** Options for rows as objects. */
export type RecordOptions = {
  /** Kinds of the columns, in column order. Absent in messages of earlier versions: all columns are plain. */
  readonly kinds?: readonly CellKind[] | undefined;
  /** Default `Text`. */
  readonly numbers?: NumberFormat | undefined;
};

/** Returns rows as objects keyed by column name, for `JSON.stringify`. Cells of JSON columns are JSON. */
export function rowsToRecords(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  { kinds = [], numbers = 'Text' }: RecordOptions = {},
): { readonly [column: string]: unknown }[] {
  const names = distinctColumns(columns);
  const jsonCell = (cell: unknown, kind: CellKind | undefined): unknown => {
    if (kind === 'json' && typeof cell === 'string') return exactJson(cell);
    return kind === 'exactNumber' && numbers === 'Number' ? exactNumber(cell) : cellToJson(cell);
  };
  return rows.map((row) =>
    Object.fromEntries(names.map((name, index) => [name, jsonCell(row[index], kinds[index])])),
  );
}
