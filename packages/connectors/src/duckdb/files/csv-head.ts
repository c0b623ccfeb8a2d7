import { isUtf8 as isUtf8Text } from 'node:buffer';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { FileRefusal, raggedRemedy } from './file-refusals.ts';
import type { FileSettings } from './file-settings.ts';

/** Properties of a CSV file that its first bytes show. */
export type CsvHead = {
  /** Encoding of the byte order mark; undefined without a mark, and for the mark of UTF-8. */
  readonly utf16: 'utf-16le' | 'utf-16be' | undefined;
  /**
   * The file has the mark of UTF-8, or a valid UTF-8 line with characters beyond ASCII. Then an invalid byte elsewhere is a
   * fault and not a sign of another encoding.
   */
  readonly isUtf8: boolean;
  /** Number of lines before the header that are comments with `#`; 0 if the settings name a comment prefix. */
  readonly commentLines: number;
  /** The first line with another number of values than the header; undefined if no delimiter separates most lines. */
  readonly raggedLine: RaggedLine | undefined;
  /** The first lines, including comments. */
  readonly lines: readonly string[];
};

type RaggedLine = { readonly line: number; readonly values: number; readonly expected: number };

const headBytes = 65_536;

/** Reads the first bytes of a file. Returns an empty head for an unreadable file, because the engine reports the error. */
export async function readHead(path: string, settings: FileSettings): Promise<CsvHead> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return { utf16: undefined, isUtf8: false, commentLines: 0, raggedLine: undefined, lines: [] };
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
  const commentLines = settings.comment === undefined ? leadingComments(lines) : 0;
  return {
    ...{ utf16, isUtf8: isUtf8(bytes), commentLines, lines },
    raggedLine: raggedLine(lines, commentLines, settings),
  };
}

/** Returns true for a UTF-8 mark or a valid non-ASCII line. A line in another encoding is rarely valid UTF-8. */
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

/**
 * Counts the comments before the header. A line with `#` and as many delimiters as the first line without `#` is a header or
 * a row, such as `#fff,white`. Exception: in a file that begins with two `#` lines, a blank after `#` marks a comment.
 */
function leadingComments(lines: readonly string[]): number {
  const data = lines.find((line) => !line.startsWith('#'));
  if (data === undefined) return 0;
  const isDivided = delimiters.some((delimiter) => countOf(data, delimiter) > 0);
  const areSeveral = (lines[0] ?? '').startsWith('#') && (lines[1] ?? '').startsWith('#');
  const isComment = (line: string): boolean => {
    if (!line.startsWith('#')) return false;
    const hasBlank = /^#+(\s|$)/.test(line);
    if (!isDivided || (areSeveral && hasBlank)) return hasBlank;
    return delimiters.every(
      (delimiter) => countOf(line, delimiter) === 0 || countOf(line, delimiter) !== countOf(data, delimiter),
    );
  };
  return lines.findIndex((line) => !isComment(line));
}

/** Returns a line without quoted parts; undefined if a quote stays open and its value continues on the next line. */
function unquoted(line: string, quote: string): string | undefined {
  const parts = line.split(quote);
  return parts.length % 2 === 0 ? undefined : parts.filter((_part, at) => at % 2 === 0).join('');
}

/** Returns the first ragged line; undefined for a file with values of several lines, which the engine checks. */
function raggedLine(
  all: readonly string[],
  commentLines: number,
  { delimiter: given, quote = '"', comment, shortLines = 'Refuse' }: FileSettings,
): RaggedLine | undefined {
  const numbered = all
    .map((line, index) => ({ line, number: index + 1 }))
    .slice(commentLines)
    .filter(({ line }) => line !== '' && (comment === undefined || !line.startsWith(comment)))
    .map(({ line, number }) => ({ line: unquoted(line, quote), number }));
  const [header, ...rows] = numbered;
  if (!header || rows.length === 0 || numbered.some(({ line }) => line === undefined)) return undefined;
  for (const delimiter of given === undefined ? delimiters : [given.replaceAll('\\t', '\t')]) {
    const valuesOf = ({ line = '' }: { line: string | undefined }) => line.split(delimiter).length;
    const expected = valuesOf(header);
    const other = rows.find((row) =>
      shortLines === 'Null' ? valuesOf(row) > expected : valuesOf(row) !== expected,
    );
    const areMostDivided = rows.filter((row) => valuesOf(row) > 1).length * 2 > rows.length;
    if (expected > 1 && other && areMostDivided)
      return { line: other.number, values: valuesOf(other), expected };
  }
  return undefined;
}

/** Returns the refusal of a file whose lines have different numbers of values. */
export const raggedRow = (path: string, { line, values, expected }: RaggedLine): FileRefusal =>
  new FileRefusal(
    `Line ${line} of ${basename(path)} has another number of values than its header: ${values}, not ${expected}. ${raggedRemedy(values < expected)}`,
  );
