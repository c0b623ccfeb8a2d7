import { ConnectorError } from '../error.ts';
import type { CallOptions } from '../port.ts';
import { databricksDialect } from '../sql/dialects.ts';
import type { Cell } from '../values.ts';
import { readAll } from './answer/read.ts';
import type { Session } from './session.ts';
import type { DatabricksConnection } from './settings.ts';

/** Login, and its rights beyond reading. */
export type Login = {
  readonly serverVersion: string;
  /** The login administers the workspace. */
  readonly isAdministrator: boolean;
  /** Privileges for writing, as the service names them; empty for a read-only login. */
  readonly writes: readonly string[];
};

const limits = { maxRows: 10_000, maxBytes: 4 * 1_024 * 1_024, maxCellBytes: 64 * 1_024 };

/** Members of this group administer the workspace. */
const administrators = 'admins';

const whoStatement = `select current_version().dbsql_version, session_user(), current_catalog(), current_timezone(),
    is_member('${administrators}')`;

const { quote } = databricksDialect;
const textLiteral = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

const isMine = (column: string): string =>
  `(${column} = session_user() or is_account_group_member(${column}))`;

/** Returns a statement that lists the catalog's privileges and ownerships of the login and its groups. */
export function rightsStatement(catalog: string): string {
  const view = (name: string) => `${quote(catalog)}.information_schema.${name}`;
  const isCatalog = `catalog_name = ${textLiteral(catalog)}`;
  const granted = (kind: string, where = 'true') =>
    `select distinct '${kind}' as kind, privilege_type from ${view(`${kind}_privileges`)} where ${isMine('grantee')} and ${where}`;
  const owned = (kind: string, name: string, where = 'true') =>
    `select distinct '${kind}' as kind, 'OWNERSHIP' as privilege_type from ${view(name)} where ${isMine(`${kind}_owner`)} and ${where}`;
  return [
    granted('catalog', isCatalog),
    granted('schema'),
    granted('table'),
    granted('volume'),
    owned('catalog', 'catalogs', isCatalog),
    owned('schema', 'schemata'),
    owned('table', 'tables'),
    owned('volume', 'volumes'),
  ].join('\nunion all ');
}

/** Queries the login's name and the privileges of the login and its groups. */
export async function readLogin(session: Session): Promise<Login> {
  const { catalog } = session.connection;
  const [first = []] = await readAll(session, { sql: whoStatement }, limits).catch(noCatalog(catalog));
  const [version, user, current, zone, isAdmin] = first;
  if (typeof user !== 'string' || typeof version !== 'string')
    throw new ConnectorError('connection-failed', 'Databricks does not say who signs in.');
  if (String(current).toLowerCase() !== catalog.toLowerCase()) throw missingCatalog(catalog);
  assertZone(zone);
  const rows = await readAll(session, { sql: rightsStatement(catalog) }, limits).catch(noCatalog(catalog));
  const isAdministrator = isAdmin === true;
  const rights = rows.map(([kind, privilege]) => ({
    kind: String(kind),
    privilege: String(privilege).replaceAll('_', ' ').toUpperCase(),
  }));
  return {
    serverVersion: version,
    isAdministrator,
    writes: [
      ...(isAdministrator ? ['it administers the workspace'] : []),
      ...rights
        .filter(({ privilege }) => !readingPrivileges.has(privilege))
        .map(({ kind, privilege }) => `${privilege} on ${kind}`),
    ],
  };
}

/** Privileges that allow only reading, browsing and running functions of the catalog. */
const readingPrivileges = new Set([
  'SELECT',
  'USE CATALOG',
  'USE SCHEMA',
  'USAGE',
  'BROWSE',
  'EXECUTE',
  'READ VOLUME',
  'READ METADATA',
]);

const utcZones = new Set(['UTC', 'Etc/UTC', 'Z', '+00:00', 'GMT', 'Etc/GMT']);

/** Requires UTC: times without a zone, days and hours mean UTC with every engine. */
function assertZone(zone: Cell | undefined): void {
  if (utcZones.has(String(zone))) return;
  throw new ConnectorError(
    'connection-failed',
    `The warehouse runs statements in the time zone ${String(zone)}, although UTC was asked for.`,
  );
}

const missingCatalog = (catalog: string): ConnectorError =>
  new ConnectorError(
    'database-not-found',
    `There is no catalog ${catalog} of Unity Catalog, or the login may not use it.`,
  );

const noCatalog =
  (catalog: string) =>
  (error: unknown): never => {
    const isMissing =
      error instanceof ConnectorError &&
      /^(NO_SUCH_CATALOG|CATALOG_NOT_FOUND|SCHEMA_NOT_FOUND|TABLE_OR_VIEW_NOT_FOUND)/.test(
        error.engineCode ?? '',
      );
    throw isMissing ? missingCatalog(catalog) : error;
  };

const namedMax = 3;

/** Returns a message that names the privileges for writing. */
function whyUnfit({ writes }: Login): string {
  const named = writes.slice(0, namedMax).join(', ');
  const more = writes.length > namedMax ? ` and ${writes.length - namedMax} more` : '';
  return `The login may write (${named}${more}), and Databricks has no read-only sessions.`;
}

/** Refuses a login that may write unless the settings accept it. With `noteLogin` it reports the login instead. */
export function assertFit(
  login: Login,
  { acceptWritingLogin }: DatabricksConnection,
  { noteLogin }: Pick<CallOptions, 'noteLogin'>,
): void {
  if (acceptWritingLogin) return;
  const mayWrite = login.writes.length > 0;
  noteLogin?.(mayWrite);
  if (!mayWrite || noteLogin) return;
  const remedy = 'Use a login that may only read, or accept the login in the settings of the data source.';
  throw new ConnectorError('login-may-write', `${whyUnfit(login)} ${remedy}`);
}

/** Returns statements that let a service principal only read this catalog. */
export function databricksReaderScript(catalog: string): string {
  const name = quote(catalog);
  const principal = quote('the application ID of the service principal');
  return [
    `grant use catalog on catalog ${name} to ${principal};`,
    `grant use schema on catalog ${name} to ${principal};`,
    `grant select on catalog ${name} to ${principal};`,
    '-- In the workspace, give it "Can use" on the SQL warehouse of the connection.',
    '',
  ].join('\n');
}
