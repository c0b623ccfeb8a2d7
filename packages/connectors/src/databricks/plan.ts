import { ConnectorError } from '../error.ts';
import type { ExecuteOptions, ResultStream, Statement } from '../port.ts';
import { databricksDialect } from '../sql/dialects.ts';
import { readSqlTokens } from '../sql/lexer.ts';
import { databricksPlan } from '../sql/plan/databricks.ts';
import type { Cell } from '../values.ts';
import type { ReadOptions } from './answer/read.ts';
import { readAll } from './answer/read.ts';
import { databricksError } from './errors.ts';
import type { Request, Session } from './session.ts';

/** Prefix of a statement that requests its plan in place of rows. The statement does not run. */
export const planPrefix = 'explain cost ';

/** Number of lines before the statement in the explained text. */
const linesBefore = 2;

/**
 * Returns a statement that explains the given one as a subquery, where only a query compiles. Line breaks of the
 * statement are preserved, so that error positions stay correct.
 */
function explained({ sql, values = [] }: Statement): Request & Required<Pick<Request, 'sent'>> {
  const text = `${planPrefix.trimEnd()}\nselect * from (\n${withoutSemicolon(sql)}\n)`;
  return { sql: text, values, sent: { sql, linesBefore } };
}

/** Removes the semicolon. The gate accepts only one at the end. */
function withoutSemicolon(sql: string): string {
  const tokens = readSqlTokens(sql, databricksDialect);
  const end = tokens.find((token) => token.kind === 'symbol' && sql[token.start] === ';');
  return end ? `${sql.slice(0, end.start)} ${sql.slice(end.end)}` : sql;
}

const limits: ReadOptions = {
  maxRows: 10_000,
  maxBytes: 16 * 1_024 * 1_024,
  maxCellBytes: 8 * 1_024 * 1_024,
};

/** Throws unless the service compiles the statement as a query and its plan only reads. Returns the lines of the plan. */
export async function assertCompiles(session: Session, statement: Statement): Promise<readonly string[]> {
  const request = explained(statement);
  const lines = (await readAll(session, request, limits)).map(([line]) => textOf(line));
  const { plan, reason } = databricksPlan(lines.join('\n'));
  if (plan?.writes)
    throw new ConnectorError(
      'not-a-read',
      'Databricks plans to do more than read for this statement. Only reads run here.',
    );
  if (plan) return lines;
  const failure = databricksError({
    body: { message: reason },
    sent: request.sent,
    secrets: session.secrets(),
  });
  throw failure ?? new ConnectorError('connection-lost', 'The server sent what is no plan of Databricks.');
}

const textOf = (cell: Cell | undefined): string => (typeof cell === 'string' ? cell : '');

/** Returns a plan as rows. */
export const planOf = (
  lines: readonly string[],
  { wantOrigins }: Pick<ExecuteOptions, 'wantOrigins'>,
): ResultStream => ({
  columns: [{ name: 'plan', kind: 'text', databaseType: 'STRING', ...(wantOrigins ? { origin: null } : {}) }],
  batches: (async function* () {
    yield { rowCount: lines.length, columns: [lines] };
  })(),
  close: async () => undefined,
});
