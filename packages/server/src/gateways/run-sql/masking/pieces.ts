import { readSqlTokens, type SqlDialect, type SqlToken, tokenText } from '@svc/connectors';

/** One word, name, literal or symbol of a statement, without its comments. */
export type Piece = {
  readonly kind: SqlToken['kind'];
  /** Names without quotes and words in lower case; other pieces unchanged. */
  readonly text: string;
};

/** Returns the pieces of a statement, in their order. */
export const readPieces = (sql: string, dialect: SqlDialect): readonly Piece[] =>
  readSqlTokens(sql, dialect)
    .filter((token) => token.kind !== 'comment')
    .map((token): Piece => ({ kind: token.kind, text: textOf(sql, token, dialect) }));

function textOf(sql: string, token: SqlToken, { hasTripleQuotes, hasRawStringPrefix }: SqlDialect): string {
  const text = tokenText(sql, token);
  // Normalises all text literals to single quotes.
  if (token.kind === 'string' && (hasTripleQuotes || hasRawStringPrefix))
    return `'${text.replace(/^r(?=['"])/i, '').replaceAll(/^('''|"""|'|")|('''|"""|'|")$/g, '')}'`;
  return token.kind === 'word' || token.kind === 'identifier' ? text.toLowerCase() : text;
}

export const isNamePiece = (piece: Piece | undefined): boolean =>
  piece?.kind === 'word' || piece?.kind === 'identifier';
export const isWord = (piece: Piece | undefined, word: string): boolean =>
  piece?.kind === 'word' && piece.text === word;
export const isSign = (piece: Piece | undefined, sign: string): boolean =>
  piece?.kind === 'symbol' && piece.text === sign;

/** Returns the index of the closing bracket, or the index after the last piece if there is none. */
export function endOfBracket(pieces: readonly Piece[], open: number): number {
  let depth = 0;
  for (let at = open; at < pieces.length; at++) {
    if (isSign(pieces[at], '(')) depth++;
    if (isSign(pieces[at], ')') && --depth === 0) return at;
  }
  return pieces.length;
}

/** Returns true for the FROM of the comparison `a IS NOT DISTINCT FROM b`. */
export const isComparison = (pieces: readonly Piece[], at: number): boolean =>
  isWord(pieces[at], 'from') &&
  isWord(pieces[at - 1], 'distinct') &&
  (isWord(pieces[at - 2], 'is') || isWord(pieces[at - 2], 'not'));
