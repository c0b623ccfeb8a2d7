import type { ConnectionTest, Metadata } from '@svc/connectors';
import type { ConnectionTestResult, DataSource, DataSourceMetadata } from '@svc/contract';
import { openConnection, savedSecrets, type Vault } from './connection.ts';
import { readMetadataOptions } from './metadata-options.ts';
import type { DataSourceRow } from './store.ts';

/**
 * A source as a caller may see it. Settings of the connection are for those who administer sources, and without
 * secrets even then. A connection that does not open marks its own row and no other.
 */
export function presentDataSource(
  row: DataSourceRow,
  context: { readonly vault: Vault; readonly showsConnection: boolean },
): DataSource {
  const connection = openConnection(context.vault, row.id, row.connection_sealed);
  // Written by this domain alone: the public part of the engine's form.
  const shown = row.connection_shown as Record<string, unknown>;
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    engine: row.engine,
    connection: context.showsConnection ? shown : null,
    savedSecrets: context.showsConnection && connection ? savedSecrets(shown, connection) : [],
    needsConnection: connection === undefined,
    metadataOptions: readMetadataOptions(row.metadata_options),
    isOpenlyReachable: row.is_openly_reachable,
    queryCount: row.query_count,
    isDemo: row.is_demo,
    createdTime: row.created_time.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}

/** A refusal and a success in one shape. */
export const presentTest = (test: ConnectionTest): ConnectionTestResult =>
  test.isOk
    ? {
        ok: true,
        message: `Connected to ${test.serverVersion}.`,
        code: null,
        warnings: test.warnings.map(({ code, message }) => ({ code, message })),
      }
    : { ok: false, message: test.error.message, code: test.error.code, warnings: [] };

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
