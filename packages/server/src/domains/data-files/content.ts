import path from 'node:path';
import { jsonError } from './json-check.ts';

const parquetMark = Buffer.from('PAR1');
/** A Parquet file holds its mark at both ends and the length of its footer. */
const parquetBytesMin = 12;
const controlMax = 0x1f;
const textControls: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d]);

const jsonEndings: ReadonlySet<string> = new Set(['.json', '.jsonl', '.ndjson']);

/** Why bytes are not of the format that a file's ending names; undefined when they may be. Values are not parsed. */
export async function contentError(name: string, bytes: Buffer): Promise<string | undefined> {
  if (bytes.length === 0) return 'The file is empty.';
  const ending = path.extname(name).toLowerCase();
  if (ending === '.parquet') return isParquet(bytes) ? undefined : 'It is no Parquet.';
  if (!isUtf8(bytes)) return 'It is not text in UTF-8.';
  if (hasControls(bytes)) return 'It has bytes that text does not have.';
  return jsonEndings.has(ending) ? jsonError(bytes) : undefined;
}

const isParquet = (bytes: Buffer): boolean =>
  bytes.length >= parquetBytesMin &&
  bytes.subarray(0, parquetMark.length).equals(parquetMark) &&
  bytes.subarray(-parquetMark.length).equals(parquetMark);

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const hasControls = (bytes: Buffer): boolean =>
  bytes.some((byte) => byte <= controlMax && !textControls.has(byte));
