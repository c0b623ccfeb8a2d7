import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileRefusal, SpaceRefusal } from './file-refusals.ts';

/** Temporary space that the copies of all files of a statement share. */
export type CopySpace = { readonly bytesMax: number; bytesLeft: number };

/** UTF-8 copy of a file. The engine may read its path. */
export type DecodedFile = { readonly path: string; readonly space: CopySpace };

const bytesPerMb = 1_048_576;

/** Writes texts into a copy. A failed copy uses no space. @throws FileRefusal if the space is used up. */
export async function writeCopy(
  texts: AsyncIterable<string>,
  { path, space }: DecodedFile,
  from: string,
): Promise<void> {
  const before = space.bytesLeft;
  const write = pipeline(
    texts,
    async function* (parts: AsyncIterable<string>) {
      for await (const text of parts) {
        space.bytesLeft -= Buffer.byteLength(text);
        if (space.bytesLeft < 0)
          throw new SpaceRefusal(
            `The file ${basename(from)} is larger than the ${Math.floor(space.bytesMax / bytesPerMb)} MB that can be converted. Save it as CSV in UTF-8.`,
          );
        yield text;
      }
    },
    createWriteStream(path, { flags: 'w', mode: 0o600 }),
  );
  try {
    await write;
  } catch (error) {
    await rm(path, { force: true });
    space.bytesLeft = before;
    throw error;
  }
}

/** Encodings of files that need a UTF-8 copy. Every byte is valid in Windows-1252 and in Latin-1. */
export type DecodedEncoding = 'utf-8' | 'latin1' | 'windows-1252' | 'utf-16le' | 'utf-16be';

/** Refusal of bytes that are not text in the encoding. */
export class NotEncoded extends FileRefusal {}

/**
 * Writes a file as UTF-8.
 *
 * @param retained  omits parts of the text. Default: none.
 * @throws NotEncoded for a file in another encoding, FileRefusal for a file that is too large
 */
export async function writeDecoded(
  from: string,
  encoding: DecodedEncoding,
  to: DecodedFile,
  retained: (texts: AsyncIterable<string>) => AsyncIterable<string> = (texts) => texts,
): Promise<void> {
  await writeCopy(retained(decodedTexts(from, encoding)), to, from);
}

/** Yields the content of a file in pieces of any length. @throws NotEncoded for a file in another encoding */
export async function* decodedTexts(from: string, encoding: DecodedEncoding): AsyncGenerator<string> {
  const decoder = encoding === 'latin1' ? undefined : new TextDecoder(encoding, { fatal: true });
  const decode = (chunk?: Buffer): string => {
    if (!decoder) return chunk?.toString('latin1') ?? '';
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new NotEncoded(
        `The file ${basename(from)} is not text in ${encoding === 'utf-8' ? 'UTF-8' : 'UTF-16'}. Save it in UTF-8, or name its encoding in the settings of the file.`,
      );
    }
  };
  for await (const chunk of createReadStream(from)) yield decode(chunk as Buffer);
  yield decode();
}

const lineCharactersMax = 2_000_000;

/** Divides a text into lines with their ends. The last line has no end. */
export const splitLines = (text: string): string[] => text.split(/(?<=\n|\r(?!\n))/);

/**
 * Yields the lines of the texts of a file in batches, with their ends. The last line has no end.
 *
 * @throws FileRefusal for a line of more than 2 MB
 */
export async function* linesOf(
  texts: AsyncIterable<string>,
  path: string,
): AsyncGenerator<readonly string[]> {
  let count = 0;
  let rest = '';
  for await (const text of texts) {
    // A text may end between the two characters of a line end.
    const lines = splitLines(rest + text);
    rest = lines.pop() ?? '';
    count += lines.length;
    if (rest.length > lineCharactersMax)
      throw new FileRefusal(
        `Line ${count + 1} of ${basename(path)} has more than 2 MB, the limit of CSV files. Save it as Parquet.`,
      );
    yield lines;
  }
  yield [rest];
}
