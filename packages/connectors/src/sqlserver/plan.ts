import type { BoundValue } from '../bound-value.ts';
import type { ExecuteOptions } from '../port.ts';
import type { Answer } from './answer/answer.ts';
import { boundText } from './parameters.ts';
import { rowsOf, type Session } from './session.ts';

/** Prefix of a statement that requests its plan in place of rows. The setting is sent as a separate batch. */
export const planPrefix = 'set showplan_xml on; ';

const ownLimits = { maxBytes: 64 * 1024, maxCellBytes: 16 * 1024 };
const noRightToPlans = '262';
const literal = (text: string): string => `N'${text.replaceAll("'", "''")}'`;

/** Declares the values on the first line of the statement, so that the server's line numbers match its text. */
function declared(sql: string, values: readonly BoundValue[]): string {
  const parts = values.map((value, index) => {
    const text = boundText(value);
    return `@p${index + 1} nvarchar(max) = ${text === null ? 'null' : literal(text)}`;
  });
  return parts.length === 0 ? sql : `declare ${parts.join(', ')}; ${sql}`;
}

/**
 * Requests the plan of a statement. For a login without the right to see plans, the server compiles the statement and
 * describes its columns instead, which still reports errors.
 */
export async function askPlan(
  session: Session,
  sql: string,
  values: readonly BoundValue[],
  limits: ExecuteOptions,
): Promise<Answer> {
  try {
    await rowsOf(session.askBatch('set showplan_xml on;', ownLimits));
    const answer = session.askBatch(declared(sql, values), limits);
    await answer.columns;
    return answer;
  } catch (error) {
    if (session.explain(error).engineCode !== noRightToPlans) throw error;
    await rowsOf(session.askBatch('set showplan_xml off;', ownLimits));
    const names = values.map((_value, index) => `@p${index + 1} nvarchar(max)`).join(', ');
    const described = `exec sys.sp_describe_first_result_set @tsql = ${literal(sql)}, @params = ${literal(names)};`;
    return session.askBatch(described, limits);
  }
}
