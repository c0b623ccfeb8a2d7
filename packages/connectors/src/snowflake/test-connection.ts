import type { CallOptions, ConnectionTest, ConnectionWarning } from '../port.ts';
import type { SnowflakeLoginCache } from './execute.ts';
import { assertFit, type Login, readLogin } from './login.ts';
import { openSession } from './session.ts';
import type { SnowflakeConnection } from './settings.ts';

/** Signs in in the same way as a run, and reads the role's grants. */
export const testSnowflakeConnection =
  (logins: SnowflakeLoginCache) =>
  async (connection: SnowflakeConnection, options: CallOptions): Promise<ConnectionTest> => {
    const session = await openSession(connection, options);
    try {
      const login = await readLogin(session);
      logins.storeLogin(connection, login);
      assertFit(login, connection, options);
      await session.finish();
      return {
        isOk: true,
        serverVersion: `Snowflake ${login.serverVersion}`,
        warnings: loginWarnings(login),
      };
    } catch (error) {
      const explained = session.explain(error);
      void session.abandon();
      return { isOk: false, error: explained };
    }
  };

/** Returns warnings for the rights of an accepted role beyond reading. */
function loginWarnings({ isAdministrator, writes }: Login): ConnectionWarning[] {
  if (isAdministrator)
    return [
      {
        code: 'superuser',
        message: 'The role may administer the account. Use a role that may only read.',
      },
    ];
  if (writes.length === 0) return [];
  return [{ code: 'may-write', message: 'The role may do more than read. Use a role that may only read.' }];
}
