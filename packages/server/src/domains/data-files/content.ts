import path from 'node:path';
import { hasControls, isUtf8 } from '../../platform/text/index.ts';
import { jsonError } from './json-check.ts';

const parquetMark = Buffer.from('PAR1');
/** Magic bytes at both ends, and the length of the footer. */
const parquetBytesMin = 12;
const sqliteMark = Buffer.from('SQLite format 3\0');
/** At offset 8, after a checksum. */
const duckdbMark = { at: 8, bytes: Buffer.from('DUCK') };
const zipMark = Buffer.from('PK\u0003\u0004');
/** Workbook folder. The directory of every XLSX file contains this path. */
const xlsxEntry = Buffer.from('xl/');

/** Endings of tabular text files. Data sources read them in several encodings. */
const tableEndings: ReadonlySet<string> = new Set(['.csv', '.tsv']);
const jsonEndings: ReadonlySet<string> = new Set(['.json', '.jsonl', '.ndjson']);

/**
 * Returns the reason why bytes do not match the format of a file ending; undefined when they may match. Values are not
 * parsed.
 */
export async function contentError(name: string, bytes: Buffer): Promise<string | undefined> {
  if (bytes.length === 0) return 'The file is empty.';
  const ending = path.extname(name).toLowerCase();
  const binary = binaryFormats.get(ending);
  if (binary) return binary.has(bytes) ? undefined : `The content is not ${binary.name}.`;
  const isTable = tableEndings.has(ending);
  if (isTable && hasUtf16Mark(bytes)) return isUtf16(bytes) ? undefined : 'It is not text in UTF-16.';
  // Data sources read invalid UTF-8 in tabular files as Windows-1252.
  if (!isTable && !isUtf8(bytes)) return 'It is not text in UTF-8.';
  if (hasControls(bytes)) return 'It has bytes that text does not have.';
  return jsonEndings.has(ending) ? jsonError(bytes) : undefined;
}

const isParquet = (bytes: Buffer): boolean =>
  bytes.length >= parquetBytesMin &&
  bytes.subarray(0, parquetMark.length).equals(parquetMark) &&
  bytes.subarray(-parquetMark.length).equals(parquetMark);

const beginsWith = (bytes: Buffer, mark: Buffer, at = 0): boolean =>
  bytes.subarray(at, at + mark.length).equals(mark);

const isXlsx = (bytes: Buffer): boolean => beginsWith(bytes, zipMark) && bytes.includes(xlsxEntry);

type BinaryFormat = { readonly name: string; readonly has: (bytes: Buffer) => boolean };

const sqlite: BinaryFormat = {
  name: 'an SQLite database',
  has: (bytes) => beginsWith(bytes, sqliteMark),
};

/** Checks by file ending. The engine parses the rest of a binary file in a separate process. */
const binaryFormats: ReadonlyMap<string, BinaryFormat> = new Map([
  ['.parquet', { name: 'Parquet', has: isParquet }],
  ['.xlsx', { name: 'XLSX', has: isXlsx }],
  [
    '.duckdb',
    { name: 'a DuckDB database', has: (bytes) => beginsWith(bytes, duckdbMark.bytes, duckdbMark.at) },
  ],
  ['.sqlite', sqlite],
  ['.sqlite3', sqlite],
  ['.db', sqlite],
]);

const isLittleEndian = (bytes: Buffer): boolean => bytes[0] === 0xff && bytes[1] === 0xfe;
const hasUtf16Mark = (bytes: Buffer): boolean =>
  isLittleEndian(bytes) || (bytes[0] === 0xfe && bytes[1] === 0xff);

function isUtf16(bytes: Buffer): boolean {
  try {
    const label = isLittleEndian(bytes) ? 'utf-16le' : 'utf-16be';
    return !hasControls(Buffer.from(new TextDecoder(label, { fatal: true }).decode(bytes)));
  } catch {
    return false;
  }
}
