import { ConnectorError, positionAt } from '../error.ts';
import type { SqlDialect } from './dialects.ts';
import { readSqlTokens, type SqlToken } from './lexer.ts';

/**
 * Returns the text that is checked and sent. Outside quotes it has no character that engines read in different ways.
 * For an engine without a parser in this service, blanks of the same length replace each comment. Line ends remain,
 * so that error positions stay correct.
 *
 * Throws `syntax-refused` with the position of the first such character, or of an unclosed comment.
 */
export function canonicalText(sql: string, dialect: SqlDialect): string {
  if (dialect.isJson) return sql;
  const tokens = readSqlTokens(sql, dialect);
  assertPlainCharacters(sql, tokens);
  return dialect.hasParser ? sql : withoutComments(sql, tokens, dialect);
}

const isQuoted = ({ kind }: SqlToken): boolean => kind === 'string' || kind === 'identifier';

function assertPlainCharacters(sql: string, tokens: readonly SqlToken[]): void {
  let from = 0;
  for (const token of tokens) {
    if (token.kind !== 'comment' && !isQuoted(token)) continue;
    assertPlain(sql, from, token.start, unusual);
    if (token.kind === 'comment') assertPlain(sql, token.start, token.end, unusualInComments);
    from = token.end;
  }
  assertPlain(sql, from, sql.length, unusual);
}

/** Control characters and line ends that engines read in different ways. A carriage return must precede a line feed. */
const lineEnds = String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]|\r(?!\n)`;
/** Blanks for some engines, parts of a name for others. */
const blanks = String.raw`[\u00a0\u1680\u180e\u2000-\u200f\u202a-\u202f\u205f-\u2064\u2066-\u2069\u3000\ufeff]`;
const unusual = new RegExp(`${lineEnds}|${blanks}`, 'g');
const unusualInComments = new RegExp(lineEnds, 'g');

function assertPlain(sql: string, from: number, to: number, pattern: RegExp): void {
  pattern.lastIndex = from;
  const match = pattern.exec(sql);
  if (!match || match.index >= to) return;
  const code = match[0].charCodeAt(0);
  const message = `The statement has ${nameOf(code)} outside quotes. Replace it with a space or a line break.`;
  throw new ConnectorError('syntax-refused', message, { position: positionAt(sql, match.index) });
}

const names = new Map([
  [0x00, 'a NUL character'],
  [0x0b, 'a vertical tab'],
  [0x0c, 'a form feed'],
  [0x0d, 'a carriage return without a line feed'],
  [0x85, 'a next-line character'],
  [0xa0, 'a no-break space'],
  [0x2028, 'a line separator'],
  [0x2029, 'a paragraph separator'],
  [0x200b, 'a zero-width space'],
  [0xfeff, 'a byte order mark'],
]);

function nameOf(code: number): string {
  const isControl = code < 0xa0;
  const name = names.get(code) ?? (isControl ? 'a control character' : 'an unusual blank');
  return `${name} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
}

function withoutComments(sql: string, tokens: readonly SqlToken[], dialect: SqlDialect): string {
  let text = '';
  let copiedTo = 0;
  for (const { kind, start, end, isUnterminated } of tokens) {
    if (kind !== 'comment') continue;
    if (isUnterminated)
      throw new ConnectorError('syntax-refused', 'The comment is not closed.', {
        position: positionAt(sql, start),
      });
    // A blank in place of the comment would turn the two minus signs into a comment.
    if (dialect.dashCommentNeedsSpace && sql.slice(0, start).endsWith('--'))
      throw new ConnectorError(
        'syntax-refused',
        'Two minus signs stand directly before a comment. Write the signs apart.',
        {
          position: positionAt(sql, start),
        },
      );
    text += sql.slice(copiedTo, start) + sql.slice(start, end).replaceAll(/[^\r\n]/g, ' ');
    copiedTo = end;
  }
  return text + sql.slice(copiedTo);
}
