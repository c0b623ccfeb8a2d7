import path from 'node:path';
import { readersByEnding } from '../duckdb/files/file-formats.ts';

/** Endings that SQLite databases usually have. */
const sqliteEndings: ReadonlySet<string> = new Set(['.sqlite', '.sqlite3', '.db']);
/** Endings of files that people may send: data that an engine reads as rows, never a database with code in it. */
const uploadableEndings: ReadonlySet<string> = new Set([
  '.csv',
  '.tsv',
  '.parquet',
  '.json',
  '.jsonl',
  '.ndjson',
]);

const endingOf = (file: string): string => path.extname(file).toLowerCase();

/** The engine that reads a file, by its ending; undefined when none does. */
export function engineOfFile(file: string): 'DuckDB' | 'SQLite' | undefined {
  if (readersByEnding.has(endingOf(file))) return 'DuckDB';
  return sqliteEndings.has(endingOf(file)) ? 'SQLite' : undefined;
}

/** Whether a file of this name may be uploaded. */
export const isUploadable = (file: string): boolean => uploadableEndings.has(endingOf(file));

const tableNameLengthMax = 63;

/** A table name that DuckDB's connection takes, from the name of a file: `Orders 2026.csv` is `orders_2026`. */
export function tableNameOf(file: string): string {
  const base = path.basename(file, path.extname(file)).toLowerCase();
  const words = base.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '');
  const name = /^[a-z]/.test(words) ? words : `data_${words}`;
  return name.slice(0, tableNameLengthMax).replace(/_+$/, '');
}
