import { ConnectorError } from '../error.ts';
import { tlsWarnings } from '../network/tls.ts';
import type { CallOptions, ConnectionTest, ConnectionWarning } from '../port.ts';
import type { Login } from './login.ts';
import { openSession } from './session.ts';
import type { SqlserverConnection } from './settings.ts';

/** Connects and checks the login in the same way as a run. */
export async function testSqlserverConnection(
  connection: SqlserverConnection,
  options: CallOptions,
): Promise<ConnectionTest> {
  try {
    const session = await openSession(connection, options);
    await session.finish();
    return {
      isOk: true,
      serverVersion: `SQL Server ${session.login.serverVersion}`,
      warnings: [...loginWarnings(session.login), ...tlsWarnings(connection)],
    };
  } catch (error) {
    if (error instanceof ConnectorError) return { isOk: false, error };
    throw error;
  }
}

/** Returns warnings for the rights of an accepted login beyond reading. */
function loginWarnings({ isAdministrator, readsServerFiles, writes }: Login): ConnectionWarning[] {
  const warnings: ConnectionWarning[] = [];
  if (isAdministrator)
    warnings.push({
      code: 'superuser',
      message: 'The login may administer the server. Use a login that may only read.',
    });
  else if (writes.length > 0)
    warnings.push({
      code: 'may-write',
      message: 'The login may do more than read in this database. Use a login that may only read.',
    });
  if (readsServerFiles)
    warnings.push({
      code: 'reads-server-files',
      message: 'The login may have the server read its files. Use a login that may only read tables.',
    });
  return warnings;
}
