import { ConnectorError } from '../error.ts';
import type { CallOptions } from '../port.ts';
import { databricksDialect } from '../sql/dialects.ts';
import type { Cell } from '../values.ts';
import { readAll } from './read.ts';
import type { Session } from './session.ts';
import type { DatabricksConnection } from './settings.ts';

/** Who signs in, and what they may do beyond reading. */
export type Login = {
  readonly serverVersion: string;
  /** Administers the workspace. */
  readonly isAdministrator: boolean;
  /** Privileges by which it may write, as the service names them; empty for one that may only read. */
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

/** What the login and its groups are granted, or own, in the catalog. */
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

/** Asks who signs in, and what they and their groups are granted. */
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
    ...{ serverVersion: version, isAdministrator },
    writes: [
      ...(isAdministrator ? ['it administers the workspace'] : []),
      ...rights
        .filter(({ privilege }) => !readingPrivileges.has(privilege))
        .map(({ kind, privilege }) => `${privilege} on ${kind}`),
    ],
  };
}

/** Privileges that let a login do no more than read, look and run functions of the catalog. */
const readingPrivileges = new Set([
  ...['SELECT', 'USE CATALOG', 'USE SCHEMA', 'USAGE', 'BROWSE', 'EXECUTE', 'READ VOLUME', 'READ METADATA'],
]);

const utcZones = new Set(['UTC', 'Etc/UTC', 'Z', '+00:00', 'GMT', 'Etc/GMT']);

/** Times without a zone, days and hours are those of UTC with every engine. */
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

/** What is wrong with a login that may write, as a sentence. */
function whyUnfit({ writes }: Login): string {
  const named = writes.slice(0, namedMax).join(', ');
  const more = writes.length > namedMax ? ` and ${writes.length - namedMax} more` : '';
  return `The login may write (${named}${more}), and Databricks has no read-only sessions.`;
}

/** A login that may write is refused unless the settings accept it, or told of where the caller asks for that. */
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

/** Statements that let a service principal read this catalog, and no more. */
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
