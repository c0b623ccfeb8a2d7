import path from 'node:path';
import { formatOf } from '../duckdb/files/file-formats.ts';

/** Common extensions of SQLite databases. */
const sqliteEndings: ReadonlySet<string> = new Set(['.sqlite', '.sqlite3', '.db']);

const endingOf = (file: string): string => path.extname(file).toLowerCase();

/** Returns the engine that reads a file, by its extension; undefined without one. */
export function engineOfFile(file: string): 'DuckDB' | 'SQLite' | undefined {
  if (formatOf(file) !== undefined) return 'DuckDB';
  return sqliteEndings.has(endingOf(file)) ? 'SQLite' : undefined;
}

/**
 * Returns true if a file with this name may be uploaded. An engine must read it, and its name must state its format,
 * which `.txt` does not.
 */
export const isUploadable = (file: string): boolean =>
  engineOfFile(file) !== undefined && endingOf(file) !== '.txt';

const tableNameLengthMax = 63;

/** Derives a table name that DuckDB's connection accepts: `Orders 2026.csv` becomes `orders_2026`. */
export function tableNameOf(file: string): string {
  const base = path.basename(file, path.extname(file)).toLowerCase();
  const identifier = base.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '');
  const name = /^[a-z]/.test(identifier) ? identifier : `data_${identifier}`;
  return name.slice(0, tableNameLengthMax).replace(/_+$/, '');
}
