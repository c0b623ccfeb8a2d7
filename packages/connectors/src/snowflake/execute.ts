import { ConnectorError, movedBy } from '../error.ts';
import type { LoginCache } from '../http/login-cache.ts';
import type { CallOptions, ExecuteOptions, ResultStream, Statement } from '../port.ts';
import { checkedStatement } from '../sql/read-only-gate.ts';
import { startRead } from './answer/read.ts';
import { assertFit, type Login, readLogin } from './login.ts';
import { assertCompiles, explained, planPrefix } from './plan.ts';
import { snowflakeRules } from './rules.ts';
import { openSession, type Session } from './session.ts';
import type { SnowflakeConnection } from './settings.ts';

/** Cache of one process for facts about Snowflake logins. */
export type SnowflakeLoginCache = LoginCache<SnowflakeConnection, Login>;

type Execute = (
  connection: SnowflakeConnection,
  statement: Statement,
  options: ExecuteOptions,
) => Promise<ResultStream>;

/** Runs one read, or returns its plan. Resolves when the columns are known. */
export const executeSnowflake =
  (logins: SnowflakeLoginCache): Execute =>
  async (connection, statement, options) => {
    const isPlan = statement.sql.startsWith(planPrefix);
    const statementToCheck = isPlan
      ? { ...statement, sql: statement.sql.slice(planPrefix.length) }
      : statement;
    try {
      const checked = checkedStatement(statementToCheck, snowflakeRules);
      return await inFitSession(logins, connection, options, async (session) => {
        if (isPlan) return startRead(session, explained(checked), options);
        if (!logins.isCompiled(connection, checked)) {
          await assertCompiles(session, checked);
          logins.storeCompiled(connection, checked);
        }
        return startRead(session, { ...checked, sent: { sql: checked.sql, linesBefore: 0 } }, options);
      });
    } catch (error) {
      throw isPlan && error instanceof ConnectorError
        ? movedBy(error, statement.sql, planPrefix.length)
        : error;
    }
  };

/** Runs `work` in a session whose role may only read, or is accepted. The session stays open for the result of `work`. */
export async function inFitSession<T>(
  logins: SnowflakeLoginCache,
  connection: SnowflakeConnection,
  options: CallOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession(connection, options);
  try {
    let login = logins.loginOf(connection);
    if (!login) {
      login = await readLogin(session);
      logins.storeLogin(connection, login);
    }
    assertFit(login, connection, options);
    return await work(session);
  } catch (error) {
    const explained = session.explain(error);
    void session.abandon();
    throw explained;
  }
}
