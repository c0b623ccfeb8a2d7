import type { FileSettings } from './file-settings.ts';

/** SQL after FROM that reads a file, and the reading of the file. */
export type FileSource = { readonly sql: string; readonly reading: FileReading };

/** Set and detected reading options of a file. Null: the format has no such option. */
export type FileReading = {
  readonly encoding: Encoding | null;
  readonly delimiter: string | null;
  readonly quote: string | null;
  readonly comment: string | null;
  readonly hasHeader: boolean | null;
  /** Lines before the header or the first row. */
  readonly skippedLines: number | null;
  readonly sheet: string | null;
  readonly table: string | null;
};

export type Encoding = NonNullable<FileSettings['encoding']>;

/** The reading of a file whose format describes itself. */
export const selfDescribed: FileReading = {
  encoding: null,
  delimiter: null,
  quote: null,
  comment: null,
  hasHeader: null,
  skippedLines: null,
  sheet: null,
  table: null,
};
