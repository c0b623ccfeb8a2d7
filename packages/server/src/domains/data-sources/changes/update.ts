import type { DataSource } from '@svc/contract';
import { notFound } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertUnmanaged } from '../../managed-records/index.ts';
import { assertVersion } from '../../projects/index.ts';
import { changeConnection, connectorFor, openConnection, sealConnection } from '../connection.ts';
import { readMetadataOptions } from '../metadata-options.ts';
import { deleteMetadata } from '../metadata-store.ts';
import { shownOf } from '../present.ts';
import type { DataSourceInput, DataSourcesDeps } from '../service.ts';
import { lockDataSource, updateDataSource as storeChange } from '../store.ts';
import { findVisible, presentTo } from '../visible.ts';
import { assertUsable } from './connection-check.ts';

/** Changes a source. A change of the connection or of the metadata options deletes the stored metadata. */
export async function updateDataSource(
  deps: DataSourcesDeps,
  by: CallerActor,
  id: number,
  change: Partial<Omit<DataSourceInput, 'engine'>>,
  expectedVersion: number | undefined,
  signal?: AbortSignal,
): Promise<DataSource> {
  const { database, connectors, runSql, vault, audit } = deps;
  const before = await findVisible(database, by.caller, id);
  assertVersion(before.version, expectedVersion);
  const connector = connectorFor(connectors, before.engine);
  const connection =
    change.connection &&
    changeConnection(connector, openConnection(vault, id, before.connection_sealed), change.connection);
  if (connection) await assertUsable(runSql, connector, connection, signal);
  return database.transaction(async (tx) => {
    const locked = await lockDataSource(tx, id);
    if (!locked) throw notFound();
    await assertUnmanaged(tx, by, 'DataSource', id);
    // The new connection is based on the version read above, so no other change may have occurred since.
    assertVersion(locked.version, connection ? before.version : expectedVersion);
    const { metadataOptions } = change;
    if (connection || metadataOptions) await deleteMetadata(tx, id);
    await storeChange(tx, id, {
      ...(change.name !== undefined && { name: change.name.trim() }),
      ...(change.description !== undefined && { description: change.description }),
      ...(connection && {
        connectionShown: connector.settings.publicPart(connection),
        connectionSealed: sealConnection(vault, id, connection),
      }),
      ...(metadataOptions && {
        metadataOptions: { ...readMetadataOptions(before.metadata_options), ...metadataOptions },
      }),
    });
    await audit.record(tx, {
      event: 'data_sources.data_source_changed',
      by,
      subject: { kind: 'data_source', id },
      detail: {
        connection: connection ? connector.settings.publicPart(connection) : null,
        ...(connection &&
          acceptsPrivileged(connection) !== acceptsPrivileged(shownOf(before)) && {
            acceptPrivilegedLogin: acceptsPrivileged(connection),
          }),
      },
    });
    return presentTo(deps, by.caller, await findVisible(tx, by.caller, id));
  });
}

/** Only settings of PostgreSQL and MySQL contain this member. Other engines accept every login. */
const acceptsPrivileged = (connection: Readonly<Record<string, unknown>>): boolean =>
  connection['acceptPrivilegedLogin'] === true;
