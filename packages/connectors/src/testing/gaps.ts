import type { SqlDialect } from '../sql/dialects.ts';
import { readSqlTokens } from '../sql/lexer.ts';

/** Characters that engines read in different ways. */
export const unusualGaps = ['\r', '\v', '\f', '\u0085', '\u2028'];
/** Blanks and a comment of 64 kB, which all engines read in the same way. */
export const longGaps = [' '.repeat(65_536), '\n'.repeat(65_536), `/*${' '.repeat(65_532)}*/`];

/** Returns the positions between the tokens of a statement, including its start and its end. */
export function boundariesOf(sql: string, dialect: SqlDialect): number[] {
  const tokens = readSqlTokens(sql, dialect);
  // An unclosed quoted text has no boundary after it.
  const ends = tokens.filter(({ isUnterminated }) => !isUnterminated).map(({ end }) => end);
  return [...new Set([0, ...ends])];
}

/** Returns the positions where a statement already has white space: more of it changes nothing. */
export const blanksOf = (sql: string, dialect: SqlDialect): number[] => [
  0,
  ...boundariesOf(sql, dialect).filter((at) => at > 0 && /[ \t\n]/.test(sql[at] ?? '')),
];

/** Returns the statement with the gap at the position. */
export const withGap = (sql: string, at: number, gap: string): string =>
  sql.slice(0, at) + gap + sql.slice(at);

/** Returns each statement with one long gap. From statement to statement the gap and its position change. */
export const withLongGaps = (statements: readonly string[], dialect: SqlDialect): string[] =>
  statements.map((sql, index) => {
    const places = blanksOf(sql, dialect);
    return withGap(sql, places[index % places.length] ?? 0, longGaps[index % longGaps.length] ?? '');
  });

/** Returns each statement with one unusual character, whose position changes in the same way. */
export const withUnusualGaps = (statements: readonly string[], dialect: SqlDialect): string[] =>
  statements.map((sql, index) => {
    const places = boundariesOf(sql, dialect);
    return withGap(sql, places[index % places.length] ?? 0, unusualGaps[index % unusualGaps.length] ?? '');
  });

/** Returns the statements, and each one with a gap of either kind. */
export const withAllGaps = (statements: readonly string[], dialect: SqlDialect): string[] => [
  ...statements,
  ...withUnusualGaps(statements, dialect),
  ...withLongGaps(statements, dialect),
];
