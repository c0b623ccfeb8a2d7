import { type SqlToken, tokenText } from './lexer.ts';

/** A statement as its tokens, comments left out. */
export type StatementText = { readonly sql: string; readonly tokens: readonly SqlToken[] };

/** The text of a token in lower case, with its quotes; nothing for one that is not there. */
export const textAt = ({ sql, tokens }: StatementText, index: number): string =>
  sql.slice(tokens[index]?.start ?? 0, tokens[index]?.end ?? 0).toLowerCase();

/** The same of a word outside quotes; nothing for another token. */
export const wordAt = (text: StatementText, index: number): string =>
  text.tokens[index]?.kind === 'word' ? textAt(text, index) : '';

/** The name in lower case that a word or a quoted name stands for; nothing for another token. */
export const nameAt = (text: StatementText, index: number): string => {
  const token = text.tokens[index];
  return token?.kind === 'word' || token?.kind === 'identifier'
    ? tokenText(text.sql, token).toLowerCase()
    : '';
};
