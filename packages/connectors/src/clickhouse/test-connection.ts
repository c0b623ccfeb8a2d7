import { ConnectorError } from '../error.ts';
import { tlsWarnings } from '../network/tls.ts';
import type { CallOptions, ConnectionTest, ConnectionWarning } from '../port.ts';
import { startRead } from './execute.ts';
import { openSession, type Session } from './session.ts';
import type { ClickhouseConnection } from './settings.ts';

const limits = { maxRows: 10_000, maxBytes: 4 * 1024 * 1024, maxCellBytes: 1024 * 1024, keepsSession: true };

/** Connects in the same way as a run, and reads the user's grants. */
export async function testClickhouseConnection(
  connection: ClickhouseConnection,
  options: CallOptions,
): Promise<ConnectionTest> {
  try {
    const session = await openSession(connection, options);
    try {
      const grants = await readGrants(session);
      await session.finish();
      return {
        isOk: true,
        serverVersion: `ClickHouse ${session.profile.version}`,
        warnings: [...grantWarnings(grants, session.profile), ...tlsWarnings(connection)],
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

async function readGrants(session: Session): Promise<string[]> {
  const grants: string[] = [];
  for await (const { columns } of (await startRead(session, { sql: 'SHOW GRANTS' }, limits)).batches)
    for (const cell of columns[0] ?? []) grants.push(String(cell));
  return grants;
}

/** Privileges that allow only reading, which includes listing the readable objects. */
const reading = /^(SELECT|SHOW\b.*|dictGet|CHECK|KILL QUERY|USAGE|NONE|displaySecretsInShowAndSelect)$/i;
/** Privileges on data outside the tables: files of the server, and other servers. */
const outside =
  /^(READ\b.*|SOURCES|FILE|URL|REMOTE|MONGO|REDIS|MYSQL|POSTGRES|SQLITE|ODBC|JDBC|HDFS|S3|HIVE|AZURE|KAFKA|NATS|RABBITMQ|YTSAURUS|ARROW FLIGHT|CLUSTER|INTROSPECTION)$/i;
const administration = /^(ALL|ALL PRIVILEGES|ACCESS MANAGEMENT|SYSTEM|ROLE ADMIN|CREATE USER|ALTER USER)$/i;

/** Returns warnings for grants beyond reading. A user with read-only settings cannot write. */
export function grantWarnings(
  grants: readonly string[],
  { isReadOnly }: { readonly isReadOnly: boolean },
): ConnectionWarning[] {
  const privileges = grants.flatMap(privilegesOf);
  const has = (pattern: RegExp): boolean => privileges.some((privilege) => pattern.test(privilege));
  const warnings: ConnectionWarning[] = [];
  if (has(administration)) {
    warnings.push({
      code: 'superuser',
      message: 'The user may administer the server. Use a user that may only read.',
    });
  }
  if (has(outside)) {
    warnings.push({
      code: 'reads-server-files',
      message:
        'The user may reach files of the server or other servers. Use a user that may only read tables.',
    });
  }
  const mayWrite = privileges.some(
    (privilege) => ![reading, outside, administration].some((pattern) => pattern.test(privilege)),
  );
  if (mayWrite && !isReadOnly && !has(administration)) {
    warnings.push({
      code: 'may-write',
      message: 'The user may do more than read. Use a user that may only read.',
    });
  }
  return warnings;
}

/** Returns the privileges of `GRANT SELECT(a, b), INSERT ON …`. The grant of a role has no privileges. */
function privilegesOf(grant: string): string[] {
  const list = /^GRANT (.+?) ON /i.exec(grant)?.[1];
  return (list ?? '')
    .replaceAll(/\([^()]*\)/g, '')
    .split(',')
    .map((privilege) => privilege.trim())
    .filter((privilege) => privilege !== '');
}

const quoted = (name: string): string => `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``;

/** Returns statements that create a user with read access to this database only. */
export const clickhouseReaderScript = (database: string): string =>
  [
    "create user svc_reader identified with sha256_password by 'choose a password' settings readonly = 2;",
    `grant select, show on ${quoted(database)}.* to svc_reader;`,
    '',
  ].join('\n');
