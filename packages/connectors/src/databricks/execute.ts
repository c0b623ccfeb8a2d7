import { ConnectorError, movedBy } from '../error.ts';
import type { LoginCache } from '../http/login-cache.ts';
import type { CallOptions, ExecuteOptions, ResultStream, Statement } from '../port.ts';
import { checkedStatement } from '../sql/read-only-gate.ts';
import { startRead } from './answer/read.ts';
import { assertFit, type Login, readLogin } from './login.ts';
import { assertCompiles, planOf, planPrefix } from './plan.ts';
import { databricksRules } from './rules.ts';
import { openSession, type Session } from './session.ts';
import type { DatabricksConnection } from './settings.ts';
import type { Tokens } from './tokens.ts';

/** State that one process shares between calls: tokens of logins, and the rights of each login. */
export type Account = { readonly tokens: Tokens; readonly logins: LoginCache<DatabricksConnection, Login> };

type Execute = (
  connection: DatabricksConnection,
  statement: Statement,
  options: ExecuteOptions,
) => Promise<ResultStream>;

/** Runs one read, or returns its plan. Resolves when the columns are known. */
export const executeDatabricks =
  (account: Account): Execute =>
  async (connection, statement, options) => {
    const isPlan = statement.sql.startsWith(planPrefix);
    const statementToCheck = isPlan
      ? { ...statement, sql: statement.sql.slice(planPrefix.length) }
      : statement;
    try {
      const checked = checkedStatement(statementToCheck, databricksRules);
      return await inFitSession(account, connection, options, async (session) => {
        if (isPlan) {
          const lines = await assertCompiles(session, checked);
          await session.finish();
          return planOf(lines, options);
        }
        if (!account.logins.isCompiled(connection, checked)) {
          await assertCompiles(session, checked);
          account.logins.storeCompiled(connection, checked);
        }
        return startRead(session, { ...checked, sent: { sql: checked.sql, linesBefore: 0 } }, options);
      });
    } catch (error) {
      throw isPlan && error instanceof ConnectorError
        ? movedBy(error, statement.sql, planPrefix.length)
        : error;
    }
  };

/** Runs `work` in a session whose login may only read, or is accepted. The session stays open for the result of `work`. */
export async function inFitSession<T>(
  { tokens, logins }: Account,
  connection: DatabricksConnection,
  options: CallOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession(connection, tokens, options);
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
