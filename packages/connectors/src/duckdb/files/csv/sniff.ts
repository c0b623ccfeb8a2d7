import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { textLiteral } from '../../names.ts';
import { type DecodedEncoding, NotEncoded } from '../decoded-file.ts';
import { type Encoding, type FileReading, selfDescribed } from '../file-reading.ts';
import { FileRefusal, isUndetected, withLine } from '../file-refusals.ts';
import type { FileSettings } from '../file-settings.ts';
import type { TypedColumn } from '../typed-columns.ts';
import { type CsvHead, delimiterOf } from './head.ts';
import { firstFault, lineOfRecord, type SkippedRecords, skippedRecords } from './lines.ts';
import type { CsvDialect, CsvText } from './records.ts';

/**
 * Largest file whose rows are all sniffed. For larger files, the engine sniffs the first rows. The check of types always
 * reads all rows.
 */
export const sniffedBytesMax = 64 * 1024 * 1024;

export const isNotUtf8 = (error: unknown): boolean =>
  error instanceof NotEncoded ||
  (error instanceof Error && /not utf-8 encoded|Invalid unicode/i.test(error.message));

export type CsvFile = {
  /** Path that the engine reads: the file, or its copy in UTF-8. */
  readonly path: string;
  /** Path of the file, for messages. */
  readonly name: string;
  readonly size: number;
  readonly head: CsvHead;
  readonly encoding: Encoding;
  readonly settings: FileSettings;
};

/** Columns and dialect that the engine's sniffer detected, with the settings in their place. */
export type Sniffed = {
  readonly columns: readonly TypedColumn[];
  readonly reading: FileReading & { readonly hasHeader: boolean; readonly skippedLines: number };
  readonly dialect: CsvDialect;
  /** The sniffer divided the rows with a quote. False: no value that it read has quotes. */
  readonly isQuoted: boolean;
  /** Options with which the engine reads the file. */
  readonly options: readonly string[];
};

/** Encodings without a byte order. */
const encodingLabels: Partial<Record<Encoding, DecodedEncoding>> = {
  'UTF-8': 'utf-8',
  'Latin-1': 'latin1',
  'Windows-1252': 'windows-1252',
};

/** Returns the rules by which the file has lines. */
export const textOf = (
  { encoding, head, settings }: Pick<CsvFile, 'encoding' | 'head' | 'settings'>,
  dialect: CsvDialect,
): CsvText => ({
  encoding: encodingLabels[encoding] ?? head.utf16 ?? 'utf-16le',
  dialect,
  comment: settings.comment,
});

/** Returns the options for both the sniffer and the reader. */
function settingOptions({
  delimiter,
  quote,
  hasHeader,
  decimalSeparator,
  nullText,
  shortLines,
}: FileSettings) {
  return [
    ...(delimiter === undefined ? [] : [`delim = ${textLiteral(delimiter)}`]),
    ...(quote === undefined ? [] : [`quote = ${textLiteral(quote)}`, `escape = ${textLiteral(quote)}`]),
    // The engine also finds comments within a line. Our comments are whole lines: `skip` or a copy removes them.
    "comment = ''",
    ...(hasHeader === undefined ? [] : [`header = ${hasHeader}`]),
    ...(decimalSeparator === ',' ? ["decimal_separator = ','"] : []),
    ...(nullText === undefined ? [] : [`nullstr = ['', ${textLiteral(nullText)}]`]),
    ...(shortLines === 'Null' ? ['null_padding = true', 'parallel = false'] : []),
  ];
}

/** Lines that the sniffer must skip. It detects other first lines, but none if short lines are filled with NULL. */
const skipOf = ({ head, settings }: CsvFile): string[] => {
  const skip = head.commentLines || (settings.shortLines === 'Null' ? head.blankLines : 0);
  return skip === 0 ? [] : [`skip = ${skip}`];
};

const optionName = (option: string): string => option.slice(0, option.indexOf(' '));

