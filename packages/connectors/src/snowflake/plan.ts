import { ConnectorError } from '../error.ts';
import type { Statement } from '../port.ts';
import { snowflakeDialect } from '../sql/dialects.ts';
import { readSqlTokens } from '../sql/lexer.ts';
import { snowflakePlan } from '../sql/plan/snowflake.ts';
import type { ReadOptions } from './answer/read.ts';
import { readAll } from './answer/read.ts';
import type { Request, Session } from './session.ts';

/** Prefix of a statement that requests its plan in place of rows. */
export const planPrefix = 'explain using json ';

/** Number of lines before the statement in the explained text. */
const linesBefore = 2;

/**
 * Returns a statement that explains the given one as a subquery, where only a query compiles. Line breaks of the
 * statement are preserved, so that error positions stay correct.
 */
export function explained({ sql, values = [] }: Statement): Request {
  const text = `${planPrefix.trimEnd()}\nselect * from (\n${withoutSemicolon(sql)}\n)`;
  return { sql: text, values, sent: { sql, linesBefore } };
}

/** Removes the semicolon. The gate accepts only one at the end. */
function withoutSemicolon(sql: string): string {
  const tokens = readSqlTokens(sql, snowflakeDialect);
  const end = tokens.find((token) => token.kind === 'symbol' && sql[token.start] === ';');
  return end ? `${sql.slice(0, end.start)} ${sql.slice(end.end)}` : sql;
}

const limits: ReadOptions = { maxRows: 100, maxBytes: 32 * 1024 * 1024, maxCellBytes: 8 * 1024 * 1024 };

/** Throws unless the service compiles the statement as a query and its plan only reads. */
export async function assertCompiles(session: Session, statement: Statement): Promise<void> {
  const { rows } = await readAll(session, explained(statement), limits);
  const text = rows[0]?.[0];
  const plan = snowflakePlan(typeof text === 'string' ? text : '');
  if (!plan) throw new ConnectorError('connection-lost', 'The server sent what is no plan of Snowflake.');
  if (plan.writes)
    throw new ConnectorError(
      'not-a-read',
      'Snowflake plans to write for this statement. Only reads run here.',
    );
}
