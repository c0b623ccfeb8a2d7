import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { FileRefusal, raggedLine, unclosedQuote } from '../file-refusals.ts';
import type { FileSettings } from '../file-settings.ts';
import { type CsvRecord, type CsvText, visitRecords } from './records.ts';

/** Options with which the engine divides a CSV file into rows. */
export type CsvRows = {
  readonly text: CsvText;
  /** Records before the header or the first row, without comments. Blank lines are records. */
  readonly skippedRecords: number;
  readonly hasHeader: boolean;
  /** The engine reads blank lines only in a file of one column. */
  readonly columnCount: number;
};

/**
 * Returns the line, from 1, on which a row begins. Reads the file up to this line.
 *
 * @param row  number of the row, from 1, without the header
 */
export function lineOfRow(path: string, row: number, rows: CsvRows): Promise<number> {
  let remainingRecords = rows.skippedRecords;
  let remainingRows = rows.hasHeader ? row + 1 : row;
  return firstLine(path, rows.text, ({ isBlank }) => {
    if (remainingRecords > 0) {
      remainingRecords -= 1;
      return false;
    }
    if (isBlank && rows.columnCount > 1) return false;
    remainingRows -= 1;
    return remainingRows === 0;
  });
}

/** Returns the line on which a record begins. The engine counts records, with blank ones, as lines. Numbers begin at 1. */
export function lineOfRecord(path: string, number: number, text: CsvText): Promise<number> {
  let remaining = number;
  return firstLine(path, text, () => {
    remaining -= 1;
    return remaining === 0;
  });
}

/** Returns the line of the first match, else of the last record. */
async function firstLine(
  path: string,
  text: CsvText,
  isMatch: (record: CsvRecord) => boolean,
): Promise<number> {
  let line = 1;
  await visitRecords(path, text, (record) => {
    line = record.line;
    return isMatch(record);
  });
  return line;
}

/** First records that the engine skips. */
export type SkippedRecords = {
  /** Number of records before the header or the first row, including blank lines directly before it. */
  readonly count: number;
  /** Line of the header or the first row. */
  readonly nextLine: number;
  /** At least one of them, after the comments, has a text. */
  readonly haveText: boolean;
  /** At least one of them, after the comments, contains the delimiter. */
  readonly haveDelimiter: boolean;
  /** More than titles of a table: over ten of them have a text, or at least as many as records follow. */
  readonly haveRows: boolean;
};

const titlesMax = 10;

/**
 * Returns the records that are skipped if the reader skips a number of records.
 *
 * @param sniffed  `records`: skipped records by the sniffer, `commentLines`: first lines that are comments, `isQuoted`: the
 *   sniffer divided the records by quotes, too
 * @throws FileRefusal for a first line with a quote by which the reader would skip other lines than the sniffer
 */
export async function skippedRecords(
  path: string,
  text: CsvText,
  sniffed: { readonly records: number; readonly commentLines: number; readonly isQuoted: boolean },
): Promise<SkippedRecords> {
  let count = 0;
  let nextLine = 1;
  let texts = 0;
  let rows = 0;
  let haveDelimiter = false;
  let unclosed: number | undefined;
  await visitRecords(path, text, (record) => {
    if (rows === 0) nextLine = record.line;
    if (rows > 0 || (count >= sniffed.records && !record.isBlank)) {
      if (!record.isBlank) rows += 1;
      return rows > texts;
    }
    count += 1;
    if (record.isOpen || (record.lineCount > 1 && !sniffed.isQuoted)) unclosed ??= record.line;
    if (record.line <= sniffed.commentLines) return false;
    if (!record.isBlank) texts += 1;
    haveDelimiter ||= record.hasDelimiter;
    return false;
  });
  if (unclosed !== undefined) throw unclosedQuote(path, unclosed);
  const haveRows = texts > titlesMax || (texts > 0 && rows <= texts);
  return { count, nextLine, haveText: texts > 0, haveDelimiter, haveRows };
}

/**
 * Returns the refusal of the first line whose number of values differs from a header of several values, or whose quote is
 * not closed. Undefined without such a line.
 *
 * @param commentLines  number of first lines that are comments
 */
