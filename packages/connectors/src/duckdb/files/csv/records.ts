import { type DecodedEncoding, decodedTexts, linesOf } from '../decoded-file.ts';

/** Characters with which the engine divides a CSV file into values. The quote and the escape are one character each. */
export type CsvDialect = { readonly delimiter: string; readonly quote: string; readonly escape: string };

/** One or more lines that the engine reads as one row, or skips as one. */
export type CsvRecord = {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly lineCount: number;
  readonly isBlank: boolean;
  readonly values: number;
  /** Contains the delimiter, in or outside quotes. */
  readonly hasDelimiter: boolean;
  /** A quoted value continues after its last line. */
  readonly isOpen: boolean;
  /** An escape precedes another character than a quote or an escape: the engine drops it from the value. */
  readonly dropsEscape: boolean;
  /** A blank is between a closing quote and the next delimiter or the end: the engine drops it from the value. */
  readonly dropsBlank: boolean;
  /** Another character than a blank follows a closing quote, which the engine refuses. */
  readonly hasTextAfterQuote: boolean;
  /** Line end after its last line; empty at the end of the file. */
  readonly end: '\n' | '\r\n' | '\r' | '';
  /** Length in UTF-8. */
  readonly bytes: number;
  readonly hasNul: boolean;
};

const endOf = (line: string): CsvRecord['end'] => {
  if (line.endsWith('\r\n')) return '\r\n';
  if (line.endsWith('\n')) return '\n';
  return line.endsWith('\r') ? '\r' : '';
};

export type LineScan = {
  readonly isOpen: boolean;
  readonly separators: number;
  readonly dropsEscape: boolean;
  readonly dropsBlank: boolean;
  readonly hasTextAfterQuote: boolean;
};

/**
 * Divides one line by the rules of the engine: a quote opens a value only as its first character, or after one blank. Any
 * other quote outside a quoted value is an ordinary character.
 *
 * @param isOpenBefore  a quoted value continues from the line before
 */
export function scanLine(
  line: string,
  { delimiter, quote, escape: mark }: CsvDialect,
  isOpenBefore: boolean,
): LineScan {
  let separators = 0;
  let dropsEscape = false;
  let followers = '';
  let at = 0;
  let isOpen = isOpenBefore;
  const scanned = (): LineScan => ({
    isOpen,
    separators,
    dropsEscape,
    dropsBlank: followers.includes(' '),
    hasTextAfterQuote: /[^ \r\n]/.test(followers),
  });
  for (;;) {
    if (!isOpen) {
      if (line[at] === ' ' && delimiter !== ' ') at += 1;
      if (line[at] === quote) {
        isOpen = true;
        at += 1;
      }
    }
    if (isOpen) {
      const end = endOfQuoted(line, at, quote, mark);
      dropsEscape ||= end.dropsEscape;
      if (end.at === undefined) return scanned();
      isOpen = false;
      at = end.at;
      followers += followerAt(line, at, delimiter);
    }
    const next = line.indexOf(delimiter, at);
    if (next < 0) return scanned();
    separators += 1;
    at = next + delimiter.length;
  }
}

/** Returns the character after a closing quote; empty for a delimiter and at the end. */
const followerAt = (line: string, at: number, delimiter: string): string =>
  line.startsWith(delimiter, at) ? '' : line.charAt(at);

/** Returns the position after the closing quote; undefined if the value continues after the line. */
function endOfQuoted(
  line: string,
  from: number,
  quote: string,
  mark: string,
): { readonly at: number | undefined; readonly dropsEscape: boolean } {
  let dropsEscape = false;
  for (let at = from; at < line.length; at += 1) {
    const next = line[at + 1];
    if (line[at] === mark && (mark !== quote || next === quote)) {
      dropsEscape ||= next !== quote && next !== mark;
      at += 1;
    } else if (line[at] === quote) return { at: at + 1, dropsEscape };
  }
  return { at: undefined, dropsEscape };
}

/** Joins the lines of a file to records. */
export class RecordReader {
  readonly #dialect: CsvDialect;
  readonly #comment: string | undefined;
  readonly #isUtf8: boolean;
  #lines = 0;
  #record: CsvRecord | undefined;

  /**
   * @param comment  prefix of lines that are no records; undefined for none
   * @param isUtf8  a character of a line is a byte of UTF-8
   */
  constructor(dialect: CsvDialect, comment: string | undefined, isUtf8 = false) {
    this.#dialect = dialect;
    this.#comment = comment;
    this.#isUtf8 = isUtf8;
  }

  /** Returns the record that ends with the line; undefined for a comment, and for a line after which a value continues. */
  take(line: string): CsvRecord | undefined {
    this.#lines += 1;
    const before = this.#record;
    if (!before && this.#comment !== undefined && line.startsWith(this.#comment)) return undefined;
    const { isOpen, separators, ...scan } = scanLine(line, this.#dialect, before !== undefined);
    const record = {
      line: before?.line ?? this.#lines,
      lineCount: (before?.lineCount ?? 0) + 1,
      isBlank: !before && /^[\r\n]*$/.test(line),
      values: (before?.values ?? 1) + separators,
      hasDelimiter: before?.hasDelimiter === true || line.includes(this.#dialect.delimiter),
      isOpen,
      dropsEscape: before?.dropsEscape === true || scan.dropsEscape,
      dropsBlank: before?.dropsBlank === true || scan.dropsBlank,
      hasTextAfterQuote: before?.hasTextAfterQuote === true || scan.hasTextAfterQuote,
      end: endOf(line),
      bytes: (before?.bytes ?? 0) + (this.#isUtf8 ? line.length : Buffer.byteLength(line)),
      hasNul: before?.hasNul === true || line.includes('\0'),
    };
    this.#record = isOpen ? record : undefined;
    return isOpen ? undefined : record;
  }

  /** Returns the record that the last line leaves open. */
  end(): CsvRecord | undefined {
    return this.#record;
  }
}

/** Characters of a byte order mark of UTF-8, decoded as Latin-1. */
const markAsLatin1 = /^\u00ef\u00bb\u00bf/;

/**
 * Visits the records of a file in order, until `visit` returns true.
 *
 * A file in UTF-8 is read as Latin-1: the characters of a dialect are ASCII, and an invalid byte is no fault here.
 */
export async function visitRecords(
  path: string,
  { encoding, dialect, comment }: CsvText,
  visit: (record: CsvRecord) => boolean,
): Promise<void> {
  const isUtf8 = encoding === 'utf-8';
  const reader = new RecordReader(dialect, comment, isUtf8);
  let isFirst = true;
  for await (const lines of linesOf(decodedTexts(path, isUtf8 ? 'latin1' : encoding), path))
    for (const line of lines) {
      const text = isFirst && isUtf8 ? line.replace(markAsLatin1, '') : line;
      isFirst = false;
      // The text after the last line end is empty, and no line.
      const record = line === '' ? undefined : reader.take(text);
      if (record && visit(record)) return;
    }
  const open = reader.end();
  if (open) visit(open);
}

/** Rules by which a file is divided into records. */
export type CsvText = {
  readonly encoding: DecodedEncoding;
  readonly dialect: CsvDialect;
  /** Prefix of lines that the engine does not get; undefined for none. */
  readonly comment: string | undefined;
};
