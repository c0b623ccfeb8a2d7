import { ConnectorError } from '../error.ts';
import type { CallOptions } from '../port.ts';
import type { Cell } from '../values.ts';
import type { SqlserverConnection } from './settings.ts';

/** Rights of a login beyond reading, and the version of its server. */
export type Login = {
  readonly serverVersion: string;
  /** The login has the role `sysadmin`, or controls the server. */
  readonly isAdministrator: boolean;
  /** The login may make the server read its files. */
  readonly readsServerFiles: boolean;
  /** Rights and roles for writing, as the server names them; empty for a read-only login. */
  readonly writes: readonly string[];
};

const text = (expression: string): string => `cast(${expression} as nvarchar(400)) collate database_default`;
const oneOf = (names: readonly string[]): string => names.map((name) => `N'${name}'`).join(', ');

const writingRights = [
  'INSERT',
  'UPDATE',
  'DELETE',
  'CONTROL',
  'TAKE OWNERSHIP',
  'BACKUP DATABASE',
  'BACKUP LOG',
  'ADMINISTER DATABASE BULK OPERATIONS',
  'IMPERSONATE',
  'EXECUTE ANY EXTERNAL SCRIPT',
];
const writingRoles = [
  'db_owner',
  'db_datawriter',
  'db_ddladmin',
  'db_securityadmin',
  'db_accessadmin',
  'db_backupoperator',
];
const isWriting = (column: string): string =>
  `(${column} in (${oneOf(writingRights)}) or ${column} like N'ALTER%' or ${column} like N'CREATE%')`;

/**
 * Returns rows with a kind and a name. Rights on the database count as effective, including rights through roles and
 * the server. Rights on single schemas, objects and columns, and ownerships, count for the principals of the session.
 * The empty schemas of the fixed roles (from number 16384 on) belong to these roles.
 */
export const loginStatement = `select N'version' as kind, ${text("serverproperty('ProductVersion')")} as name
union all select N'administrator', N'sysadmin' where is_srvrolemember(N'sysadmin') = 1
union all select N'administrator', ${text('permission_name')} from sys.fn_my_permissions(null, N'SERVER')
  where permission_name in (N'CONTROL SERVER', N'ALTER ANY LOGIN', N'IMPERSONATE ANY LOGIN')
union all select N'files', ${text('permission_name')} from sys.fn_my_permissions(null, N'SERVER')
  where permission_name = N'ADMINISTER BULK OPERATIONS'
union all select N'writes', ${text('permission_name')} from sys.fn_my_permissions(null, N'DATABASE')
  where ${isWriting('permission_name')}
union all select N'writes', ${text('name')} from sys.database_principals
  where type = 'R' and name in (${oneOf(writingRoles)}) and is_rolemember(name) = 1
union all select N'writes', ${text("permission_name + N' on ' + class_desc")} from sys.database_permissions
  where class in (1, 3, 4, 5, 6) and state in ('G', 'W') and ${isWriting('permission_name')}
    and grantee_principal_id in (select principal_id from sys.user_token)
union all select N'writes', ${text("N'owner of a schema'")} from sys.schemas
  where schema_id between 5 and 16383 and principal_id in (select principal_id from sys.user_token)
union all select N'writes', ${text("N'owner of an object'")} from sys.objects
  where is_ms_shipped = 0 and principal_id in (select principal_id from sys.user_token)`;

/** SQL Server 2012, the first version with this protocol version. */
const oldestMajor = 11;

export function readLogin(rows: readonly (readonly Cell[])[]): Login {
  const namesOf = (requestedKind: string): string[] =>
    rows.flatMap(([kind, name]) => (kind === requestedKind && typeof name === 'string' ? [name] : []));
  const [serverVersion] = namesOf('version');
  if (serverVersion === undefined)
    throw new ConnectorError('permission-denied', 'The server does not say what the login may do.', {
      origin: 'Service',
    });
  if (!(Number.parseInt(serverVersion, 10) >= oldestMajor))
    throw new ConnectorError(
      'connection-failed',
      `The server is SQL Server ${serverVersion}. SQL Server 2012 (11.0) or newer is needed.`,
    );
  const administrator = namesOf('administrator');
  return {
    serverVersion,
    isAdministrator: administrator.length > 0,
    readsServerFiles: namesOf('files').length > 0,
    writes: [...new Set([...administrator, ...namesOf('writes')])],
  };
}

const namedMax = 3;

/** Returns a message that names the rights for writing. */
export function whyUnfit({ writes }: Login): string {
  const named = writes.slice(0, namedMax).join(', ');
  const more = writes.length > namedMax ? ` and ${writes.length - namedMax} more` : '';
  return `The login may write (${named}${more}), and SQL Server has no read-only transactions.`;
}

/** Throws `login-may-write` unless the settings accept such a login or the caller tolerates it. */
export function assertFit(
  login: Login,
  { acceptWritingLogin }: SqlserverConnection,
  { noteLogin }: Pick<CallOptions, 'noteLogin'>,
): void {
  if (acceptWritingLogin) return;
  const mayWrite = login.writes.length > 0;
  noteLogin?.(mayWrite);
  if (!mayWrite || noteLogin) return;
  const remedy = 'Use a login that may only read, or accept the login in the settings of the data source.';
  throw new ConnectorError('login-may-write', `${whyUnfit(login)} ${remedy}`);
}

const bracketed = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

/** Returns statements that create a login and a user with read access to this database only. */
export const sqlserverReaderScript = (database: string): string =>
  [
    "create login svc_reader with password = 'choose a password';",
    `use ${bracketed(database)};`,
    'create user svc_reader for login svc_reader;',
    'alter role db_datareader add member svc_reader;',
    '-- Plans before a run, and defaults of columns in metadata:',
    'grant showplan, view definition to svc_reader;',
    '',
  ].join('\n');
