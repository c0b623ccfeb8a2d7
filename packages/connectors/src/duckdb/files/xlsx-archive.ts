import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { FileRefusal } from './file-refusals.ts';
import { withEntry, withSoundFormats } from './xlsx-number-formats.ts';
import { type CellPlace, SheetScan, withoutPhonetics } from './xlsx-sheet-scan.ts';

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
 * @returns the archive with number formats that its reader understands, and without phonetic runs in cells
 * @throws FileRefusal, also for cells so far to the right that the reader has no memory for the empty cells before them
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
    for (const { name, content } of await unpack(bytes, file)) sound = withEntry(sound, name, content);
    return sound;
  } catch (error) {
    if (error instanceof FileRefusal) throw error;
    throw damaged(file);
  }
}

type NewEntry = { readonly name: string; readonly content: Buffer };

/** Checks all entries, and returns the entries whose content must change for the reader. */
async function unpack(bytes: Buffer, file: string): Promise<NewEntry[]> {
  const archive = await fromBufferPromise(bytes);
  const changed: NewEntry[] = [];
  let hasStyles = false;
  try {
    let left = unpackedBytesMax;
    for await (const entry of archive.eachEntry()) {
      left -= entry.uncompressedSize;
      if (left < 0) throw tooLarge(file, 'unpacked', unpackedBytesMax);
      const { content, isSound, scan } = await contentOf(archive, entry);
      if (!isSound) throw damaged(file);
      if (scan?.farCell) throw tooFar(file, entry.fileName, scan.farCell);
      if (scan?.hasPhonetic) changed.push(await withoutPhoneticsOf(archive, entry, file));
      if (!stylesEntry.test(entry.fileName)) continue;
      if (hasStyles) throw new FileRefusal(`The file ${file} has number formats twice.`);
      hasStyles = true;
      const styles = withSoundFormats(content);
      if (styles !== content) changed.push({ name: entry.fileName, content: Buffer.from(styles) });
    }
    return changed;
  } finally {
    archive.close();
  }
}

async function withoutPhoneticsOf(archive: ZipFile, entry: Entry, file: string): Promise<NewEntry> {
  const content = await withoutPhonetics(await archive.openReadStreamPromise(entry), tagBytesMax);
  if (content === undefined) throw damaged(file);
  return { name: entry.fileName, content };
}

/** Reads one entry. Returns the whole content of number formats of up to 8 MB, else the end of the content. */
async function contentOf(
  archive: ZipFile,
  entry: Entry,
): Promise<{ readonly content: string; readonly isSound: boolean; readonly scan: SheetScan | undefined }> {
  let crc = 0;
  let bytesSinceTag = 0;
  let hasLongTag = false;
  const isSheet = sheetEntry.test(entry.fileName);
  const hasStyles = stylesEntry.test(entry.fileName);
  const isWhole = hasStyles && entry.uncompressedSize <= stylesBytesMax;
  const scan = isSheet ? new SheetScan() : undefined;
  const chunks: Buffer[] = [];
  const collect = (chunk: Buffer, _encoding: string, done: () => void) => {
    crc = crc32(chunk, crc);
    if (!isWhole && chunks.length > 1) chunks.shift();
    chunks.push(chunk);
    const first = chunk.indexOf(tagEnd);
    bytesSinceTag += first < 0 ? chunk.length : first;
    hasLongTag ||= bytesSinceTag > tagBytesMax;
    if (first >= 0) bytesSinceTag = chunk.length - chunk.lastIndexOf(tagEnd);
    if (!hasLongTag) scan?.take(chunk);
    done();
  };
  // The stream fails if the size of an entry differs from the directory.
  await pipeline(await archive.openReadStreamPromise(entry), new Writable({ write: collect }));
  const content = Buffer.concat(chunks).toString();
  const isCut = isSheet && !sheetEnd.test(content.slice(-sheetEndBytes));
  const isTooLong = /\.xml$/i.test(entry.fileName) && hasLongTag;
  const isSound = crc === entry.crc32 && !isCut && !isTooLong && (isWhole || !hasStyles);
  return { content, isSound, scan };
}

const damaged = (file: string): FileRefusal =>
  new FileRefusal(`The file ${file} is damaged. Save it again in a spreadsheet program.`);

const tooFar = (file: string, entry: string, { row, column }: CellPlace): FileRefusal =>
  new FileRefusal(
    `Row ${row} of ${basename(entry)} in the file ${file} has a cell in the column ${column}, after too many empty cells in this row and the rows before it. Move the cells next to each other.`,
  );

const tooLarge = (file: string, how: string, bytesMax: number): FileRefusal =>
  new FileRefusal(
    `The file ${file} has more than ${bytesMax / bytesPerMb} MB ${how}, the limit of XLSX files. Save the sheet as CSV.`,
  );

/** @throws FileRefusal for a file of more than 64 MB. */
export async function assertSmall(path: string): Promise<void> {
  const { size } = await stat(path);
  if (size > packedBytesMax) throw tooLarge(basename(path), 'on disk', packedBytesMax);
}
