import { createReadStream, createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileRefusal } from './file-refusals.ts';

/** Place of a copy of a file in UTF-8, which the engine may read. */
export type DecodedFile = {
  readonly path: string;
  /** Larger files are refused: the copy takes temporary space. */
  readonly bytesMax: number;
};

const bytesPerMb = 1_048_576;

/**
 * Writes a file in Windows-1252, which includes Latin-1, as UTF-8. Every byte is a character there.
 *
 * @throws FileRefusal for a file that is too large.
 */
export async function writeDecoded(from: string, size: number, to: DecodedFile): Promise<void> {
  if (size > to.bytesMax)
    throw new FileRefusal(
      `The file ${basename(from)} is not UTF-8, and larger than the ${Math.floor(to.bytesMax / bytesPerMb)} MB that are converted. Save the file in UTF-8.`,
    );
  const decoder = new TextDecoder('windows-1252');
  await pipeline(
    createReadStream(from),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    },
    createWriteStream(to.path, { flags: 'w', mode: 0o600 }),
  );
}
