import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { FileRefusal, raggedRemedy } from './file-refusals.ts';
import type { FileSettings } from './file-settings.ts';

/** Encodings as DuckDB names them. */
export type CsvEncoding = 'utf-8' | 'utf-16' | 'latin-1';

/** What the first bytes of a CSV file show. */
export type CsvHead = {
  readonly encoding: 'utf-8' | 'utf-16';
  /** Lines before the header are comments that begin with `#`. */
  readonly hasComments: boolean;
  /** The first line with another number of values than the header. Undefined where no delimiter separates most lines. */
  readonly raggedLine: RaggedLine | undefined;
};

type RaggedLine = { readonly line: number; readonly values: number; readonly expected: number };

const headBytes = 65_536;

/** Reads the first bytes of a file. A file that does not exist is left to the engine, whose error says so. */
export async function readHead(path: string, settings: FileSettings): Promise<CsvHead> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return { encoding: 'utf-8', hasComments: false, raggedLine: undefined };
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
  const label = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'windows-1252';
  const text = new TextDecoder(label).decode(bytes);
  const lines = text.replace(/^\u00ef\u00bb\u00bf/, '').split(/\r\n|\n|\r/);
  if (!isWhole) lines.pop();
  return {
    encoding: isLittle || isBig ? 'utf-16' : 'utf-8',
    hasComments: settings.comment === undefined && hasComments(lines),
    raggedLine: raggedLine(lines, settings),
  };
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

/** Lines with quotes are left to the engine: their values may contain the delimiter. */
function raggedLine(
  all: readonly string[],
  { delimiter: given, quote = '"', comment = '#', shortLines = 'Refuse' }: FileSettings,
): RaggedLine | undefined {
  const numbered = all
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith(comment));
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
    `Line ${line} of ${basename(path)} has ${values} values, and its header has ${expected}. ${raggedRemedy(values < expected)}`,
  );
