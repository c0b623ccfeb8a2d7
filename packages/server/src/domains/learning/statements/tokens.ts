import { readSqlTokens, type SqlDialect, tokenText } from '@svc/connectors';
import { keywords } from './sql-words.ts';

export type Token = { readonly kind: string; readonly text: string; readonly lower: string };

export type Tokens = ReturnType<typeof tokensOf>;

/** Returns the tokens of a statement without its comments, with functions to inspect them. */
export function tokensOf(sql: string, dialect: SqlDialect) {
  const tokens = readSqlTokens(sql, dialect)
    .filter(({ kind }) => kind !== 'comment')
    .map((token): Token => {
      const text = tokenText(sql, token);
      return { kind: token.kind, text, lower: text.toLowerCase() };
    });
  const is = (index: number, text: string): boolean => tokens[index]?.lower === text;
  /** Returns true for a word that is a name and not a keyword. */
  const isName = (index: number): boolean => {
    const token = tokens[index];
    return token?.kind === 'identifier' || (token?.kind === 'word' && !keywords.has(token.lower));
  };
  /** Returns true for the name of a result: a name after AS, or directly after the end of a value. */
  const isOutputName = (index: number): boolean => {
    if (!isName(index) || is(index + 1, '.') || is(index + 1, '(')) return false;
    if (is(index - 1, 'as') || is(index - 1, ')') || is(index - 1, 'end')) return true;
    return isName(index - 1);
  };
  return { all: tokens, is, isName, isOutputName };
}

export const only = <T>(all: readonly T[]): T | undefined => (all.length === 1 ? all[0] : undefined);