/** @throws FileRefusal for a file of which lines would be lost, or whose delimiter cannot be detected */
export async function sniff(connection: DuckDBConnection, file: CsvFile): Promise<Sniffed> {
  const { name: shown, head, encoding, settings } = file;
  const fromSettings = settingOptions(settings);
  const row = await sniffedRow(connection, file, fromSettings);
  const detected = (name: string) => {
    const value = String(row[name] ?? '');
    return value === '(empty)' ? '' : value;
  };
  if (settings.decimalSeparator === ',' && settings.delimiter === undefined && detected('delim') === ',')
    throw new FileRefusal(
      `The delimiter of ${basename(shown)} cannot be detected beside a decimal comma. Name it in the settings of the file.`,
    );
  const quote = settings.quote ?? (detected('quote') || '"');
  const dialect = {
    delimiter: delimiterOf(settings.delimiter ?? (detected('delim') || ',')),
    quote,
    escape: settings.quote ?? (detected('escape') || quote),
  };
  const isQuoted = detected('quote') !== '';
  const names = textsOf(row['names']);
  const skipped = await skippedRecords(shown, textOf(file, dialect), {
    records: Number(row['skip'] ?? 0),
    isQuoted,
    commentLines: head.commentLines,
  });
  const divided = head.dividing?.delimiter;
  if (skipped.haveText && divided !== undefined && divided !== dialect.delimiter)
    return sniff(connection, { ...file, settings: { ...settings, delimiter: divided } });
  await assertNothingLost(file, skipped, names.length);
  const skippedLines = skipped.count;
  const hasHeader = settings.hasHeader ?? row['header'] === true;
  const types = textsOf(row['types']);
  return {
    columns: names.map((name, at) => ({ name, type: types[at] ?? 'VARCHAR' })),
    reading: {
      ...selfDescribed,
      encoding,
      quote,
      hasHeader,
      skippedLines,
      delimiter: settings.delimiter ?? dialect.delimiter,
      comment: settings.comment ?? (head.commentLines > 0 ? '#' : null),
    },
    dialect,
    isQuoted,
    options: readerOptions(fromSettings, dialect, { skippedLines, hasHeader }),
  };
}

/** Returns the row of the sniffer. @throws FileRefusal for a file with lines of different lengths */
async function sniffedRow(
  connection: DuckDBConnection,
  file: CsvFile,
  fromSettings: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const { path, size } = file;
  const sample = size <= sniffedBytesMax ? ['sample_size = -1'] : [];
  const sniffed = await connection
    .runAndReadAll(
      `SELECT Delimiter AS delim, Quote AS quote, Escape AS escape, SkipRows AS skip,
         HasHeader AS header, [c.name FOR c IN Columns] AS names, [c.type FOR c IN Columns] AS types
       FROM sniff_csv(${[textLiteral(path), ...fromSettings, ...skipOf(file), ...sample].join(', ')})`,
    )
    .catch(async (error: unknown) => {
      throw await locatedError(file, error);
    });
  const [row] = sniffed.getRowObjectsJson();
  if (!row) throw new Error('The sniffer found nothing.');
  return row;
}

/** Returns the refusal of the first faulty line, else the error of the sniffer with its line. */
async function locatedError(file: CsvFile, error: unknown): Promise<unknown> {
  const { name: shown, head, settings } = file;
  const text = textOf(file, head.dividing ?? head.dialect);
  const isFault = isUndetected(error) && !isNotUtf8(error);
  const fault = isFault ? await firstFault(shown, text, head.commentLines, settings) : undefined;
  return fault ?? withLine(error, (record) => lineOfRecord(shown, record, text));
}

/** Returns the options of the reader: the settings, and detected options in place of absent settings. */
function readerOptions(
  fromSettings: readonly string[],
  { delimiter, quote, escape: mark }: CsvDialect,
  { skippedLines, hasHeader }: { readonly skippedLines: number; readonly hasHeader: boolean },
): string[] {
  const names = new Set(fromSettings.map(optionName));
  const detected = [
    `delim = ${textLiteral(delimiter)}`,
    `quote = ${textLiteral(quote)}`,
    `escape = ${textLiteral(mark)}`,
    `skip = ${skippedLines}`,
    `header = ${hasHeader}`,
  ];
  return [...fromSettings, ...detected.filter((option) => !names.has(optionName(option)))];
}

/**
 * Refuses a file of which the sniffer would lose lines. The sniffer skips first lines whose number of values differs from
 * the later lines. It reads lines of different lengths as one column.
 *
 * @throws FileRefusal
 */
async function assertNothingLost(file: CsvFile, skipped: SkippedRecords, width: number): Promise<void> {
  const { name: shown, head, settings } = file;
  const { commentLines, dividing } = head;
  if (dividing !== undefined && (width === 1 || skipped.haveText)) {
    const fault = await firstFault(shown, textOf(file, dividing), commentLines, settings);
    if (fault) throw fault;
  }
  if (skipped.haveDelimiter || skipped.haveRows)
    throw new FileRefusal(
      `The lines of ${basename(shown)} before line ${skipped.nextLine} have another number of values than this line. Correct or remove them, put quotes around values that contain the delimiter, or name the delimiter in the settings of the file.`,
    );
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
