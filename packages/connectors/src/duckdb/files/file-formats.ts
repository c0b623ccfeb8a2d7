import path from 'node:path';

/** How a file of a DuckDB data source is read. */
export type FileFormat = 'csv' | 'parquet' | 'json' | 'xlsx' | 'duckdb';

/** Formats by the endings of files, which are in lower case. */
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

/** Endings of the files that can be read. */
export const fileEndings: readonly string[] = [...formatsByEnding.keys()];

/** The format that the ending of a file names; undefined where no file of this ending is read. */
export const formatOf = (file: string): FileFormat | undefined =>
  formatsByEnding.get(path.extname(file).toLowerCase());
