import { isUtf8 as isUtf8Text } from 'node:buffer';
import { open } from 'node:fs/promises';
import { splitLines } from '../decoded-file.ts';
import type { FileSettings } from '../file-settings.ts';
import { type CsvDialect, RecordReader } from './records.ts';

/** Properties of a CSV file that its first bytes show. */
export type CsvHead = {
  /** Encoding of the byte order mark; undefined without a mark, and for the mark of UTF-8. */
  readonly utf16: 'utf-16le' | 'utf-16be' | undefined;
  /** Encoding that the service does not detect: UTF-32, or UTF-16 without a byte order mark. */
  readonly wide: 'UTF-16' | 'UTF-32' | undefined;
  /**
   * The file has the mark of UTF-8, or a valid UTF-8 line with characters beyond ASCII. Then an invalid byte elsewhere is a
   * fault and not a sign of another encoding.
   */
  readonly isUtf8: boolean;
  /**
   * Number of first lines that are comments with `#` or blank; 0 without such a comment, and if the settings name a comment
   * prefix.
   */
  readonly commentLines: number;
  /** Number of first lines that are blank, without lines with the comment prefix of the settings. */
  readonly blankLines: number;
  /** The dialect of the settings, with a guess in place of absent settings. */
  readonly dialect: CsvDialect;
  /** The dialect with a delimiter that divides the header and most rows; undefined without such a delimiter. */
  readonly dividing: CsvDialect | undefined;
};

const headBytes = 65_536;

/** Reads the first bytes of a file. Returns an empty head for an unreadable file, because the engine reports the error. */
export async function readHead(path: string, settings: FileSettings): Promise<CsvHead> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return headOf(Buffer.alloc(0), true, settings);
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
  const lines = splitLines(text.replace(/^\u00ef\u00bb\u00bf/, ''));
  if (!isWhole) lines.pop();
  const commentLines = settings.comment === undefined ? leadingComments(lines) : 0;
  const dialect = guessedDialect(lines, settings);
  const isRecord = (line: string) => settings.comment === undefined || !line.startsWith(settings.comment);
  return {
    utf16,
    wide: wideEncoding(bytes, utf16 !== undefined),
    isUtf8: isUtf8(bytes),
    commentLines,
    blankLines: Math.max(
      0,
      lines.filter(isRecord).findIndex((line) => !isBlank(line)),
    ),
    dialect,
    dividing: dividingDialect(lines, commentLines, dialect, settings),
  };
}

/** Share of NUL bytes at a position of the characters from which on the text is not UTF-8. */
const nulShareMin = 0.7;

/** Recognizes UTF-32 by its mark, and wide encodings by the NUL bytes at the same positions of most characters. */
function wideEncoding(bytes: Buffer, hasMark: boolean): CsvHead['wide'] {
  const mark = bytes.subarray(0, 4).toString('hex');
  if (mark === 'fffe0000' || mark === '0000feff') return 'UTF-32';
  if (hasMark || bytes.length < 4 || !bytes.includes(0)) return undefined;
  const nuls = [0, 0, 0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) nuls[at % 4] = (nuls[at % 4] ?? 0) + 1;
  const [a, b, c, d] = nuls.map((count) => count / (bytes.length / 4) >= nulShareMin);
  if (a && b && c && d) return undefined;
  if ((b && c && d) || (a && b && c)) return 'UTF-32';
  return (b && d && !a && !c) || (a && c && !b && !d) ? 'UTF-16' : undefined;
}

const isBlank = (line: string): boolean => /^[\r\n]*$/.test(line);

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
/** Returns the delimiter in the form of the engine's option, where `\\t` is a tab. */
export const delimiterOf = (text: string): string => text.replaceAll('\\t', '\t');

/** Guesses the dialect by its signs in the lines: the most frequent delimiter, quotes that begin values, and escaped quotes. */
function guessedDialect(lines: readonly string[], settings: FileSettings): CsvDialect {
  const text = lines.join('');
  const countIn = (sign: string) => countOf(text, sign);
  const delimiter =
    settings.delimiter === undefined ? mostFrequent(delimiters, countIn) : delimiterOf(settings.delimiter);
  const opened = (quote: string) =>
    countIn(delimiter + quote) + countIn(`\n${quote}`) + countIn(`\r${quote}`);
  const quote = settings.quote ?? mostFrequent(['"', "'"], opened);
  const isBackslash = settings.quote === undefined && countIn(`\\${quote}`) > countIn(quote + quote);
  return { delimiter, quote, escape: isBackslash ? '\\' : quote };
}

const mostFrequent = (signs: readonly [string, ...string[]], countOf: (sign: string) => number): string =>
  signs.reduce((best, sign) => (countOf(sign) > countOf(best) ? sign : best));

const countOf = (line: string, delimiter: string): number => line.split(delimiter).length - 1;

/**
 * Counts the comments before the header. A line with `#` and as many delimiters as the first line without `#` is a header or
 * a row, such as `#fff,white`. Exception: in a file that begins with two `#` lines, a blank after `#` marks a comment.
 */
function leadingComments(lines: readonly string[]): number {
  const texts = lines.filter((line) => !isBlank(line));
  const data = texts.find((line) => !line.startsWith('#'));
  if (data === undefined || texts[0]?.startsWith('#') !== true) return 0;
  const isDivided = delimiters.some((delimiter) => countOf(data, delimiter) > 0);
  const areSeveral = texts[1]?.startsWith('#') === true;
  const isComment = (line: string): boolean => {
    if (!line.startsWith('#')) return false;
    const hasBlank = /^#+(\s|$)/.test(line);
    if (!isDivided || (areSeveral && hasBlank)) return hasBlank;
    return delimiters.every(
      (delimiter) => countOf(line, delimiter) === 0 || countOf(line, delimiter) !== countOf(data, delimiter),
    );
  };
  return texts[0] !== undefined && isComment(texts[0])
    ? lines.findIndex((line) => !isBlank(line) && !isComment(line))
    : 0;
}

function dividingDialect(
  lines: readonly string[],
  commentLines: number,
  dialect: CsvDialect,
  { delimiter: delimiterSetting, comment }: FileSettings,
): CsvDialect | undefined {
  const possible = delimiterSetting === undefined ? [dialect.delimiter, ...delimiters] : [dialect.delimiter];
  return possible
    .map((delimiter) => ({ ...dialect, delimiter }))
    .find((one) => {
      const reader = new RecordReader(one, comment);
      const [header, ...rows] = [...lines.map((line) => reader.take(line)), reader.end()]
        .filter((record) => record !== undefined)
        .filter(({ line, isBlank }) => line > commentLines && !isBlank);
      return (header?.values ?? 0) > 1 && rows.filter(({ values }) => values > 1).length * 2 > rows.length;
    });
}