export async function firstFault(
  path: string,
  text: CsvText,
  commentLines: number,
  { shortLines }: FileSettings,
): Promise<FileRefusal | undefined> {
  let expected: number | undefined;
  let fault: FileRefusal | undefined;
  await visitRecords(path, text, ({ line, values, isBlank, isOpen }) => {
    if (line <= commentLines || isBlank) return false;
    expected ??= values;
    const isOther = shortLines === 'Null' ? values > expected : values !== expected;
    if (isOpen) fault = unclosedQuote(path, line);
    else if (expected > 1 && isOther) fault = raggedLine(path, { line, values, expected });
    return fault !== undefined;
  });
  return fault;
}

/**
 * Refuses what the engine would drop without an error: an escape before another character, a blank after a closing quote,
 * and empty values after the last column. If the engine fills short lines with NULL, it also drops the rows after a quote
 * that is not closed. It drops all rows after a header or a skipped line with text after a closing quote, such as a tab. In a
 * row it reports such a text itself. Divides the file into records only if the engine could drop something.
 *
 * @param place  path of the file, or of its copy in UTF-8
 * @throws FileRefusal
 */
export async function assertNothingDropped(
  path: string,
  rows: CsvRows,
  { place, fillsShortLines }: { readonly place: string; readonly fillsShortLines: boolean },
): Promise<void> {
  if (rows.hasHeader || rows.skippedRecords > 0) await assertReadableStart(path, rows);
  const { delimiter, quote, escape: mark } = rows.text.dialect;
  const signs = [`${quote} `, `${delimiter}\n`, `${delimiter}\r`];
  if (mark === quote && !fillsShortLines && !(await hasSign(place, signs, delimiter))) return;
  let refusal: FileRefusal | undefined;
  let expected = rows.hasHeader ? undefined : rows.columnCount;
  let records = 0;
  await visitRecords(path, rows.text, ({ line, values, isBlank, ...record }) => {
    records += 1;
    if (record.isOpen) refusal = unclosedQuote(path, line);
    else if (record.dropsEscape) refusal = lostEscape(path, line, mark);
    else if (record.dropsBlank) refusal = lostBlank(path, line);
    else if (records > rows.skippedRecords && !isBlank) {
      expected ??= values;
      if (values > expected) refusal = raggedLine(path, { line, values, expected });
    }
    return refusal !== undefined;
  });
  if (refusal) throw refusal;
}

/** @throws FileRefusal for a skipped record or a header after which the engine drops all rows */
async function assertReadableStart(
  path: string,
  { text, skippedRecords, hasHeader }: CsvRows,
): Promise<void> {
  let records = 0;
  let faultyLine: number | undefined;
  await visitRecords(path, text, ({ line, isBlank, hasTextAfterQuote }) => {
    records += 1;
    const isAfterSkipped = records > skippedRecords && !isBlank;
    if (hasTextAfterQuote && (hasHeader || !isAfterSkipped)) faultyLine = line;
    return isAfterSkipped || faultyLine !== undefined;
  });
  if (faultyLine !== undefined) throw unclosedQuote(path, faultyLine);
}

/** Returns true for a file that contains one of the texts or ends with another one. Reads bytes, without decoding them. */
async function hasSign(path: string, signs: readonly string[], last: string): Promise<boolean> {
  const longest = Math.max(...signs.map((sign) => sign.length));
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    if (signs.some((sign) => bytes.includes(sign))) return true;
    rest = bytes.subarray(Math.max(0, bytes.length - longest));
  }
  return rest.toString('latin1').endsWith(last);
}

const chunkBytes = 1_048_576;

const lostBlank = (path: string, line: number): FileRefusal =>
  new FileRefusal(
    `Line ${line} of ${basename(path)} has a blank after a closing quote, which would be lost. Remove the blank, or put it inside the quotes.`,
  );

const lostEscape = (path: string, line: number, mark: string): FileRefusal =>
  new FileRefusal(
    `Line ${line} of ${basename(path)} has ${mark} before another character than a quote or ${mark}, although the file uses it to escape quotes. Write ${mark} twice, or name the quote in the settings of the file.`,
  );
