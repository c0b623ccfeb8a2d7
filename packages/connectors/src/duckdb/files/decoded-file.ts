import { createReadStream, createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileRefusal } from './file-refusals.ts';

/** Temporary space that the copies of all files of a statement share. */
export type CopySpace = { readonly bytesMax: number; bytesLeft: number };

/** Place of a copy of a file in UTF-8, which the engine may read. */
export type DecodedFile = { readonly path: string; readonly space: CopySpace };

const bytesPerMb = 1_048_576;

/** Writes texts into a copy. @throws FileRefusal when the space is used up. */
export async function writeCopy(
  texts: AsyncIterable<string>,
  { path, space }: DecodedFile,
  from: string,
): Promise<void> {
  await pipeline(
    texts,
    async function* (parts: AsyncIterable<string>) {
      for await (const text of parts) {
        space.bytesLeft -= Buffer.byteLength(text);
        if (space.bytesLeft < 0)
          throw new FileRefusal(
            `The file ${basename(from)} is larger than the ${Math.floor(space.bytesMax / bytesPerMb)} MB that can be converted. Save it as CSV in UTF-8.`,
          );
        yield text;
      }
    },
    createWriteStream(path, { flags: 'w', mode: 0o600 }),
  );
}

/**
 * Writes a file in Windows-1252 as UTF-8. Every byte is a character there.
 *
 * @throws FileRefusal for a file that is too large.
 */
export async function writeDecoded(from: string, to: DecodedFile): Promise<void> {
  const decoder = new TextDecoder('windows-1252');
  const decode = async function* () {
    for await (const chunk of createReadStream(from)) yield decoder.decode(chunk as Buffer, { stream: true });
  };
  await writeCopy(decode(), to, from);
}
