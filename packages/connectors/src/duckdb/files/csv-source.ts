import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, textLiteral } from '../names.ts';
import { type CsvHead, raggedRow, readHead } from './csv-head.ts';
import { type CsvRows, lineOfRow } from './csv-lines.ts';
import { type DecodedEncoding, type DecodedFile, NotEncoded, writeDecoded } from './decoded-file.ts';
import { type Encoding, type FileReading, type FileSource, selfDescribed } from './file-reading.ts';
import { FileRefusal, notUtf8 } from './file-refusals.ts';
import type { FileSettings } from './file-settings.ts';
import { cachedSource, type Detection } from './source-cache.ts';
import { checkedTypes, type GivenTypes, givenTypes, type TypedColumn } from './typed-columns.ts';

/**
 * Largest file whose rows are all sniffed. For larger files, the engine sniffs the first rows. The check of types always
 * reads all rows.
 */
const sniffedBytesMax = 64 * 1024 * 1024;

/**
 * Returns the table function that reads a CSV file. A column has a type other than text only if every value of the file
 * retains its form in that type. These values stay text: `01067`, `1.10` next to `2`, an identifier with more digits than a
 * double has.
 *
 * A file that is not UTF-8 is read as UTF-16 if it begins with that mark, else as Windows-1252, which includes Latin-1. In a
 * file with valid UTF-8 characters beyond ASCII, a wrong byte is an error and not a sign of another encoding. Settings of the
 * file replace detection.
 *
 * Throws the engine's error, or a `FileRefusal`, for a file that cannot be read as a whole.
 */
export function csvSource(
  connection: DuckDBConnection,
  path: string,
  decoded: DecodedFile,
  settings: FileSettings,
): Promise<FileSource> {
  return cachedSource({ path, format: 'csv', settings }, decoded, () =>
    detectCsv(connection, path, decoded, settings),
  );
}

async function detectCsv(
  connection: DuckDBConnection,
  path: string,
  decoded: DecodedFile,
  settings: FileSettings,
): Promise<Detection> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const head = await readHead(path, settings);
  const read = (encoding: Encoding, place: string) =>
    typedSource(connection, { path: place, name: path, size, head, encoding, settings });
  const { encoding, comment, quote = '"' } = settings;
  const comments = comment === undefined ? undefined : { comment, quote };
  const readDecoded = async (shown: Encoding, label: DecodedEncoding): Promise<Detection> => {
    const copy = (to: DecodedFile) => writeDecoded(path, label, to, comments);
    await copy(decoded);
    return { copy, ...(await read(shown, decoded.path)) };
  };
  if (encoding === 'Windows-1252') return readDecoded('Windows-1252', 'windows-1252');
  if (encoding === 'Latin-1') return readDecoded('Latin-1', 'latin1');
  if (encoding === 'UTF-16' || (encoding === undefined && head.utf16 !== undefined))
    return readDecoded('UTF-16', head.utf16 ?? 'utf-16le');
  try {
    if (comments) return await readDecoded('UTF-8', 'utf-8');
    return { copy: null, ...(await read('UTF-8', path)) };
  } catch (error) {
    if (encoding !== undefined || !isNotUtf8(error)) throw error;
    if (head.isUtf8) throw notUtf8(error, path);
    return readDecoded('Windows-1252', 'windows-1252');
  }
}

const isNotUtf8 = (error: unknown): boolean =>
  error instanceof NotEncoded ||
  (error instanceof Error && /not utf-8 encoded|Invalid unicode/i.test(error.message));

/** Encodings without a byte order. */
const encodingLabels: Partial<Record<Encoding, DecodedEncoding>> = {
  'UTF-8': 'utf-8',
  'Latin-1': 'latin1',
  'Windows-1252': 'windows-1252',
};

type CsvFile = {
  /** Path that the engine reads: the file, or its copy in UTF-8. */
  readonly path: string;
  /** Path of the file, for messages. */
  readonly name: string;
  readonly size: number;
  readonly head: CsvHead;
  readonly encoding: Encoding;
  readonly settings: FileSettings;
};

