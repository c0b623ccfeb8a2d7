import type { Connectors } from '@svc/connectors';
import type { ConnectionTestResult, DataSource, ListQuery, MetadataOptions, Page } from '@svc/contract';
import type { RunSql } from '../../gateways/run-sql/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { archiveDataSource } from './changes/archive.ts';
import { createDataSource } from './changes/create.ts';
import { updateDataSource } from './changes/update.ts';
import { connectorFor, parseConnection, roleScriptFor, type Vault } from './connection.ts';
import type { LoginNotes } from './login-notes.ts';
import { openSource, targetOf } from './open.ts';
import { presentTest, shownOf } from './present.ts';
import * as store from './store.ts';
import { findVisible, presentTo, viewOf } from './visible.ts';

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

/** Creates the service for data sources. Metadata has a separate service. */
export function createDataSourcesService(deps: DataSourcesDeps): DataSourcesService {
  const { database, connectors, runSql, audit, logins } = deps;
  const documentFields = connectors.engines.flatMap((name) => connectors.get(name).settings.documentFields);

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
        rows.map((row) => presentTo(deps, caller, row)),
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

    get: async (caller, id) => presentTo(deps, caller, await findVisible(database, caller, id)),
    create: (by, input, signal, within) => createDataSource(deps, by, input, signal, within),
    update: (by, id, change, expectedVersion, signal) =>
      updateDataSource(deps, by, id, change, expectedVersion, signal),
    archive: (by, id, expectedVersion) => archiveDataSource(deps, by, id, expectedVersion),

    setMigrationWrites: (by, id, isAllowed) =>
      database.transaction(async (tx) => {
        if (!(await store.lockDataSource(tx, id))) throw notFound();
        if (!(await store.setMigrationWrites(tx, id, isAllowed))) return;
        const event = isAllowed ? 'migration_writes_allowed' : 'migration_writes_closed';
        await audit.record(tx, {
          event: `data_sources.${event}`,
          by,
          subject: { kind: 'data_source', id },
        });
      }),

    test: async (caller, id, signal) => {
      const row = await findVisible(database, caller, id);
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
