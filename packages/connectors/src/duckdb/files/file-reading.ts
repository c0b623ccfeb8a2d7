import type { FileSettings } from './file-settings.ts';

/** What follows FROM to read a file, and how it is read. */
export type FileSource = { readonly sql: string; readonly reading: FileReading };

/** How a file is read: what its settings say, and what was detected. Null: its format has no such thing. */
export type FileReading = {
  readonly encoding: Encoding | null;
  readonly delimiter: string | null;
  readonly quote: string | null;
  readonly comment: string | null;
  readonly hasHeader: boolean | null;
  /** Lines before the first one that counts. */
  readonly skippedLines: number | null;
  readonly sheet: string | null;
  readonly table: string | null;
};

export type Encoding = NonNullable<FileSettings['encoding']>;

/** The reading of a file whose format describes itself. */
export const selfDescribed: FileReading = {
  ...{ encoding: null, delimiter: null, quote: null, comment: null, hasHeader: null, skippedLines: null },
  ...{ sheet: null, table: null },
};
