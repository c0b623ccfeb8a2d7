import type { DataSource } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { connectorFor, parseConnection, sealConnection } from '../connection.ts';
import { defaultMetadataOptions } from '../metadata-options.ts';
import type { DataSourceInput, DataSourcesDeps } from '../service.ts';
import { insertDataSource, nextDataSourceId } from '../store.ts';
import { findVisible, presentTo } from '../visible.ts';
import { assertUsable } from './connection-check.ts';

/** Creates a source. `within` adds writes to the same transaction. */
export async function createDataSource(
  deps: DataSourcesDeps,
  by: CallerActor,
  input: DataSourceInput,
  signal?: AbortSignal,
  within?: (tx: Tx, id: number) => Promise<void>,
): Promise<DataSource> {
  const { database, connectors, runSql, vault, audit } = deps;
  const connector = connectorFor(connectors, input.engine);
  const connection = parseConnection(connector, input.connection);
  await assertUsable(runSql, connector, connection, signal);
  const id = await nextDataSourceId(database);
  const source = {
    id,
    name: input.name.trim(),
    description: input.description ?? null,
    engine: connector.engine,
    connectionShown: connector.settings.publicPart(connection),
    connectionSealed: sealConnection(vault, id, connection),
    metadataOptions: { ...defaultMetadataOptions, ...input.metadataOptions },
    createdByUserId: by.caller.userId,
    isDemo: false,
  };
  return database.transaction(async (tx) => {
    await insertDataSource(tx, source);
    await audit.record(tx, {
      event: 'data_sources.data_source_created',
      by,
      subject: { kind: 'data_source', id },
      detail: { engine: connector.engine, connection: source.connectionShown },
    });
    await within?.(tx, id);
    return presentTo(deps, by.caller, await findVisible(tx, by.caller, id));
  });
}
