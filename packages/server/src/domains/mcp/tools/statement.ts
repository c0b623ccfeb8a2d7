import { readSqlTokens, type SqlDialect, tokenText } from '@svc/connectors';
import { plural } from '@svc/contract';
import { ToolRefusal } from '../calls/refusal.ts';

export type StatementRules = {
  readonly maxSqlChars: number;
  /** Returns how an engine writes quotes and comments. */
  readonly dialectOf: (engine: string) => SqlDialect;
};

const refuseSize = ({ maxSqlChars }: StatementRules, sql: string): string | undefined =>
  sql.length > maxSqlChars
    ? `The statement has ${plural(sql.length, 'character')}; ${plural(maxSqlChars, 'character is', 'characters are')} allowed (Svc:Mcp:Ceilings:MaxSqlChars).`
    : undefined;

const selects = new Set(['select', 'with']);

/**
 * Refuses statements other than SELECT. The engine guarantees that nothing is written; this check limits the tool to
 * its purpose.
 */
function refuseOther({ dialectOf }: StatementRules, sql: string, engine: string): string | undefined {
  const first = readSqlTokens(sql, dialectOf(engine)).find(
    (token) => token.kind !== 'comment' && sql.slice(token.start, token.end) !== '(',
  );
  const word = first?.kind === 'word' ? tokenText(sql, first).toLowerCase() : '';
  return selects.has(word) ? undefined : 'Only a SELECT may be sent; WITH may come before it.';
}

/** Returns the refusal of each gate for a statement; undefined for a passed gate. */
export const statementVerdicts = (rules: StatementRules, sql: string, engine: string) => {
  const size = refuseSize(rules, sql);
  return { size, select_only: size === undefined ? refuseOther(rules, sql, engine) : undefined };
};

/** Throws the refusal of the first gate that does not pass. */
export function assertStatement(rules: StatementRules, sql: string, engine: string): void {
  const verdicts = statementVerdicts(rules, sql, engine);
  if (verdicts.size !== undefined) throw new ToolRefusal('statement-too-long', verdicts.size);
  if (verdicts.select_only !== undefined) throw new ToolRefusal('not-a-select', verdicts.select_only);
}
