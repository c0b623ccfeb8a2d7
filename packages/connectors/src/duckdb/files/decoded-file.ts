import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileRefusal } from './file-refusals.ts';

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

/** Encodings of files that need a UTF-8 copy. Every byte is valid in Windows-1252 and in Latin-1. */
export type DecodedEncoding = 'utf-8' | 'latin1' | 'windows-1252' | 'utf-16le' | 'utf-16be';

/** Prefix of comment lines, which the copy omits, and the quote of values. */
export type Comments = { readonly comment: string; readonly quote: string };

/** Refusal of bytes that are not text in the encoding. */
export class NotEncoded extends FileRefusal {}

/**
 * Writes a file as UTF-8. Omits comment lines if `comments` is set.
 *
 * @throws NotEncoded for a file in another encoding, FileRefusal for a file that is too large
 */
export async function writeDecoded(
  from: string,
  encoding: DecodedEncoding,
  to: DecodedFile,
  comments?: Comments,
): Promise<void> {
  const texts = decodedTexts(from, encoding);
  await writeCopy(comments ? withoutComments(texts, comments) : texts, to, from);
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

/** Characters before an opening quote: no letters and no digits, so the inches of `5" pipe` open no value. */
const opensAfter = /[^\p{L}\p{N}]/u;
const lineCharactersMax = 2_000_000;

/** Returns true if a quoted value is open after the line. */
export function isOpenAfter(line: string, quote: string, isOpenBefore: boolean): boolean {
  let isOpen = isOpenBefore;
  for (let at = line.indexOf(quote); at >= 0; at = line.indexOf(quote, at + 1)) {
    if (!isOpen) isOpen = at === 0 || opensAfter.test(line[at - 1] ?? '');
    else if (line[at + 1] === quote) at += 1;
    else isOpen = false;
  }
  return isOpen;
}

/** Yields the lines of texts in batches, with their ends. The last line has no end. @throws FileRefusal for a line of more than 2 MB */
export async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const text of texts) {
    // A text may end between the two characters of a line end.
    const lines = (rest + text).split(/(?<=\n|\r(?!\n))/);
    rest = lines.pop() ?? '';
    if (rest.length > lineCharactersMax)
      throw new FileRefusal(
        'The file has a line of more than 2 MB, the limit of CSV files. Save it as Parquet.',
      );
    yield lines;
  }
  yield [rest];
}

/** Omits comment lines. A line within a quoted value is not a comment. */
async function* withoutComments(
  texts: AsyncIterable<string>,
  { comment, quote }: Comments,
): AsyncGenerator<string> {
  let isQuoted = false;
  const retained = (line: string): string => {
    if (!isQuoted && line.startsWith(comment)) return '';
    isQuoted = isOpenAfter(line, quote, isQuoted);
    return line;
  };
  for await (const lines of linesOf(texts)) yield lines.map(retained).join('');
}