/** Returns the options for both the sniffer and the reader. */
function givenOptions({ settings, head }: CsvFile): string[] {
  const { delimiter, quote, hasHeader, decimalSeparator, nullText, shortLines } = settings;
  return [
    ...(delimiter === undefined ? [] : [`delim = ${textLiteral(delimiter)}`]),
    ...(quote === undefined ? [] : [`quote = ${textLiteral(quote)}`, `escape = ${textLiteral(quote)}`]),
    // The engine also finds comments within a line. Our comments are whole lines: `skip` or a copy removes them.
    "comment = ''",
    ...(head.commentLines === 0 ? [] : [`skip = ${head.commentLines}`]),
    ...(hasHeader === undefined ? [] : [`header = ${hasHeader}`]),
    ...(decimalSeparator === ',' ? ["decimal_separator = ','"] : []),
    ...(nullText === undefined ? [] : [`nullstr = ['', ${textLiteral(nullText)}]`]),
    ...(shortLines === 'Null' ? ['null_padding = true', 'parallel = false'] : []),
  ];
}

const optionNames = (options: readonly string[]): ReadonlySet<string> =>
  new Set(options.map((option) => option.slice(0, option.indexOf(' '))));

/** Columns and dialect that the engine's sniffer detected, with the settings in their place. */
type Sniffed = {
  readonly columns: readonly TypedColumn[];
  readonly reading: FileReading & {
    readonly delimiter: string;
    readonly quote: string;
    readonly hasHeader: boolean;
    readonly skippedLines: number;
  };
  readonly escape: string;
};

/** @throws FileRefusal for a file of which lines would be lost, or whose delimiter cannot be detected */
async function sniff(
  connection: DuckDBConnection,
  file: CsvFile,
  given: readonly string[],
): Promise<Sniffed> {
  const { path, name: shown, size, head, encoding, settings } = file;
  const sample = size <= sniffedBytesMax ? ['sample_size = -1'] : [];
  const sniffed = await connection
    .runAndReadAll(
      `SELECT Delimiter AS delim, Quote AS quote, Escape AS escape, SkipRows AS skip,
         HasHeader AS header, [c.name FOR c IN Columns] AS names, [c.type FOR c IN Columns] AS types
       FROM sniff_csv(${[textLiteral(path), ...given, ...sample].join(', ')})`,
    )
    .catch((error: unknown) => {
      throw head.raggedLine === undefined || isNotUtf8(error) ? error : raggedRow(shown, head.raggedLine);
    });
  const [row] = sniffed.getRowObjectsJson();
  if (!row) throw new Error('The sniffer found nothing.');
  const names = textsOf(row['names']);
  const skippedLines = Number(row['skip'] ?? 0);
  assertNothingLost(shown, head, {
    skippedLines,
    delimiter: String(row['delim'] ?? ''),
    width: names.length,
  });
  const types = textsOf(row['types']);
  const detected = (name: string) => {
    const value = String(row[name] ?? '');
    return value === '(empty)' ? '' : value;
  };
  if (settings.decimalSeparator === ',' && settings.delimiter === undefined && detected('delim') === ',')
    throw new FileRefusal(
      `The delimiter of ${basename(shown)} cannot be detected beside a decimal comma. Name it in the settings of the file.`,
    );
  const quote = settings.quote ?? (detected('quote') || '"');
  const reading = {
    ...selfDescribed,
    encoding,
    delimiter: settings.delimiter ?? detected('delim'),
    quote,
    comment: settings.comment ?? (head.commentLines > 0 ? '#' : null),
    hasHeader: settings.hasHeader ?? row['header'] === true,
    skippedLines,
  };
  const columns = names.map((name, at) => ({ name, type: types[at] ?? 'VARCHAR' }));
  return { columns, reading, escape: detected('escape') || quote };
}

/** Returns the options of the reader: the settings, and detected options in place of absent settings. */
function dialectOf(given: readonly string[], { reading, escape: mark }: Sniffed): string[] {
  const names = optionNames(given);
  const detected = [
    `delim = ${textLiteral(reading.delimiter)}`,
    `quote = ${textLiteral(reading.quote)}`,
    `escape = ${textLiteral(mark)}`,
    `skip = ${reading.skippedLines}`,
    `header = ${reading.hasHeader}`,
  ];
  return [...given, ...detected.filter((option) => !names.has(option.slice(0, option.indexOf(' '))))];
}

