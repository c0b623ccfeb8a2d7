import path from 'node:path';

/** Format of a file of a DuckDB data source. */
export type FileFormat = 'csv' | 'parquet' | 'json' | 'xlsx' | 'duckdb';

/** Formats by file ending. The endings are in lower case. */
export const formatsByEnding: ReadonlyMap<string, FileFormat> = new Map([
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
  ['.txt', 'csv'],
  ['.parquet', 'parquet'],
  ['.json', 'json'],
  ['.jsonl', 'json'],
  ['.ndjson', 'json'],
  ['.xlsx', 'xlsx'],
  ['.duckdb', 'duckdb'],
]);

/** Endings of supported files. */
export const fileEndings: readonly string[] = [...formatsByEnding.keys()];

/** Returns the format of a file by its ending, without case; undefined for an unsupported ending. */
export const formatOf = (file: string): FileFormat | undefined =>
  formatsByEnding.get(path.extname(file).toLowerCase());
