import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { FileRefusal } from './file-refusals.ts';

const bytesPerMb = 1_048_576;
const packedBytesMax = 64 * bytesPerMb;
const unpackedBytesMax = 128 * bytesPerMb;
/** How a file begins that is protected with a password, or that an old program wrote. */
const compoundFile = 'd0cf11e0';
const endOfDirectory = 'PK\u0005\u0006';
const endOfDirectoryBytes = 22;
const largeDirectory = 'PK\u0006\u0007';

/**
 * Unpacks an XLSX file once without keeping anything: each entry has the size that the directory states, and all entries
 * together have at most 128 MB. Only archives with one small directory at their end pass, so that every reader finds the same
 * directory.
 *
 * @throws FileRefusal
 */
export async function assertUnpackable(path: string, bytes: Buffer): Promise<void> {
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
    await unpack(path, file);
  } catch (error) {
    if (error instanceof FileRefusal) throw error;
    throw new FileRefusal(`The file ${file} is damaged. Save it again in a spreadsheet program.`);
  }
}

async function unpack(path: string, file: string): Promise<void> {
  const archive = await openPromise(path);
  try {
    let left = unpackedBytesMax;
    for await (const entry of archive.eachEntry()) {
      left -= entry.uncompressedSize;
      if (left < 0) throw tooLarge(file, 'unpacked', unpackedBytesMax);
      if (entry.uncompressedSize === 0 && entry.compressedSize > 2)
        throw new FileRefusal(`The file ${file} is damaged. Save it again in a spreadsheet program.`);
      // The stream fails where an entry has another size than its directory states.
      await pipeline(
        await archive.openReadStreamPromise(entry),
        new Writable({ write: (_chunk, _encoding, done) => done() }),
      );
    }
  } finally {
    archive.close();
  }
}

const tooLarge = (file: string, how: string, bytesMax: number): FileRefusal =>
  new FileRefusal(
    `The file ${file} has more than ${bytesMax / bytesPerMb} MB ${how}, the limit of XLSX files. Save the sheet as CSV.`,
  );

/** @throws FileRefusal for a file that is not read into memory. */
export async function assertSmall(path: string): Promise<void> {
  const { size } = await stat(path);
  if (size > packedBytesMax) throw tooLarge(basename(path), 'on disk', packedBytesMax);
}