async function typedSource(connection: DuckDBConnection, file: CsvFile): Promise<Omit<Detection, 'copy'>> {
  const { path, name: shown, size, head, encoding, settings } = file;
  const given = givenOptions(file);
  const sniffed = await sniff(connection, file, given);
  const { columns, reading } = sniffed;
  const dialect = dialectOf(given, sniffed);
  const names = columns.map(({ name }) => name);
  const untyped = readCsv(
    path,
    dialect,
    names.map((name) => ({ name, type: 'VARCHAR' })),
  );
  const rows: CsvRows = {
    encoding: encodingLabels[encoding] ?? head.utf16 ?? 'utf-16le',
    quote: reading.quote,
    escape: sniffed.escape,
    comment: settings.comment,
    skippedLines: head.commentLines || reading.skippedLines,
    hasHeader: reading.hasHeader,
    columnCount: columns.length,
  };
  const placeOf = async (row: number) => `Line ${await lineOfRow(shown, row, rows)}`;
  if (settings.shortLines === 'Null' && reading.hasHeader)
    await assertNoLongLine(connection, { ...file, placeOf }, dialect, columns.length);
  const typed = await checkedTypes(connection, untyped, columns, {
    file: shown,
    given: givenTypes(shown, names, settings),
    decimalSeparator: settings.decimalSeparator ?? '.',
    placeOf,
    // The sniffer saw only the first rows.
    readsText: size > sniffedBytesMax,
  });
  return { sqlOf: (place) => readCsv(place, dialect, typed), reading };
}

/**
 * Refuses a file of which the sniffer would lose lines. The sniffer skips first lines whose number of values differs from
 * the later lines. It reads lines of different lengths as one column.
 *
 * @throws FileRefusal
 */
function assertNothingLost(
  path: string,
  { raggedLine, commentLines, lines }: CsvHead,
  found: { readonly skippedLines: number; readonly delimiter: string; readonly width: number },
): void {
  const skipped = lines.slice(commentLines, found.skippedLines);
  if (raggedLine !== undefined && (found.width === 1 || skipped.length > 0))
    throw raggedRow(path, raggedLine);
  if (found.delimiter !== '' && skipped.some((line) => line.includes(found.delimiter)))
    throw new FileRefusal(
      `The first lines of ${basename(path)} have another number of values than line ${found.skippedLines + 1}. Correct or remove them.`,
    );
}

/**
 * Refuses a line with more values than the header. If missing values are NULL, the engine would add columns for such a
 * line.
 */
async function assertNoLongLine(
  connection: DuckDBConnection,
  { path, name, placeOf }: CsvFile & Pick<GivenTypes, 'placeOf'>,
  dialect: readonly string[],
  width: number,
): Promise<void> {
  const last = quoteName(`column${width - 1}`);
  const names = Array.from({ length: width }, (_, at) => ({ name: `column${at}`, type: 'VARCHAR' }));
  const options = dialect.filter((option) => !option.startsWith('header '));
  const withHeader = readCsv(path, [...options, 'header = false'], names);
  const found = await connection.runAndReadAll(
    `SELECT row FROM (SELECT row_number() OVER () - 1 AS row, ${last} AS value FROM ${withHeader})
      WHERE value IS NOT NULL ORDER BY row LIMIT 1`,
  );
  const row = Number(found.getRowsJson()[0]?.[0] ?? 0);
  if (row > 0)
    throw new FileRefusal(
      `${await placeOf(row)} of ${basename(name)} has more values than the header. Correct it, or put quotes around values that contain the delimiter.`,
    );
}

/** Returns a table function that detects nothing. */
export function readCsv(path: string, options: readonly string[], columns: readonly TypedColumn[]): string {
  const members = columns.map(({ name, type }) => `${textLiteral(name)}: ${textLiteral(type)}`).join(', ');
  return `read_csv(${[textLiteral(path), 'auto_detect = false', 'hive_partitioning = false', ...options, `columns = {${members}}`].join(', ')})`;
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
