import { type Cell, type Column, type ColumnKind, finiteCell, integerCell } from '../values.ts';

/** Description of a result column by the engine. */
export type SqliteColumn = {
  readonly name: string;
  readonly column: string | null;
  readonly table: string | null;
  readonly type: string | null;
};

/** Converts a value of the driver to a cell. */
export function sqliteCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : integerCell(value.toString());
  }
  if (typeof value === 'number') return finiteCell(value);
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
  return String(value);
}

/**
 * Returns the kind of a column: by its first values, because any column may contain any type. Without values it uses
 * the declared type.
 */
export function sqliteColumn(
  column: SqliteColumn,
  rows: readonly (readonly Cell[])[],
  index: number,
): Column {
  const declared = column.type ?? '';
  const { table, column: name } = column;
  const origin = table === null || name === null ? null : { column: name, relation: table };
  return {
    name: column.name,
    kind: kindOfColumn(declared, rows, index),
    databaseType: declared.toLowerCase() || 'any',
    isLoose: true,
    origin,
  };
}

function kindOfColumn(declared: string, rows: readonly (readonly Cell[])[], index: number): ColumnKind {
  const kinds = new Set<ColumnKind>();
  for (const row of rows) {
    const value = row[index];
    if (value !== null && value !== undefined) kinds.add(kindOfValue(value, declared));
  }
  const [first] = kinds;
  if (first === undefined) return kindOfDeclared(declared);
  if (kinds.size === 1) return first;
  const areNumbers = [...kinds].every((kind) => kind === 'integer' || kind === 'float');
  return areNumbers ? 'float' : 'text';
}

function kindOfValue(value: Cell, declared: string): ColumnKind {
  if (typeof value === 'number') return Number.isInteger(value) && !isReal(declared) ? 'integer' : 'float';
  const expected = kindOfDeclared(declared);
  // Large integers and blobs arrive as text: decimal and hexadecimal.
  if (expected === 'integer' && typeof value === 'string' && /^-?\d{16,19}$/.test(value)) return 'integer';
  if (expected === 'float' && infinities.has(value)) return 'float';
  return expected === 'binary' ? 'binary' : 'text';
}

/** Texts of infinities from `finiteCell`. */
const infinities: ReadonlySet<Cell> = new Set(['Infinity', '-Infinity']);

const isReal = (declared: string): boolean => /real|floa|doub|num|dec/i.test(declared);

/** Applies SQLite's own rules of affinity, in their order. */
function kindOfDeclared(declared: string): ColumnKind {
  if (/int/i.test(declared)) return 'integer';
  if (/char|clob|text/i.test(declared)) return 'text';
  if (/blob/i.test(declared)) return 'binary';
  if (isReal(declared)) return 'float';
  return 'text';
}
