import { type Cell, type Column, type ColumnKind, finiteCell, integerCell } from '../values.ts';

/** What the engine says of a result column. */
export type SqliteColumn = {
  readonly name: string;
  readonly column: string | null;
  readonly table: string | null;
  readonly type: string | null;
};

/** A value of the driver as a cell. */
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
 * Kind of a column: by the first values that are there, since any column may hold any type, and by its declared type
 * while there are none.
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
  // A large integer comes as text; a blob as hexadecimal text.
  if (expected === 'integer' && typeof value === 'string' && /^-?\d{16,19}$/.test(value)) return 'integer';
  if (expected === 'float' && infinities.has(value)) return 'float';
  return expected === 'binary' ? 'binary' : 'text';
}

/** As `finiteCell` writes them. */
const infinities: ReadonlySet<Cell> = new Set(['Infinity', '-Infinity']);

const isReal = (declared: string): boolean => /real|floa|doub|num|dec/i.test(declared);

/** SQLite's own rules of affinity, in their order. */
function kindOfDeclared(declared: string): ColumnKind {
  if (/int/i.test(declared)) return 'integer';
  if (/char|clob|text/i.test(declared)) return 'text';
  if (/blob/i.test(declared)) return 'binary';
  if (isReal(declared)) return 'float';
  return 'text';
}
