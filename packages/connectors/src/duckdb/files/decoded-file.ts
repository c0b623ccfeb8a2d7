import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileRefusal } from './file-refusals.ts';

/** Temporary space that the copies of all files of a statement share. */
export type CopySpace = { readonly bytesMax: number; bytesLeft: number };

/** Place of a copy of a file in UTF-8, which the engine may read. */
export type DecodedFile = { readonly path: string; readonly space: CopySpace };

const bytesPerMb = 1_048_576;

/** Writes texts into a copy. One that fails takes no space. @throws FileRefusal when the space is used up. */
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
          throw new FileRefusal(
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

/** Encodings that are read from a copy in UTF-8. Every byte is a character of Windows-1252 and of Latin-1. */
export type DecodedEncoding = 'utf-8' | 'latin1' | 'windows-1252' | 'utf-16le' | 'utf-16be';

/** Lines that begin with the comment are left out of the copy. */
export type Comments = { readonly comment: string; readonly quote: string };

/** Bytes that are not text in the encoding. */
export class NotEncoded extends FileRefusal {}

/**
 * Writes a file as UTF-8, without its comments if they are given.
 *
 * @throws NotEncoded for a file that has not this encoding, FileRefusal for one that is too large
 */
export async function writeDecoded(
  from: string,
  encoding: DecodedEncoding,
  to: DecodedFile,
  comments?: Comments,
): Promise<void> {
  const texts = decoded(from, encoding);
  await writeCopy(comments ? withoutComments(texts, comments) : texts, to, from);
}

async function* decoded(from: string, encoding: DecodedEncoding): AsyncGenerator<string> {
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

/** A quote opens a value after a delimiter or a blank: the inches of `5" pipe` open none. */
const opensAfter = /[^\p{L}\p{N}]/u;
const lineCharactersMax = 2_000_000;

/** Returns whether a value is open after a line that begins inside or outside of one. */
function isOpenAfter(line: string, quote: string, isOpenBefore: boolean): boolean {
  let isOpen = isOpenBefore;
  for (let at = line.indexOf(quote); at >= 0; at = line.indexOf(quote, at + 1)) {
    if (!isOpen) isOpen = at === 0 || opensAfter.test(line[at - 1] ?? '');
    else if (line[at + 1] === quote) at += 1;
    else isOpen = false;
  }
  return isOpen;
}

/** A line within a quoted value is no comment. */
async function* withoutComments(
  texts: AsyncIterable<string>,
  { comment, quote }: Comments,
): AsyncGenerator<string> {
  let isQuoted = false;
  let rest = '';
  const kept = (line: string): string => {
    if (!isQuoted && line.startsWith(comment)) return '';
    isQuoted = isOpenAfter(line, quote, isQuoted);
    return line;
  };
  for await (const text of texts) {
    // A line end may be cut between its two characters.
    const lines = (rest + text).split(/(?<=\n|\r(?!\n))/);
    rest = lines.pop() ?? '';
    if (rest.length > lineCharactersMax)
      throw new FileRefusal(
        'The file has a line of more than 2 MB, the limit of CSV files. Save it as Parquet.',
      );
    yield lines.map(kept).join('');
  }
  yield kept(rest);
}
