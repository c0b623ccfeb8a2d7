/** Endings of files that can be read, with the function that reads them. */
export const readersByEnding = new Map([
  ['.csv', 'read_csv'],
  ['.tsv', 'read_csv'],
  ['.txt', 'read_csv'],
  ['.parquet', 'read_parquet'],
  ['.json', 'read_json'],
  ['.jsonl', 'read_json'],
  ['.ndjson', 'read_json'],
]);
