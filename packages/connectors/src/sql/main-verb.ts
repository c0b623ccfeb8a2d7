import { refuseStatement } from './read-only-gate.ts';
import { type StatementText, textAt, wordAt } from './statement-text.ts';

/**
 * Throws unless a read follows `WITH a AS (…), b (x) AS (…)`: INSERT, UPDATE, DELETE and MERGE could follow too.
 * Ignores a statement that does not start with WITH.
 *
 * @param reads Accepted words in lower case; a bracket is always accepted.
 */
export function assertReadBehindWith(text: StatementText, reads: readonly string[]): void {
  const { sql, tokens } = text;
  if (wordAt(text, 0) !== 'with') return;
  const refuse = (at: number): never => {
    const names = reads.map((word) => word.toUpperCase()).join(' or ');
    refuseStatement('not-a-read', `Only ${names} may follow WITH.`, sql, tokens[at]?.start ?? sql.length);
  };
  let depth = 0;
  for (const index of tokens.keys()) {
    const sign = textAt(text, index);
    if (sign === '(') depth++;
    if (sign !== ')' || --depth > 0) continue;
    const after = textAt(text, index + 1);
    if (after === ',' || after === 'as') continue;
    // Databricks: `name (a, b) MAX RECURSION LEVEL 10 AS (…)`.
    if (after === 'max' && wordAt(text, index + 2) === 'recursion') continue;
    if (after === '(' || reads.includes(wordAt(text, index + 1))) return;
    refuse(index + 1);
  }
  refuse(tokens.length);
}
