import type { Connectors, Metadata } from '@svc/connectors';
import type { ConnectionTestResult, DataSource, DataSourceMetadata } from '@svc/contract';
import type { TestedConnection } from '../../gateways/run-sql/index.ts';
import { openConnection, roleScriptFor, savedSecrets, type Vault } from './connection.ts';
import { readMetadataOptions } from './metadata-options.ts';
import { nextSteps } from './next-steps.ts';
import type { DataSourceRow } from './store.ts';

/** Returns the public part of a connection. Only this domain writes it. */
export const shownOf = ({ connection_shown: shown }: Pick<DataSourceRow, 'connection_shown'>) =>
  shown as Record<string, unknown>;

/**
 * Converts a source to the API format. Only administrators of sources receive connection settings, always without
 * secrets. A connection that cannot be decrypted affects only its own row.
 */
export function presentDataSource(
  row: DataSourceRow,
  context: {
    readonly vault: Vault;
    readonly connectors: Pick<Connectors, 'get'>;
    readonly showsConnection: boolean;
  },
): DataSource {
  const connection = openConnection(context.vault, row.id, row.connection_sealed);
  const shown = shownOf(row);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    engine: row.engine,
    connection: context.showsConnection ? shown : null,
    savedSecrets:
      context.showsConnection && connection
        ? savedSecrets(context.connectors.get(row.engine), connection)
        : [],
    needsConnection: connection === undefined,
    warnings: context.showsConnection ? warningsOf(row, shown, context.connectors) : [],
    metadataOptions: readMetadataOptions(row.metadata_options),
    isOpenlyReachable: row.is_openly_reachable,
    queryCount: row.query_count,
    areMigrationWritesAllowed: row.are_migration_writes_allowed,
    isDemo: row.is_demo,
    createdTime: row.created_time.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}

function warningsOf(
  { engine, privileged_login: login }: DataSourceRow,
  shown: Readonly<Record<string, unknown>>,
  connectors: Pick<Connectors, 'get'>,
): DataSource['warnings'] {
  if (login !== 'Tolerated') return [];
  const message =
    'The login may reach files or programs of the database server. A new source would be refused; this one was saved before that rule and keeps running. Give it a role that may only read.';
  return [{ code: 'privileged-login', message, remedy: roleScriptFor(connectors.get(engine), shown) }];
}

/** Returns true for refusals that a read-only login resolves. */
export const saysLoginMayDoMore = (code: string): boolean =>
  code === 'privileged-login' || code === 'login-may-write';

/** Server codes of logins with more rights than reading. */
const privilegedCodes = new Set(['superuser', 'reads-server-files']);

/**
 * Converts a success or a failure of a connection test to one format.
 *
 * @param roleScript  Remedy, returned when the login has too many rights.
 */
export const presentTest = (test: TestedConnection, roleScript: string | null): ConnectionTestResult =>
  test.isOk
    ? {
        ok: true,
        message: `Connected to ${test.serverVersion}.`,
        code: null,
        warnings: test.warnings.map(({ code, message }) => ({ code, message })),
        next: null,
        remedy: test.warnings.some(({ code }) => privilegedCodes.has(code)) ? roleScript : null,
      }
    : {
        ok: false,
        message: test.error.message,
        code: test.error.code,
        warnings: [],
        next: nextSteps[test.error.code],
        remedy: saysLoginMayDoMore(test.error.code) ? roleScript : null,
      };

export const presentMetadata = (
  source: { readonly id: number; readonly engine: string },
  metadata: Metadata,
  refreshedAt: Date | null,
): DataSourceMetadata => ({
  dataSourceId: source.id,
  engine: source.engine,
  refreshedAt: refreshedAt?.toISOString() ?? null,
  schemas: [...metadata.schemas],
  tables: metadata.tables.map((table) => ({
    ...table,
    primaryKey: [...table.primaryKey],
    columns: [...table.columns],
    foreignKeys: table.foreignKeys.map((key) => ({
      ...key,
      columns: [...key.columns],
      toColumns: [...key.toColumns],
    })),
    indexes: table.indexes.map((index) => ({ ...index, columns: [...index.columns] })),
  })),
  areTablesCut: metadata.areTablesCut,
  areColumnsCut: metadata.areColumnsCut,
});
