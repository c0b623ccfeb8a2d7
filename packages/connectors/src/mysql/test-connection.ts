import { ConnectorError } from '../error.ts';
import type { CallOptions, ConnectionTest, ConnectionWarning } from '../port.ts';
import { tlsWarnings } from '../tls.ts';
import { openSession, query } from './session.ts';
import type { MysqlConnection } from './settings.ts';

const limits = { maxBytes: 4 * 1024 * 1024, maxCellBytes: 1024 * 1024 };

/** Privileges that let a user do no more than read. */
const readingPrivileges = new Set([
  'USAGE',
  'SELECT',
  'SHOW VIEW',
  'SHOW DATABASES',
  'PROCESS',
  'REPLICATION CLIENT',
  'BINLOG MONITOR',
]);

/** Connects as a run would, and reads what the user is granted. */
export async function testMysqlConnection(
  connection: MysqlConnection,
  options: CallOptions,
): Promise<ConnectionTest> {
  try {
    const session = await openSession(connection, { ...options, limits });
    try {
      const grants = await Promise.race([
        query<Record<string, string>>(session.client, 'SHOW GRANTS'),
        session.lost,
      ]);
      await session.finish();
      const warnings = grantWarnings(grants.map((row) => Object.values(row)[0] ?? ''));
      const name = session.isMariaDb ? 'MariaDB' : 'MySQL';
      return {
        isOk: true,
        serverVersion: `${name} ${session.serverVersion}`,
        warnings: [...warnings, ...tlsWarnings(connection)],
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
}

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
  const found: ConnectionWarning[] = [];
  if (privileges.includes('FILE')) {
    found.push({
      code: 'reads-server-files',
      message: 'The user may reach files of the server (FILE). Use a user that may only read tables.',
    });
  }
  if (privileges.some((privilege) => !readingPrivileges.has(privilege) && privilege !== 'FILE')) {
    found.push({
      code: 'may-write',
      message: 'The user may do more than read in this database. Use a user that may only read.',
    });
  }
  return found;
}

/** `GRANT SELECT, INSERT (a) ON …` as its privileges; a grant of a role has none of its own. */
function privilegesOf(grant: string): string[] {
  const list = /^GRANT (.+?) ON /i.exec(grant)?.[1];
  return (list ?? '')
    .replaceAll(/\([^)]*\)/g, '')
    .split(',')
    .map((privilege) => privilege.trim().toUpperCase())
    .filter((privilege) => privilege !== '');
}
