import type { CallOptions, ConnectionTest, ConnectionWarning } from '../port.ts';
import type { Account } from './execute.ts';
import { assertFit, type Login, readLogin } from './login.ts';
import { openSession } from './session.ts';
import type { DatabricksConnection } from './settings.ts';

/** Signs in in the same way as a run, and reads the login's grants. */
export const testDatabricksConnection =
  ({ tokens, logins }: Account) =>
  async (connection: DatabricksConnection, options: CallOptions): Promise<ConnectionTest> => {
    const session = await openSession(connection, tokens, options);
    try {
      const login = await readLogin(session);
      logins.storeLogin(connection, login);
      assertFit(login, connection, options);
      await session.finish();
      return {
        isOk: true,
        serverVersion: `Databricks SQL ${login.serverVersion}`,
        warnings: loginWarnings(login),
      };
    } catch (error) {
      const explained = session.explain(error);
      void session.abandon();
      return { isOk: false, error: explained };
    }
  };

/** Returns warnings for the rights of an accepted login beyond reading. */
function loginWarnings({ isAdministrator, writes }: Login): ConnectionWarning[] {
  if (isAdministrator)
    return [
      {
        code: 'superuser',
        message: 'The login administers the workspace. Use one that may only read.',
      },
    ];
  if (writes.length === 0) return [];
  return [{ code: 'may-write', message: 'The login may do more than read. Use one that may only read.' }];
}
