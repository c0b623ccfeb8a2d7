import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { FileRefusal } from '../file-refusals.ts';
import { type Elements, readXml, type Visitor } from './xml.ts';

const bytesPerMb = 1_048_576;
const packedBytesMax = 64 * bytesPerMb;
/** Most bytes of all entries of an archive, and of a part that we write for the reader. */
export const unpackedBytesMax = 128 * bytesPerMb;
/** First bytes of a password-protected file and of an XLS file, in hexadecimal. */
const compoundFile = 'd0cf11e0';
const endOfDirectory = 'PK\u0005\u0006';
const endOfDirectoryBytes = 22;
const largeDirectory = 'PK\u0006\u0007';

/** Parts of an XLSX file. */
export type Archive = {
  /** Name of the file, for messages. */
  readonly file: string;
  readonly hasPart: (name: string) => boolean;
  /**
   * Reads the XML of a part. The name has no leading slash, and its case does not matter.
   *
   * @throws FileRefusal for a missing part, a part whose size or checksum differs from the directory, and unsound XML
   */
  readonly readPart: (name: string, elements: Elements, visitor: Visitor) => Promise<void>;
  readonly close: () => void;
};

/**
 * Opens an XLSX file. All entries together have at most 128 MB. The archive must have one directory at its end, must
 * not be ZIP64, and must not have two entries with equal names. Entries are unpacked only when they are read.
 *
 * @throws FileRefusal
 */
export async function openArchive(path: string): Promise<Archive> {
  const file = basename(path);
  const { size } = await stat(path);
  if (size > packedBytesMax) throw tooLarge(file, 'on disk', packedBytesMax);
  const bytes = await readFile(path);
  assertOneDirectory(bytes, file);
  const zip = await fromBufferPromise(bytes).catch(() => {
    throw damaged(file);
  });
  try {
    const entries = await entriesOf(zip, file);
    return {
      file,
      hasPart: (name) => entries.has(name.toLowerCase()),
      readPart: (name, elements, visitor) =>
        readEntry(zip, entries.get(name.toLowerCase()), file, (chunks) => readXml(chunks, elements, visitor)),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error instanceof FileRefusal ? error : damaged(file);
  }
}

function assertOneDirectory(bytes: Buffer, file: string): void {
  const end = bytes.subarray(-endOfDirectoryBytes).toString('latin1');
  const tail = bytes.subarray(-endOfDirectoryBytes - 1_000).toString('latin1');
  if (bytes.subarray(0, 4).toString('hex') === compoundFile)
    throw new FileRefusal(
      `The file ${file} is protected with a password, or was saved as XLS. Save it as XLSX without a password.`,
    );
  if (!end.startsWith(endOfDirectory) || tail.includes(largeDirectory))
    throw new FileRefusal(`The file ${file} is not an XLSX file.`);
}

/** Returns the entries by their names in lower case. */
async function entriesOf(zip: ZipFile, file: string): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  let bytesLeft = unpackedBytesMax;
  for await (const entry of zip.eachEntry()) {
    bytesLeft -= entry.uncompressedSize;
    if (bytesLeft < 0) throw tooLarge(file, 'unpacked', unpackedBytesMax);
    const name = entry.fileName.toLowerCase();
    if (entries.has(name)) throw damaged(file);
    entries.set(name, entry);
  }
  return entries;
}

async function readEntry(
  zip: ZipFile,
  entry: Entry | undefined,
  file: string,
  read: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  if (!entry) throw damaged(file);
  try {
    // The stream fails if the size of the entry differs from the directory.
    const stream: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    await read(checked(stream, entry.crc32));
  } catch (error) {
    throw error instanceof FileRefusal ? error : damaged(file);
  }
}

/** Yields the chunks. Throws after the last one if their checksum is another. */
async function* checked(chunks: AsyncIterable<Buffer>, crc: number): AsyncGenerator<Buffer> {
  let actual = 0;
  for await (const chunk of chunks) {
    actual = crc32(chunk, actual);
    yield chunk;
  }
  if (actual !== crc) throw new Error('The checksum differs.');
}

export const damaged = (file: string): FileRefusal =>
  new FileRefusal(`The file ${file} is damaged. Save it again in a spreadsheet program.`);

export const tooLarge = (file: string, how: string, bytesMax: number): FileRefusal =>
  new FileRefusal(
    `The file ${file} has more than ${bytesMax / bytesPerMb} MB ${how}, the limit of XLSX files. Save the sheet as CSV.`,
  );
