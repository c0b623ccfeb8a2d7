import { postgresqlDialect } from '../../sql/dialects.ts';
import { readSqlTokens, tokenText } from '../../sql/lexer.ts';

/** Returns the first word of a statement in lower case, without brackets before it; empty without one. */
export function firstWordOf(sql: string): string {
  for (const token of readSqlTokens(sql, postgresqlDialect)) {
    if (token.kind === 'comment' || sql[token.start] === '(') continue;
    return token.kind === 'word' ? tokenText(sql, token).toLowerCase() : '';
  }
  return '';
}

/** Returns true for a text whose first character outside comments is a semicolon. */
export function startsWithSemicolon(sql: string): boolean {
  const first = readSqlTokens(sql, postgresqlDialect).find(({ kind }) => kind !== 'comment');
  return first !== undefined && sql[first.start] === ';';
}
