import { isUtf8 as isUtf8Text } from 'node:buffer';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { FileRefusal, raggedRemedy } from './file-refusals.ts';
import type { FileSettings } from './file-settings.ts';

/** What the first bytes of a CSV file show. */
export type CsvHead = {
  /** What the file's mark says; undefined without a mark, and for the mark of UTF-8. */
  readonly utf16: 'utf-16le' | 'utf-16be' | undefined;
  /** It has the mark of UTF-8, or a line with characters beyond ASCII in UTF-8: a fault elsewhere is no other encoding. */
  readonly isUtf8: boolean;
  /** How many lines before the header are comments that begin with `#`. */
  readonly commentLines: number;
  /** The first line with another number of values than the header. Undefined where no delimiter separates most lines. */
  readonly raggedLine: RaggedLine | undefined;
};

type RaggedLine = { readonly line: number; readonly values: number; readonly expected: number };

const headBytes = 65_536;

/** Reads the first bytes of a file. A file that does not exist is left to the engine, whose error says so. */
export async function readHead(path: string, settings: FileSettings): Promise<CsvHead> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return { utf16: undefined, isUtf8: false, commentLines: 0, raggedLine: undefined };
  try {
    const buffer = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(buffer, 0, headBytes, 0);
    return headOf(buffer.subarray(0, bytesRead), bytesRead < headBytes, settings);
  } finally {
    await file.close();
  }
}

function headOf(bytes: Buffer, isWhole: boolean, settings: FileSettings): CsvHead {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  const utf16 = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : undefined;
  const text = new TextDecoder(utf16 ?? 'windows-1252').decode(bytes);
  const lines = text.replace(/^\u00ef\u00bb\u00bf/, '').split(/\r\n|\n|\r/);
  if (!isWhole) lines.pop();
  const commentLines = settings.comment === undefined && hasComments(lines) ? leadingComments(lines) : 0;
  return {
    ...{ utf16, isUtf8: isUtf8(bytes), commentLines },
    raggedLine: raggedLine(lines, commentLines, settings),
  };
}

/** A line in another encoding is hardly ever valid UTF-8. */
function isUtf8(bytes: Buffer): boolean {
  if (bytes.subarray(0, 3).toString('hex') === 'efbbbf') return true;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const line = bytes.subarray(from, end < 0 ? bytes.length : end);
    if (line.some((byte) => byte > 0x7f) && isUtf8Text(line)) return true;
    from = end < 0 ? bytes.length : end + 1;
  }
  return false;
}

const delimiters = [',', ';', '\t', '|'] as const;
const countOf = (line: string, delimiter: string): number => line.split(delimiter).length - 1;

/** A single first line with `#` and the delimiters of the next line is a header. */
function hasComments(lines: readonly string[]): boolean {
  const [first = '', second = ''] = lines;
  if (!first.startsWith('#')) return false;
  if (second.startsWith('#')) return true;
  return delimiters.every(
    (delimiter) =>
      countOf(first, delimiter) === 0 || countOf(first, delimiter) !== countOf(second, delimiter),
  );
}

function leadingComments(lines: readonly string[]): number {
  const header = lines.findIndex((line) => !line.startsWith('#'));
  return header < 0 ? lines.length : header;
}

/** Lines with quotes are left to the engine: their values may contain the delimiter. */
function raggedLine(
  all: readonly string[],
  commentLines: number,
  { delimiter: given, quote = '"', comment, shortLines = 'Refuse' }: FileSettings,
): RaggedLine | undefined {
  const numbered = all
    .map((line, index) => ({ line, number: index + 1 }))
    .slice(commentLines)
    .filter(({ line }) => line !== '' && (comment === undefined || !line.startsWith(comment)));
  const [header, ...rows] = numbered;
  if (!header || rows.length === 0 || numbered.some(({ line }) => line.includes(quote))) return undefined;
  for (const delimiter of given === undefined ? delimiters : [given]) {
    const expected = countOf(header.line, delimiter);
    const others = rows.filter(({ line }) =>
      shortLines === 'Null' ? countOf(line, delimiter) > expected : countOf(line, delimiter) !== expected,
    );
    const [other] = others;
    if (expected > 0 && other && others.length * 2 <= rows.length)
      return { line: other.number, values: countOf(other.line, delimiter) + 1, expected: expected + 1 };
  }
  return undefined;
}

/** Returns the refusal of a file whose lines have different numbers of values. */
export const raggedRow = (path: string, { line, values, expected }: RaggedLine): FileRefusal =>
  new FileRefusal(
    `Line ${line} of ${basename(path)} has another number of values than its header: ${values}, not ${expected}. ${raggedRemedy(values < expected)}`,
  );
