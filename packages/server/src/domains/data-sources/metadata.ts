import type { Metadata } from '@svc/connectors';
import type { DataSourceMetadata } from '@svc/contract';
import { type RunSql, refusingOverHttp } from '../../doors/run-sql/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { conflict, tooManyRequests } from '../../platform/http/index.ts';
import { requireInProject } from './in-project.ts';
import { connectorOptions, readMetadataOptions } from './metadata-options.ts';
import { claimRefresh, findMetadata, saveMetadata } from './metadata-store.ts';
import { type Opening, openSource, targetOf } from './open.ts';
import { presentMetadata } from './present.ts';
import type { DataSourceRow } from './store.ts';

export type MetadataDeps = {
  readonly database: Database;
  readonly runSql: RunSql;
  /** Told of a snapshot in the transaction that stores it. */
  readonly onSnapshot?: (tx: Tx, dataSourceId: number, metadata: Metadata) => Promise<void>;
} & Opening;

export type MetadataService = {
  /** The stored snapshot; read from the source when there is none yet. */
  readonly get: (caller: Caller, id: number) => Promise<DataSourceMetadata>;
  /** Reads anew, whatever is stored. */
  readonly refresh: (caller: Caller, id: number) => Promise<DataSourceMetadata>;
  /** Ends what is being read. */
  readonly close: () => Promise<void>;
};

/** Reading all tables is work for the source; nobody needs it more often. */
const refreshIntervalSeconds = 30;
const noTables: Metadata = { schemas: [], tables: [], areTablesCut: false, areColumnsCut: false };

/** Tables and columns of data sources, kept as a snapshot. */
export function createMetadataService({
  database,
  runSql,
  onSnapshot,
  ...opening
}: MetadataDeps): MetadataService {
  const closing = new AbortController();
  // Whoever asks while a source is being read waits for that reading; it does not end when one of them leaves.
  const readings = new Map<string, Promise<DataSourceMetadata>>();

  const read = async (row: DataSourceRow): Promise<DataSourceMetadata> => {
    const target = targetOf(openSource(opening, row));
    const options = connectorOptions(readMetadataOptions(row.metadata_options));
    const metadata = await refusingOverHttp(() =>
      runSql.readMetadata(target, { ...options, signal: closing.signal }),
    );
    const savedAt = await database.transaction(async (tx) => {
      const at = await saveMetadata(tx, row.id, row.version, metadata);
      if (at) await onSnapshot?.(tx, row.id, metadata);
      return at;
    });
    // Changed or archived while it was read: the snapshot is of something that is no more.
    if (!savedAt)
      throw conflict('changed-while-read', 'The data source was changed while it was read. Try again.');
    return presentMetadata(row, metadata, savedAt);
  };

  const readOnce = (row: DataSourceRow): Promise<DataSourceMetadata> => {
    const key = `${row.id} ${row.version}`;
    const known = readings.get(key);
    if (known !== undefined) return known;
    const reading = read(row).finally(() => readings.delete(key));
    readings.set(key, reading);
    return reading;
  };

  return {
    get: async (caller, id) => {
      const row = await requireInProject(database, caller, id, 'Read');
      if (!readMetadataOptions(row.metadata_options).isEnabled) return presentMetadata(row, noTables, null);
      const stored = await findMetadata(database, id);
      return stored ? presentMetadata(row, stored.snapshot, stored.refreshed_at) : readOnce(row);
    },

    refresh: async (caller, id) => {
      const row = await requireInProject(database, caller, id, 'Write');
      if (!readMetadataOptions(row.metadata_options).isEnabled) {
        throw conflict('metadata-disabled', 'Reading metadata is switched off for this data source.');
      }
      const waitSeconds = await claimRefresh(database, id, refreshIntervalSeconds);
      if (waitSeconds > 0) throw tooManyRequests('This data source was read a moment ago.', waitSeconds);
      return readOnce(row);
    },

    close: async () => {
      closing.abort();
      await Promise.allSettled(readings.values());
    },
  };
}
