import type { Metadata } from '@svc/connectors';
import { type DataSourceMetadata, rateLimits } from '@svc/contract';
import { type RunSql, refusingOverHttp } from '../../gateways/run-sql/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { conflict, HttpProblem, notFound, tooManyRequests } from '../../platform/http/index.ts';
import { type AnswerHeaders, setRateLimitHeaders } from '../../platform/rate-limit/index.ts';
import { requireInProject } from './in-project.ts';
import { connectorOptions, readMetadataOptions } from './metadata-options.ts';
import { claimRefresh, findMetadata, saveMetadata, unreadSources } from './metadata-store.ts';
import { type Opening, openSource, targetOf } from './open.ts';
import { presentMetadata } from './present.ts';
import { type SealedSource, sealedConnections } from './store.ts';

export type MetadataDeps = {
  readonly database: Database;
  readonly runSql: RunSql;
  /** Called with a new snapshot and the snapshot that it replaces, in the transaction that stores it. */
  readonly onSnapshot?: (
    tx: Tx,
    dataSourceId: number,
    metadata: Metadata,
    before: Metadata | undefined,
  ) => Promise<void>;
} & Opening;

export type MetadataService = {
  /** Returns the stored snapshot; reads the source when none exists. */
  readonly get: (caller: Caller, id: number) => Promise<DataSourceMetadata>;
  /** Returns the same for any live source, without a permission check. */
  readonly snapshotOf: (id: number) => Promise<DataSourceMetadata>;
  /** Reads the source even when a snapshot exists. */
  readonly refresh: (caller: Caller, id: number, answer: AnswerHeaders) => Promise<DataSourceMetadata>;
  /** Reads the source for the system, unless a refresh was claimed within `intervalSeconds`. */
  readonly refreshDue: (id: number, intervalSeconds: number) => Promise<void>;
  /** Reads those data sources of a project that have no snapshot, for the system. Skips sources that cannot be read. */
  readonly readUnread: (projectId: number) => Promise<void>;
  /** Aborts running reads and waits for them. */
  readonly close: () => Promise<void>;
};

/** Reading all tables loads the source, so this limit applies per data source. */
const limit = rateLimits.refreshMetadata;
const noTables: Metadata = { schemas: [], tables: [], areTablesCut: false, areColumnsCut: false };

/** Creates the service that reads tables and columns of data sources and stores them as snapshots. */
export function createMetadataService({
  database,
  runSql,
  onSnapshot,
  ...opening
}: MetadataDeps): MetadataService {
  const closing = new AbortController();
  // Concurrent requests for one source share one read. It continues when a requesting client disconnects.
  const readings = new Map<string, Promise<DataSourceMetadata>>();

  const read = async (row: SealedSource): Promise<DataSourceMetadata> => {
    const target = targetOf(openSource(opening, row));
    const options = connectorOptions(readMetadataOptions(row.metadata_options));
    const metadata = await refusingOverHttp(() =>
      runSql.readMetadata(target, { ...options, signal: closing.signal }),
    );
    const savedAt = await database.transaction(async (tx) => {
      const before = await findMetadata(tx, row.id, { forUpdate: true });
      const at = await saveMetadata(tx, row.id, row.version, metadata);
      if (at) await onSnapshot?.(tx, row.id, metadata, before?.snapshot);
      return at;
    });
    // The source was changed or archived during the read, so the snapshot is outdated.
    if (!savedAt)
      throw conflict('changed-while-read', 'The data source was changed while it was read. Try again.');
    return presentMetadata(row, metadata, savedAt);
  };

  const readOnce = (row: SealedSource): Promise<DataSourceMetadata> => {
    const key = `${row.id} ${row.version}`;
    const pendingReading = readings.get(key);
    if (pendingReading !== undefined) return pendingReading;
    const reading = read(row).finally(() => readings.delete(key));
    readings.set(key, reading);
    return reading;
  };

  const stored = async (row: SealedSource): Promise<DataSourceMetadata> => {
    if (!readMetadataOptions(row.metadata_options).isEnabled) return presentMetadata(row, noTables, null);
    const metadata = await findMetadata(database, row.id);
    return metadata ? presentMetadata(row, metadata.snapshot, metadata.refreshed_at) : readOnce(row);
  };

  const readStored = async (id: number): Promise<void> => {
    const [row] = await sealedConnections(database, [id]);
    if (row && readMetadataOptions(row.metadata_options).isEnabled) await readOnce(row);
  };

  return {
    get: async (caller, id) => stored(await requireInProject(database, caller, id, 'Read')),

    snapshotOf: async (id) => {
      const [row] = await sealedConnections(database, [id]);
      if (!row) throw notFound();
      return stored(row);
    },

    refresh: async (caller, id, answer) => {
      const row = await requireInProject(database, caller, id, 'Write');
      if (!readMetadataOptions(row.metadata_options).isEnabled) {
        throw conflict('metadata-disabled', 'Reading metadata is switched off for this data source.');
      }
      const waitSeconds = await claimRefresh(database, id, limit.windowSeconds);
      const resetSeconds = waitSeconds > 0 ? waitSeconds : limit.windowSeconds;
      setRateLimitHeaders(answer, limit, { remaining: 0, resetSeconds });
      if (waitSeconds > 0) throw tooManyRequests('This data source was read a moment ago.', waitSeconds);
      return readOnce(row);
    },

    refreshDue: async (id, intervalSeconds) => {
      if ((await claimRefresh(database, id, intervalSeconds)) > 0) return;
      await readStored(id);
    },

    readUnread: async (projectId) => {
      for (const id of await unreadSources(database, projectId)) {
        await readStored(id).catch((error: unknown) => {
          if (!(error instanceof HttpProblem)) throw error;
        });
      }
    },

    close: async () => {
      closing.abort();
      await Promise.allSettled(readings.values());
    },
  };
}
