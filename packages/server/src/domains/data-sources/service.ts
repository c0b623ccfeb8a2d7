import type { Connector, ConnectorErrorCode, Connectors } from '@svc/connectors';
import type { ConnectionTestResult, DataSource, ListQuery, MetadataOptions, Page } from '@svc/contract';
import type { RunSql } from '../../gateways/run-sql/index.ts';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import { conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import { assertVersion, reachOf } from '../projects/index.ts';
import {
  changeConnection,
  connectorFor,
  openConnection,
  parseConnection,
  refusedConnection,
  roleScriptFor,
  sealConnection,
  type Vault,
} from './connection.ts';
import type { LoginNotes } from './login-notes.ts';
import { defaultMetadataOptions, readMetadataOptions } from './metadata-options.ts';
import { deleteMetadata } from './metadata-store.ts';
import { openSource, targetOf } from './open.ts';
import { presentDataSource, presentTest, saysLoginMayDoMore, shownOf } from './present.ts';
import * as store from './store.ts';

export type DataSourcesDeps = {
  readonly database: Database;
  readonly connectors: Connectors;
  readonly runSql: RunSql;
  readonly vault: Vault;
  readonly audit: Audit;
  readonly logins: LoginNotes;
};

/** Input for a source. `connection` follows the engine's form. */
export type DataSourceInput = {
  readonly name: string;
  readonly description?: string | null;
  readonly engine: string;
  readonly connection: Readonly<Record<string, unknown>>;
  readonly metadataOptions?: Partial<MetadataOptions>;
};

export type DataSourcesService = {
  readonly list: (
    caller: Caller,
    query: ListQuery & { search?: string; projectId?: number; hasWarnings?: boolean },
  ) => Promise<Page<DataSource>>;
  readonly engines: () => {
    engine: string;
    label: string;
    settingsSchema: Record<string, unknown>;
    secretFields: string[];
  }[];
  readonly get: (caller: Caller, id: number) => Promise<DataSource>;
  /** Creates a source. `within` adds writes to the same transaction. */
  readonly create: (
    by: CallerActor,
    input: DataSourceInput,
    signal?: AbortSignal,
    within?: (tx: Tx, id: number) => Promise<void>,
  ) => Promise<DataSource>;
  readonly update: (
    by: CallerActor,
    id: number,
    change: Partial<Omit<DataSourceInput, 'engine'>>,
    expectedVersion: number | undefined,
    signal?: AbortSignal,
  ) => Promise<DataSource>;
  readonly archive: (by: CallerActor, id: number, expectedVersion: number | undefined) => Promise<void>;
  /** Allows or forbids writes of data migration to the source. */
  readonly setMigrationWrites: (by: CallerActor, id: number, isAllowed: boolean) => Promise<void>;
  /** Tests a stored connection. */
  readonly test: (caller: Caller, id: number, signal: AbortSignal) => Promise<ConnectionTestResult>;
  /** Tests a connection that is not saved. */
  readonly testUnsaved: (
    input: { engine: string; connection: Readonly<Record<string, unknown>> },
    signal: AbortSignal,
  ) => Promise<ConnectionTestResult>;
};

/** Limits the wait for an unreachable server while saving. The source is saved anyway: the server may start later. */
const saveTestTimeoutMs = 5_000;
const namedQueriesMax = 10;
/** Errors that prevent saving a connection. All other errors may be temporary. */
const unfitCodes: ReadonlySet<ConnectorErrorCode> = new Set([
  'own-database',
  'destination-refused',
  'file-not-allowed',
  'invalid-settings',
  'privileged-login',
  'login-may-write',
]);

/** Creates the service for data sources. Metadata has a separate service. */
export function createDataSourcesService(deps: DataSourcesDeps): DataSourcesService {
  const { database, connectors, runSql, vault, audit, logins } = deps;

  const documentFields = connectors.engines.flatMap((name) => connectors.get(name).settings.documentFields);

  const viewOf = (caller: Caller): store.SourceView => ({
    reach: reachOf(caller),
    seesAll: holds(caller, 'DataSourceAdmin'),
  });

  const present = (caller: Caller, row: store.DataSourceRow): DataSource =>
    presentDataSource(row, { vault, connectors, showsConnection: holds(caller, 'DataSourceAdmin') });

  const find = async (executor: Executor, caller: Caller, id: number): Promise<store.DataSourceRow> => {
    const row = await store.findDataSource(executor, viewOf(caller), id);
    if (!row) throw notFound();
    return row;
  };

  const assertFit = async (
    connector: Connector,
    connection: Record<string, unknown>,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<void> => {
    const test = await runSql.testConnection(
      { engine: connector.engine, connection },
      { signal, timeoutMs: saveTestTimeoutMs },
    );
    if (!test.isOk && unfitCodes.has(test.error.code)) {
      const isLogin = saysLoginMayDoMore(test.error.code);
      throw refusedConnection(test.error, isLogin ? roleScriptFor(connector, connection) : null);
    }
  };

  return {
    list: async (caller, query) => {
      const page = pageRequest(query, {
        sortable: store.dataSourceSortable,
        byDefault: 'name',
        unique: 'd.id',
      });
      const filter = {
        search: query.search || null,
        projectId: query.projectId ?? null,
        hasWarnings: query.hasWarnings ?? null,
      };
      const { rows, total } = await store.listDataSources(
        database,
        viewOf(caller),
        filter,
        page,
        documentFields,
      );
      return pageOf(
        rows.map((row) => present(caller, row)),
        total,
        page,
      );
    },

    engines: () =>
      connectors.engines.map((name) => {
        const { engine, label, settings } = connectors.get(name);
        // The cast removes the schema's static type: a JSON Schema is a JSON value.
        const settingsSchema = JSON.parse(JSON.stringify(settings.schema)) as Record<string, unknown>;
        return { engine, label, settingsSchema, secretFields: [...settings.secretFields] };
      }),

    get: async (caller, id) => present(caller, await find(database, caller, id)),

    create: async (by, input, signal, within) => {
      const connector = connectorFor(connectors, input.engine);
      const connection = parseConnection(connector, input.connection);
      await assertFit(connector, connection, signal);
      const id = await store.nextDataSourceId(database);
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
        await store.insertDataSource(tx, source);
        await audit.record(tx, {
          event: 'data_sources.data_source_created',
          by,
          ...about(id),
          detail: { engine: connector.engine, connection: source.connectionShown },
        });
        await within?.(tx, id);
        return present(by.caller, await find(tx, by.caller, id));
      });
    },

    update: async (by, id, change, expectedVersion, signal) => {
      const before = await find(database, by.caller, id);
      assertVersion(before.version, expectedVersion);
      const connector = connectorFor(connectors, before.engine);
      const connection =
        change.connection &&
        changeConnection(connector, openConnection(vault, id, before.connection_sealed), change.connection);
      if (connection) await assertFit(connector, connection, signal);
      return database.transaction(async (tx) => {
        const locked = await store.lockDataSource(tx, id);
        if (!locked) throw notFound();
        await assertUnmanaged(tx, by, 'DataSource', id);
        // The new connection is based on the version read above, so no other change may have occurred since.
        assertVersion(locked.version, connection ? before.version : expectedVersion);
        const { metadataOptions } = change;
        if (connection || metadataOptions) await deleteMetadata(tx, id);
        await store.updateDataSource(tx, id, {
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
          ...about(id),
          detail: {
            connection: connection ? connector.settings.publicPart(connection) : null,
            ...(connection &&
              acceptsPrivileged(connection) !== acceptsPrivileged(shownOf(before)) && {
                acceptPrivilegedLogin: acceptsPrivileged(connection),
              }),
          },
        });
        return present(by.caller, await find(tx, by.caller, id));
      });
    },

    archive: (by, id, expectedVersion) =>
      database.transaction(async (tx) => {
        const locked = await store.lockDataSource(tx, id);
        if (!locked) throw notFound();
        await assertUnmanaged(tx, by, 'DataSource', id);
        assertVersion(locked.version, expectedVersion);
        const users = await store.queriesUsing(tx, reachOf(by.caller), id);
        if (users.length > 0) throw conflict('data-source-in-use', inUse(users.map((user) => user.name)));
        await store.archiveDataSource(tx, id);
        await audit.record(tx, { event: 'data_sources.data_source_archived', by, ...about(id) });
      }),

    setMigrationWrites: (by, id, isAllowed) =>
      database.transaction(async (tx) => {
        if (!(await store.lockDataSource(tx, id))) throw notFound();
        if (!(await store.setMigrationWrites(tx, id, isAllowed))) return;
        const event = isAllowed ? 'migration_writes_allowed' : 'migration_writes_closed';
        await audit.record(tx, { event: `data_sources.${event}`, by, ...about(id) });
      }),

    test: async (caller, id, signal) => {
      const row = await find(database, caller, id);
      const target = targetOf(openSource(deps, row));
      const test = await runSql.testConnection(target, { signal });
      // The caller's page shows the tested login, so its note must be stored first.
      await logins.settled();
      return presentTest(test, roleScriptFor(connectors.get(row.engine), shownOf(row)));
    },

    testUnsaved: async ({ engine, connection }, signal) => {
      const connector = connectorFor(connectors, engine);
      const parsed = parseConnection(connector, connection);
      const test = await runSql.testConnection({ engine: connector.engine, connection: parsed }, { signal });
      return presentTest(test, roleScriptFor(connector, parsed));
    },
  };
}

/** Only settings of PostgreSQL and MySQL contain this member. Other engines accept every login. */
const acceptsPrivileged = (connection: Readonly<Record<string, unknown>>): boolean =>
  connection['acceptPrivilegedLogin'] === true;

const about = (id: number) => ({ subject: { kind: 'data_source', id } });

/** Lists the names of queries that the caller can read, and the number of other queries. */
function inUse(names: readonly (string | null)[]): string {
  const readable = names.filter((name) => name !== null);
  const shown = readable.slice(0, namedQueriesMax).map((name) => `“${name}”`);
  const others = names.length - shown.length;
  const rest = others === 0 ? [] : [`${others} ${shown.length > 0 ? 'more' : 'that you cannot see'}`];
  return `Queries still use this data source: ${[...shown, ...rest].join(', ')}. Change or archive them first.`;
}
