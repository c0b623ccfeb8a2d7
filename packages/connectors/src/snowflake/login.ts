import { ConnectorError } from '../error.ts';
import type { CallOptions } from '../port.ts';
import type { Cell } from '../values.ts';
import { readAll } from './read.ts';
import type { Session } from './session.ts';
import { keptName, type SnowflakeConnection } from './settings.ts';

/** What signs in, and what it may do beyond reading. */
export type Login = {
  readonly serverVersion: string;
  /** One of its roles administers the account. */
  readonly isAdministrator: boolean;
  /** Rights by which it may write, as the service names them; empty for one that may only read. */
  readonly writes: readonly string[];
};

const limits = { maxRows: 50_000, maxBytes: 16 * 1024 * 1024, maxCellBytes: 1024 * 1024 };

const whoStatement =
  'select current_version(), current_role(), current_secondary_roles(), current_warehouse(), current_database()';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const administrators = new Set([
  ...['ACCOUNTADMIN', 'SECURITYADMIN', 'SYSADMIN', 'USERADMIN', 'ORGADMIN', 'GLOBALORGADMIN'],
]);
/** Everybody has it. */
const publicRole = 'PUBLIC';
const rolesMax = 50;

/** Asks who signs in, and what their roles and the roles of those are granted. */
export async function readLogin(session: Session): Promise<Login> {
  const { connection } = session;
  const [first = []] = (await readAll(session, { sql: whoStatement }, limits)).rows;
  const [version, role, secondary, warehouse, database] = first;
  assertInUse(connection, { role, warehouse, database });
  const rights = await readRights(session, [String(role), ...secondaryRoles(secondary), publicRole]);
  return { serverVersion: String(version), ...rights };
}

/** Names that do not exist, or may not be used, are passed over by the service until a statement needs them. */
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

/** `{"roles": "A,B", "value": "ALL"}`. */
function secondaryRoles(cell: Cell | undefined): string[] {
  const found = /"roles"\s*:\s*"([^"]*)"/.exec(typeof cell === 'string' ? cell : '')?.[1] ?? '';
  return found.split(',').filter((name) => name !== '');
}

type Holder = { readonly kind: 'role' | 'database role'; readonly name: string };

/** Walks from role to role, each once. */
async function readRights(
  session: Session,
  roles: readonly string[],
): Promise<Pick<Login, 'isAdministrator' | 'writes'>> {
  const holders = new Map<string, Holder>();
  const add = (holder: Holder) => holders.set(JSON.stringify(holder), holder);
  for (const name of roles) add({ kind: 'role', name });
  const writes = new Set<string>();
  let walked = 0;
  // A map hands out what is added while it is walked.
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
  // The name of a database role comes with its database, and with quotes where it needs them.
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

/** Privileges that let a role do no more than read, look and run statements. */
const readingPrivileges = new Set([
  ...['USAGE', 'SELECT', 'REFERENCES', 'READ', 'MONITOR', 'MONITOR USAGE', 'MONITOR EXECUTION'],
  ...['MONITOR SECURITY', 'VIEW LINEAGE', 'RESOLVE ALL', 'IMPORTED PRIVILEGES'],
]);

/** To start and stop a warehouse is what running a statement on it does as well. */
const isReading = ({ privilege, on }: Grant): boolean =>
  readingPrivileges.has(privilege) || (privilege === 'OPERATE' && on === 'WAREHOUSE');

const namedMax = 3;

/** What is wrong with a role that may write, as a sentence. */
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

/** Statements that make a role and a user who may only read in this database. */
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
