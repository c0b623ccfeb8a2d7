import { createConnectors, type Dial, readDatabaseIdentity } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import type { DataSourceTarget } from '../run-sql/index.ts';
import {
  type CopyData,
  type CopyHooks,
  type CopyOutcome,
  CopyRefusal,
  type CopyRequest,
  createCopyData,
  type RejectedRow,
} from './index.ts';

/** Recorded calls of the hooks of one copy. */
export type Told = {
  readonly stages: string[];
  readonly estimated: number[];
  readonly rejected: RejectedRow[];
  readonly committing: CopyOutcome[];
  committed: number;
};

export type CopyFixture = {
  readonly copyData: CopyData;
  readonly source: DataSourceTarget;
  readonly destination: DataSourceTarget;
  /** The service's own database. */
  readonly own: DataSourceTarget;
  readonly admin: pg.Client;
  readonly request: (change?: Partial<CopyRequest>) => CopyRequest;
  readonly hooks: (change?: Partial<CopyHooks>) => { readonly hooks: CopyHooks; readonly told: Told };
  /** Runs a copy and returns its outcome. */
  readonly copy: (change?: Partial<CopyRequest>) => Promise<CopyOutcome>;
  /** Returns the rows of a statement as texts. */
  readonly texts: (sql: string) => Promise<string[]>;
  /** Executes a statement and retains its locks until they are released. */
  readonly lock: (
    sql: string,
  ) => Promise<{ readonly release: () => Promise<void>; readonly commit: () => Promise<void> }>;
  /** Leaves the staging tables of a copy as a killed process does, before or after its commit. */
  readonly mark: (stagingName: string, state: 'open' | 'committed') => Promise<void>;
  /** Cuts the connections of copies to the database. */
  readonly cutConnections: () => Promise<void>;
  /** Number of copies that have requested a pass-through read from the source. */
  readonly passedThrough: () => number;
  readonly leftovers: () => Promise<string[]>;
  readonly close: () => Promise<void>;
};

/** Creates a database: copies read from its schema `src` and write to its schema `dst`. */
export async function startCopyFixture(
  options: { readonly allowedFolders?: readonly string[] } = {},
): Promise<CopyFixture> {
  const database = await createEmptyDatabase();
  const ownDatabase = await createEmptyDatabase();
  const admin = new pg.Client(database.adminConnection);
  await admin.connect();
  await admin.query(`create schema src authorization ${pg.escapeIdentifier(database.connection.user)};
    create schema dst authorization ${pg.escapeIdentifier(database.connection.user)}`);
  const user = new pg.Client(database.connection);
  await user.connect();
  const ownClient = new pg.Client(ownDatabase.connection);
  await ownClient.connect();
  const ownDatabases = [await readDatabaseIdentity(ownClient)];
  await ownClient.end();
  const { allowedFolders = [] } = options;
  const connectors = createConnectors({ files: { allowedFolders }, ownDatabases });
  const counts = { passedThrough: 0 };
  const dial = followPassedThrough(databaseDial(database.connection), counts);
  const copyData = createCopyData({ connectors, dial, ownDatabases });
  const connection = { ...database.connection, host: testHost, tlsMode: 'Disable' };
  const target = (id: string): DataSourceTarget => ({ id, engine: 'PostgreSQL', connection });
  const request = createRequests(target('source'), target('destination'), 'select * from src.t order by 1');
  return {
    copyData,
    admin: user,
    request,
    hooks: createHooks,
    source: target('source'),
    destination: target('destination'),
    own: {
      id: 'own',
      engine: 'PostgreSQL',
      connection: { ...ownDatabase.connection, host: testHost, tlsMode: 'Disable' },
    },
    copy: async (change) => {
      const { outcome } = await copyData.run(request(change), createHooks().hooks);
      if (!outcome) throw new Error('An earlier attempt had committed.');
      return outcome;
    },
    texts: async (sql) => {
      const { rows } = await user.query({
        text: sql,
        rowMode: 'array',
        types: { getTypeParser: () => String },
      });
      return rows.map((row: unknown[]) => row.join('|'));
    },
    lock: async (sql) => {
      const holder = new pg.Client(database.connection);
      await holder.connect();
      await holder.query(`begin; ${sql}`);
      const commit = async () => {
        await holder.query('commit');
        await holder.end();
      };
      return { release: () => holder.end(), commit };
    },
    mark: async (stagingName, state) => {
      await user.query(
        `create table dst.${stagingName} (id int); create table dst.${stagingName}_m (id int)`,
      );
      if (state === 'open') await user.query(`insert into dst.${stagingName}_m values (1)`);
    },
    cutConnections: async () => {
      await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'svc'`);
    },
    passedThrough: () => counts.passedThrough,
    leftovers: async () => {
      const { rows } = await admin.query(
        `select relname from pg_class where relname like 'svc\\_staging%' and relkind = 'r'`,
      );
      return rows.map(({ relname }) => String(relname));
    },
    close: async () => {
      await connectors.close();
      await user.end();
      await admin.end();
      await database.drop();
      await ownDatabase.drop();
    },
  };
}

/** Counts pass-through reads in the bytes that are sent to a server. */
function followPassedThrough(dial: Dial, counts: { passedThrough: number }): Dial {
  return async (target, options) => {
    const socket = await dial(target, options);
    const { write } = socket;
    Reflect.set(socket, 'write', (...message: unknown[]) => {
      if (String(message[0]).includes(') to stdout (format ')) counts.passedThrough += 1;
      return Reflect.apply(write, socket, message);
    });
    return socket;
  };
}

/** Creates requests of copies from one data source into the table `dst.t` of another, each with a unique staging name. */
export function createRequests(
  dataSource: DataSourceTarget,
  destinationDataSource: DataSourceTarget,
  sql: string,
): CopyFixture['request'] {
  let copies = 0;
  return (change = {}) => ({
    source: { kind: 'Query', sql },
    dataSource,
    destinationDataSource,
    destination: { schema: 'dst', table: 't' },
    createsTable: false,
    mode: 'Insert',
    keyColumns: [],
    columns: null,
    incremental: null,
    personalData: 'Copy',
    masking: {},
    onRejectedRow: 'Fail',
    rejectedRowsMax: 100,
    minimumSourceRows: 0,
    deletedShareMax: 0.2,
    isTrial: false,
    stagingName: `svc_staging_test_${++copies}`,
    earlierStagingNames: [],
    mayHaveCommitted: false,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    ...change,
  });
}

/** Hooks that allow all actions and record their calls. */
export const createHooks: CopyFixture['hooks'] = (change = {}) => {
  const calls: Told = { stages: [], estimated: [], rejected: [], committing: [], committed: 0 };
  return {
    told: calls,
    hooks: {
      mayWrite: async () => true,
      onStage: async (stage) => void calls.stages.push(stage),
      onEstimated: async (rows) => void calls.estimated.push(rows),
      onProgress: () => undefined,
      onRejected: async (rows) => void calls.rejected.push(...rows),
      onCommitting: async (outcome) => void calls.committing.push(outcome),
      onCommitted: async () => {
        calls.committed += 1;
      },
      ...change,
    },
  };
};

/** Returns the refusal with which a promise rejects. */
export async function copyRefusalOf(promise: Promise<unknown>): Promise<CopyRefusal> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof CopyRefusal) return error;
    throw error;
  }
  throw new Error('It was expected to be refused.');
}
