import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { textLiteral } from '../../names.ts';
import { type DecodedEncoding, type DecodedFile, writeDecoded } from '../decoded-file.ts';
import type { Encoding, FileSource } from '../file-reading.ts';
import { FileRefusal, notUtf8, withLine } from '../file-refusals.ts';
import type { FileSettings } from '../file-settings.ts';
import { cachedSource, type Detection } from '../source-cache.ts';
import { checkedTypes, declaredTypesOf, type TypedColumn } from '../typed-columns.ts';
import { causeOf } from './causes.ts';
import { withoutComments } from './comments.ts';
import { type CsvHead, readHead } from './head.ts';
import { assertNothingDropped, type CsvRows, lineOfRecord, lineOfRow } from './lines.ts';
import type { CsvDialect } from './records.ts';
import { type CsvFile, isNotUtf8, type Sniffed, sniff, sniffedBytesMax, textOf } from './sniff.ts';

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
  const head = await readHead(path, settings);
  assertDecodable(path, head, settings);
  try {
    return await detectAs(connection, path, { decoded, settings, head });
  } catch (error) {
    const encoding = settings.encoding ?? (head.utf16 === undefined ? 'UTF-8' : 'UTF-16');
    const text = textOf({ encoding, head, settings }, head.dividing ?? head.dialect);
    throw await causeOf(error, path, text);
  }
}

/** @throws FileRefusal for UTF-32, and for UTF-16 without a byte order mark that the settings do not name */
function assertDecodable(path: string, { wide }: CsvHead, { encoding }: FileSettings): void {
  if (wide === 'UTF-32')
    throw new FileRefusal(
      `The file ${basename(path)} is text in UTF-32, which the service does not read. Save it in UTF-8.`,
    );
  if (wide === 'UTF-16' && encoding !== 'UTF-16')
    throw new FileRefusal(
      `The file ${basename(path)} is text in UTF-16 without a byte order mark. Name the encoding UTF-16 in the settings of the file, or save it in UTF-8.`,
    );
}

async function detectAs(
  connection: DuckDBConnection,
  path: string,
  {
    decoded,
    settings,
    head,
  }: { readonly decoded: DecodedFile; readonly settings: FileSettings; readonly head: CsvHead },
): Promise<Detection> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const { encoding, comment } = settings;
  const file = (shown: Encoding, place: string): CsvFile => ({
    path: place,
    name: path,
    size,
    head,
    settings,
    encoding: shown,
  });
  const readDecoded = async (shown: Encoding, label: DecodedEncoding): Promise<Detection> => {
    const copied = file(shown, decoded.path);
    const { copy, sniffed } = await sniffedCopy(connection, copied, label, decoded);
    return { copy, ...(await typedSource(connection, copied, sniffed)) };
  };
  if (encoding === 'Windows-1252') return readDecoded('Windows-1252', 'windows-1252');
  if (encoding === 'Latin-1') return readDecoded('Latin-1', 'latin1');
  if (encoding === 'UTF-16' || (encoding === undefined && head.utf16 !== undefined))
    return readDecoded('UTF-16', head.utf16 ?? 'utf-16le');
  try {
    if (comment !== undefined) return await readDecoded('UTF-8', 'utf-8');
    const direct = file('UTF-8', path);
    return { copy: null, ...(await typedSource(connection, direct, await sniff(connection, direct))) };
  } catch (error) {
    if (encoding !== undefined || !isNotUtf8(error)) throw error;
    if (head.isUtf8) throw notUtf8(error, path);
    return readDecoded('Windows-1252', 'windows-1252');
  }
}

type Copied = { readonly copy: NonNullable<Detection['copy']>; readonly sniffed: Sniffed };

/**
 * Writes the copy of a file and sniffs it. A quoted value can contain lines with the comment prefix. The copy is therefore
 * written again if the sniffer detects another dialect than the one by which the comments were omitted.
 */
async function sniffedCopy(
  connection: DuckDBConnection,
  file: CsvFile,
  encoding: DecodedEncoding,
  decoded: DecodedFile,
): Promise<Copied> {
  const { comment } = file.settings;
  const written = async (dialect: CsvDialect): Promise<Copied> => {
    const copy = (to: DecodedFile) =>
      writeDecoded(
        file.name,
        encoding,
        to,
        comment === undefined
          ? undefined
          : (texts) => withoutComments(texts, { comment, dialect, path: file.name }),
      );
    await copy(decoded);
    return { copy, sniffed: await sniff(connection, file) };
  };
  const { bytesLeft } = decoded.space;
  const guess = file.head.dialect;
  const copied = await written(guess);
  const { dialect } = copied.sniffed;
  const isGuess = (Object.keys(guess) as (keyof CsvDialect)[]).every((part) => guess[part] === dialect[part]);
  if (comment === undefined || isGuess) return copied;
  decoded.space.bytesLeft = bytesLeft;
  return written(dialect);
}

async function typedSource(
  connection: DuckDBConnection,
  file: CsvFile,
  sniffed: Sniffed,
): Promise<Omit<Detection, 'copy'>> {
  const { path, name: shown, size, settings } = file;
  const { columns, reading, dialect, options } = sniffed;
  const names = columns.map(({ name }) => name);
  const untyped = readCsv(
    path,
    options,
    names.map((name) => ({ name, type: 'VARCHAR' })),
  );
  const text = textOf(file, dialect);
  const rows: CsvRows = {
    text,
    skippedRecords: reading.skippedLines,
    hasHeader: reading.hasHeader,
    columnCount: columns.length,
  };
  const placeOf = async (row: number) => `Line ${await lineOfRow(shown, row, rows)}`;
  try {
    await assertNothingDropped(shown, rows, {
      place: path,
      fillsShortLines: settings.shortLines === 'Null',
    });
    const typed = await checkedTypes(connection, untyped, columns, {
      file: shown,
      declaredTypes: declaredTypesOf(shown, names, settings),
      decimalSeparator: settings.decimalSeparator ?? '.',
      placeOf,
      // The sniffer saw only the first rows, or divided the rows without the quote of the reader.
      readsText: size > sniffedBytesMax || !sniffed.isQuoted,
    });
    return { sqlOf: (place) => readCsv(place, options, typed), reading };
  } catch (error) {
    throw await withLine(error, (record) => lineOfRecord(shown, record, text));
  }
}

/** Returns a table function that detects nothing. */
export function readCsv(path: string, options: readonly string[], columns: readonly TypedColumn[]): string {
  const members = columns.map(({ name, type }) => `${textLiteral(name)}: ${textLiteral(type)}`).join(', ');
  return `read_csv(${[textLiteral(path), 'auto_detect = false', 'hive_partitioning = false', ...options, `columns = {${members}}`].join(', ')})`;
}
