import { linesOf } from '../decoded-file.ts';
import { type CsvDialect, scanLine } from './records.ts';

/** Prefix of comment lines, which a copy omits, and the dialect of the other lines. */
export type Comments = {
  readonly comment: string;
  readonly dialect: CsvDialect;
  /** Path of the file, for messages. */
  readonly path: string;
};

/** Omits comment lines. A line within a quoted value is not a comment. */
export async function* withoutComments(
  texts: AsyncIterable<string>,
  { comment, dialect, path }: Comments,
): AsyncGenerator<string> {
  let isQuoted = false;
  const retained = (line: string): string => {
    if (!isQuoted && line.startsWith(comment)) return '';
    if (isQuoted || line.includes(dialect.quote)) isQuoted = scanLine(line, dialect, isQuoted).isOpen;
    return line;
  };
  for await (const lines of linesOf(texts, path)) yield lines.map(retained).join('');
}
