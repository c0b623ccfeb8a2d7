import { type SqlToken, tokenText } from './lexer.ts';

/** Tokens of a statement, without its comments. */
export type StatementText = { readonly sql: string; readonly tokens: readonly SqlToken[] };

/** Returns the text of a token in lower case, with its quotes; empty without a token at this index. */
export const textAt = ({ sql, tokens }: StatementText, index: number): string =>
  sql.slice(tokens[index]?.start ?? 0, tokens[index]?.end ?? 0).toLowerCase();

/** Returns the text of a word outside quotes; empty for another token. */
export const wordAt = (text: StatementText, index: number): string =>
  text.tokens[index]?.kind === 'word' ? textAt(text, index) : '';

/** Returns the name of a word or a quoted name, in lower case; empty for another token. */
export const nameAt = (text: StatementText, index: number): string => {
  const token = text.tokens[index];
  return token?.kind === 'word' || token?.kind === 'identifier'
    ? tokenText(text.sql, token).toLowerCase()
    : '';
};
