import { ConnectorError } from '../error.ts';
import { tlsWarnings } from '../network/tls.ts';
import type { CallOptions, ConnectionTest, ConnectionWarning } from '../port.ts';
import { type MysqlLogins, openFitSession, privilegesOf, readLogin } from './login.ts';
import type { MysqlConnection } from './settings.ts';

const limits = { maxBytes: 4 * 1024 * 1024, maxCellBytes: 1024 * 1024 };

/** Privileges that allow only reading. */
const readingPrivileges = new Set([
  'USAGE',
  'SELECT',
  'SHOW VIEW',
  'SHOW DATABASES',
  'PROCESS',
  'REPLICATION CLIENT',
  'BINLOG MONITOR',
]);

/** Connects in the same way as a run, and reads the user's grants. A privileged login is refused unless accepted. */
export const testMysqlConnection =
  (logins: MysqlLogins) =>
  async (connection: MysqlConnection, options: CallOptions): Promise<ConnectionTest> => {
    try {
      const session = await openFitSession(logins, connection, { ...options, limits });
      try {
        const { grants } = await readLogin(session);
        await session.finish();
        const name = session.isMariaDb ? 'MariaDB' : 'MySQL';
        return {
          isOk: true,
          serverVersion: `${name} ${session.serverVersion}`,
          warnings: [...grantWarnings(grants), ...tlsWarnings(connection)],
        };
      } catch (error) {
        const explained = session.explain(error);
        await session.abandon();
        throw explained;
      }
    } catch (error) {
      if (error instanceof ConnectorError) return { isOk: false, error };
      throw error;
    }
  };

function grantWarnings(grants: readonly string[]): ConnectionWarning[] {
  const privileges = grants.flatMap(privilegesOf);
  const isAll = grants.some((grant) => /^GRANT ALL PRIVILEGES ON \*\.\*/i.test(grant));
  if (isAll || privileges.includes('SUPER')) {
    return [
      {
        code: 'superuser',
        message: 'The user has every privilege on the server. Use a user that may only read.',
      },
    ];
  }
  const warnings: ConnectionWarning[] = [];
  if (privileges.includes('FILE')) {
    warnings.push({
      code: 'reads-server-files',
      message: 'The user may reach files of the server (FILE). Use a user that may only read tables.',
    });
  }
  if (privileges.some((privilege) => !readingPrivileges.has(privilege) && privilege !== 'FILE')) {
    warnings.push({
      code: 'may-write',
      message: 'The user may do more than read in this database. Use a user that may only read.',
    });
  }
  return warnings;
}
