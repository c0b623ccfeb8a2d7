import { ConnectorError } from '../error.ts';
import type { CallOptions } from '../port.ts';
import type { Cell } from '../values.ts';
import { readAll } from './answer/read.ts';
import type { Session } from './session.ts';
import { keptName, type SnowflakeConnection } from './settings.ts';

/** Login, and its rights beyond reading. */
export type Login = {
  readonly serverVersion: string;
  /** One of its roles administers the account. */
  readonly isAdministrator: boolean;
  /** Rights for writing, as the service names them; empty for a read-only login. */
  readonly writes: readonly string[];
};

const limits = { maxRows: 50_000, maxBytes: 16 * 1024 * 1024, maxCellBytes: 1024 * 1024 };

const whoStatement =
  'select current_version(), current_role(), current_secondary_roles(), current_warehouse(), current_database()';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const administrators = new Set([
  'ACCOUNTADMIN',
  'SECURITYADMIN',
  'SYSADMIN',
  'USERADMIN',
  'ORGADMIN',
  'GLOBALORGADMIN',
]);
/** Role of every user. */
const publicRole = 'PUBLIC';
const rolesMax = 50;

/** Queries the login's roles, and the grants of these roles and of their own roles. */
export async function readLogin(session: Session): Promise<Login> {
  const { connection } = session;
  const [first = []] = (await readAll(session, { sql: whoStatement }, limits)).rows;
  const [version, role, secondary, warehouse, database] = first;
  assertInUse(connection, { role, warehouse, database });
  const rights = await readRights(session, [String(role), ...secondaryRoles(secondary), publicRole]);
  return { serverVersion: String(version), ...rights };
}

/**
 * Throws for names that the service did not apply. Without this check it ignores a missing or forbidden name until a
 * statement needs it.
 */
function assertInUse(
  connection: SnowflakeConnection,
  { role, warehouse, database }: Readonly<Record<'role' | 'warehouse' | 'database', Cell | undefined>>,
): void {
  if (typeof role !== 'string')
    throw new ConnectorError('permission-denied', `The user may not use the role ${connection.role}.`, {
      origin: 'Service',
    });
  if (database !== keptName(connection.database))
    throw new ConnectorError(
      'database-not-found',
      `There is no database ${connection.database}, or the role ${connection.role} may not use it.`,
    );
  if (warehouse !== keptName(connection.warehouse))
    throw new ConnectorError(
      'permission-denied',
      `There is no warehouse ${connection.warehouse}, or the role ${connection.role} may not use it.`,
      { origin: 'Service' },
    );
}

/** Reads `{"roles": "A,B", "value": "ALL"}`. */
function secondaryRoles(cell: Cell | undefined): string[] {
  const roles = /"roles"\s*:\s*"([^"]*)"/.exec(typeof cell === 'string' ? cell : '')?.[1] ?? '';
  return roles.split(',').filter((name) => name !== '');
}

type Holder = { readonly kind: 'role' | 'database role'; readonly name: string };

/** Reads the grants of all reachable roles, each role once. */
async function readRights(
  session: Session,
  roles: readonly string[],
): Promise<Pick<Login, 'isAdministrator' | 'writes'>> {
  const holders = new Map<string, Holder>();
  const add = (holder: Holder) => holders.set(JSON.stringify(holder), holder);
  for (const name of roles) add({ kind: 'role', name });
  const writes = new Set<string>();
  let walked = 0;
  // The iteration of a map includes entries that are added during it.
  for (const holder of holders.values()) {
    if (++walked > rolesMax) {
      writes.add(`more than ${rolesMax} roles`);
      break;
    }
    for (const grant of await readGrants(session, holder)) {
      if (grant.on === 'ROLE' && grant.privilege === 'USAGE') add({ kind: 'role', name: grant.name });
      else if (grant.on === 'DATABASE_ROLE') add({ kind: 'database role', name: grant.name });
      else if (!isReading(grant)) writes.add(`${grant.privilege} on ${grant.on.toLowerCase()}`);
    }
  }
  const admins = [...holders.values()].filter(
    ({ kind, name }) => kind === 'role' && administrators.has(name),
  );
  return {
    isAdministrator: admins.length > 0,
    writes: [...new Set([...admins.map(({ name }) => `the role ${name}`), ...writes])],
  };
}

