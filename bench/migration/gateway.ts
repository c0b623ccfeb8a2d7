import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { createConnectors } from '@svc/connectors';
import { type CopyRequest, createCopyData } from '../../packages/server/src/gateways/copy-data/index.ts';
import { runSubject } from '../run/subject-process.ts';
import { emptied, type MigrationConfig, type Place } from './destination.ts';

const mariaHost = 'mariadb.bench';
let copies = 0;

/** The copy gateway without the rest of the service, which adds only a few statements per copy. */
runSubject(async (config: MigrationConfig) => {
  const { connection, mariaSocket, folder } = config;
  const connectors = createConnectors({ files: { allowedFolders: [folder] } });
  const gateway = createCopyData({
    connectors,
    ownDatabases: [],
    dial: async ({ host, port }, { signal }) => {
      const isMaria = host === mariaHost && mariaSocket !== undefined;
      const socket = connect({ ...(isMaria ? { path: mariaSocket } : { host, port }), signal });
      await once(socket, 'connect');
      return socket;
    },
  });
  const file = path.join(folder, 'orders.parquet');
  const noteLogin = () => undefined;
  const source = {
    id: 'p',
    engine: 'PostgreSQL',
    connection: { ...connection, tlsMode: 'Disable' },
    noteLogin,
  };
  const maria = {
    host: mariaHost,
    port: 3306,
    user: 'root',
    password: '',
    database: 'dst',
    tlsMode: 'Disable',
  };
  const destinations = {
    Equal: { ...source, id: 'd' },
    Wider: { ...source, id: 'd' },
    Read: { ...source, id: 'd' },
    MariaDB: { id: 'm', engine: 'MySQL', connection: maria, noteLogin },
    Parquet: {
      id: 'f',
      engine: 'DuckDB',
      connection: { files: [{ name: 'orders', path: file }] },
      noteLogin,
    },
  };
  const requestOf = (place: Place): CopyRequest => ({
    source: { kind: 'Table', schema: 'public', table: 'orders' },
    dataSource: source,
    destinationDataSource: destinations[place],
    destination: { schema: place === 'Parquet' ? 'main' : 'dst', table: 'orders' },

    createsTable: place === 'Parquet',
    mode: 'Insert',
    keyColumns: [],
    columns: null,
    // The gateway reads the progress from each row.
    incremental: place === 'Read' ? { column: 'order_number', lookbackSeconds: 0, above: null } : null,
    personalData: 'Copy',
    masking: {},
    onRejectedRow: 'Fail',
    rejectedRowsMax: 0,
    minimumSourceRows: 1,
    deletedShareMax: 0,
    isTrial: false,
    earlierStagingNames: [],
    mayHaveCommitted: false,
    stagingName: `svc_staging_bench_${++copies}`,
    timeoutMs: 600_000,
    signal: new AbortController().signal,
  });
  return {
    ready: {},
    act: async ({ place }: { readonly place: Place }) => {
      rmSync(file, { force: true });
      await emptied(config, place);
      const startedAt = performance.now();
      const { outcome } = await gateway.run(requestOf(place), {
        mayWrite: async () => true,
        onStage: async () => undefined,
        onEstimated: async () => undefined,
        onProgress: () => undefined,
        onRejected: async () => undefined,
        onCommitting: async () => undefined,
        onCommitted: async () => undefined,
      });
      return { seconds: (performance.now() - startedAt) / 1_000, rows: outcome?.counts.inserted ?? 0 };
    },
    stop: connectors.close,
  };
});
