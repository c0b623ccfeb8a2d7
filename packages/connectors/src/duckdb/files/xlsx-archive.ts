import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { FileRefusal } from './file-refusals.ts';
import { withEntry, withSoundFormats } from './xlsx-number-formats.ts';

const bytesPerMb = 1_048_576;
const packedBytesMax = 64 * bytesPerMb;
const unpackedBytesMax = 128 * bytesPerMb;
/** First bytes of a password-protected file and of an XLS file, in hexadecimal. */
const compoundFile = 'd0cf11e0';
const endOfDirectory = 'PK\u0005\u0006';
const endOfDirectoryBytes = 22;
const largeDirectory = 'PK\u0006\u0007';

/** Entries with the number formats of a workbook. */
const stylesEntry = /(^|\/)styles\.xml$/i;
const sheetEntry = /(^|\/)worksheets\/[^/]+\.xml$/i;
/** End of a complete sheet. The sheet reader accepts a truncated sheet as a shorter sheet. */
const sheetEnd = /<\/(\w+:)?worksheet>\s*$/;
const sheetEndBytes = 1_000;
const stylesBytesMax = 8 * bytesPerMb;
/** Longest tag. The time of the XML reader grows with the square of its length. */
const tagBytesMax = bytesPerMb;
const tagEnd = 0x3e;

/**
 * Checks an XLSX file by unpacking it once. Each entry has the size that the directory states, and all entries together have
 * at most 128 MB. The archive must have one directory at its end and must not be ZIP64, so that every reader finds the same
 * directory.
 *
 * @param path  for messages
 * @returns the archive with number formats that its reader understands
 * @throws FileRefusal
 */
export async function soundArchive(path: string, bytes: Buffer): Promise<Buffer> {
  const file = basename(path);
  const end = bytes.subarray(-endOfDirectoryBytes).toString('latin1');
  const tail = bytes.subarray(-endOfDirectoryBytes - 1_000).toString('latin1');
  if (bytes.subarray(0, 4).toString('hex') === compoundFile)
    throw new FileRefusal(
      `The file ${file} is protected with a password, or was saved as XLS. Save it as XLSX without a password.`,
    );
  if (!end.startsWith(endOfDirectory) || tail.includes(largeDirectory))
    throw new FileRefusal(`The file ${file} is not an XLSX file.`);
  try {
    let sound = bytes;
    for (const { name, content } of await unpack(bytes, file)) {
      const styles = withSoundFormats(content);
      if (styles !== content) sound = withEntry(sound, name, Buffer.from(styles));
    }
    return sound;
  } catch (error) {
    if (error instanceof FileRefusal) throw error;
    throw new FileRefusal(`The file ${file} is damaged. Save it again in a spreadsheet program.`);
  }
}

/** Checks all entries, and returns the entries with number formats. */
async function unpack(bytes: Buffer, file: string): Promise<{ name: string; content: string }[]> {
  const archive = await fromBufferPromise(bytes);
  const styles: { name: string; content: string }[] = [];
  try {
    let left = unpackedBytesMax;
    for await (const entry of archive.eachEntry()) {
      left -= entry.uncompressedSize;
      if (left < 0) throw tooLarge(file, 'unpacked', unpackedBytesMax);
      const { content, isSound } = await contentOf(archive, entry);
      if (!isSound)
        throw new FileRefusal(`The file ${file} is damaged. Save it again in a spreadsheet program.`);
      if (!stylesEntry.test(entry.fileName)) continue;
      if (styles.length > 0) throw new FileRefusal(`The file ${file} has number formats twice.`);
      styles.push({ name: entry.fileName, content });
    }
    return styles;
  } finally {
    archive.close();
  }
}

/** Reads one entry. Returns the whole content of number formats of up to 8 MB, else the end of the content. */
async function contentOf(
  archive: ZipFile,
  entry: Entry,
): Promise<{ readonly content: string; readonly isSound: boolean }> {
  let crc = 0;
  let bytesSinceTag = 0;
  let hasLongTag = false;
  const isWhole = stylesEntry.test(entry.fileName) && entry.uncompressedSize <= stylesBytesMax;
  const chunks: Buffer[] = [];
  const collect = (chunk: Buffer, _encoding: string, done: () => void) => {
    crc = crc32(chunk, crc);
    if (!isWhole && chunks.length > 1) chunks.shift();
    chunks.push(chunk);
    const first = chunk.indexOf(tagEnd);
    bytesSinceTag += first < 0 ? chunk.length : first;
    hasLongTag ||= bytesSinceTag > tagBytesMax;
    if (first >= 0) bytesSinceTag = chunk.length - chunk.lastIndexOf(tagEnd);
    done();
  };
  // The stream fails if the size of an entry differs from the directory.
  await pipeline(await archive.openReadStreamPromise(entry), new Writable({ write: collect }));
  const content = Buffer.concat(chunks).toString();
  const isCut = sheetEntry.test(entry.fileName) && !sheetEnd.test(content.slice(-sheetEndBytes));
  const isTooLong = /\.xml$/i.test(entry.fileName) && hasLongTag;
  const hasStyles = stylesEntry.test(entry.fileName);
  return { content, isSound: crc === entry.crc32 && !isCut && !isTooLong && (isWhole || !hasStyles) };
}

const tooLarge = (file: string, how: string, bytesMax: number): FileRefusal =>
  new FileRefusal(
    `The file ${file} has more than ${bytesMax / bytesPerMb} MB ${how}, the limit of XLSX files. Save the sheet as CSV.`,
  );

/** @throws FileRefusal for a file of more than 64 MB. */
export async function assertSmall(path: string): Promise<void> {
  const { size } = await stat(path);
  if (size > packedBytesMax) throw tooLarge(basename(path), 'on disk', packedBytesMax);
}