type Grant = { readonly privilege: string; readonly on: string; readonly name: string };

async function readGrants(session: Session, { kind, name }: Holder): Promise<Grant[]> {
  // The service returns the name of a database role with its database, and quoted if needed.
  const sql = `show grants to ${kind} ${kind === 'role' ? quoted(name) : name}`;
  const { names, rows } = await readAll(session, { sql }, limits);
  const places = ['privilege', 'granted_on', 'name'].map((column) => names.indexOf(column));
  if (places.includes(-1))
    throw new ConnectorError('permission-denied', 'Snowflake does not say what the role may do.', {
      origin: 'Service',
    });
  return rows.map((row) => {
    const [privilege, on, of] = places.map((place) => String(row[place] ?? ''));
    return { privilege: privilege ?? '', on: on ?? '', name: of ?? '' };
  });
}

/** Privileges that allow only reading, browsing and running statements. */
const readingPrivileges = new Set([
  'USAGE',
  'SELECT',
  'REFERENCES',
  'READ',
  'MONITOR',
  'MONITOR USAGE',
  'MONITOR EXECUTION',
  'MONITOR SECURITY',
  'VIEW LINEAGE',
  'RESOLVE ALL',
  'IMPORTED PRIVILEGES',
]);

/** Starting and stopping a warehouse is harmless: running a statement on it does the same. */
const isReading = ({ privilege, on }: Grant): boolean =>
  readingPrivileges.has(privilege) || (privilege === 'OPERATE' && on === 'WAREHOUSE');

const namedMax = 3;

/** Returns a message that names the rights for writing. */
function whyUnfit({ writes }: Login): string {
  const named = writes.slice(0, namedMax).join(', ');
  const more = writes.length > namedMax ? ` and ${writes.length - namedMax} more` : '';
  return `The role may write (${named}${more}), and Snowflake has no read-only sessions.`;
}

/** Throws `login-may-write` unless the settings accept such a role or the caller tolerates it. */
export function assertFit(
  login: Login,
  { acceptWritingLogin }: SnowflakeConnection,
  { noteLogin }: Pick<CallOptions, 'noteLogin'>,
): void {
  if (acceptWritingLogin) return;
  const mayWrite = login.writes.length > 0;
  noteLogin?.(mayWrite);
  if (!mayWrite || noteLogin) return;
  const remedy = 'Use a role that may only read, or accept the role in the settings of the data source.';
  throw new ConnectorError('login-may-write', `${whyUnfit(login)} ${remedy}`);
}

/** Returns statements that create a role and a user with read access to this database only. */
export function snowflakeReaderScript(database: string): string {
  const name = quoted(keptName(database));
  return [
    'create role svc_reader;',
    'grant usage on warehouse compute_wh to role svc_reader; -- the warehouse of the connection',
    `grant usage on database ${name} to role svc_reader;`,
    `grant usage on all schemas in database ${name} to role svc_reader;`,
    `grant usage on future schemas in database ${name} to role svc_reader;`,
    `grant select on all tables in database ${name} to role svc_reader;`,
    `grant select on future tables in database ${name} to role svc_reader;`,
    `grant select on all views in database ${name} to role svc_reader;`,
    `grant select on future views in database ${name} to role svc_reader;`,
    'create user svc_reader type = service default_role = svc_reader default_secondary_roles = ()',
    "  rsa_public_key = 'the public key, without its first and last line';",
    'grant role svc_reader to user svc_reader;',
    '',
  ].join('\n');
}
