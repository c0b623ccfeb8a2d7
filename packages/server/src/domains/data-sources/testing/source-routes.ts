import { createConnectors, type Dial } from '@svc/connectors';
import { createUser } from '@svc/testkit/people/users.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { type Call, person, startRouteApp } from '@svc/testkit/service/route-app.ts';
import { createRunSql, type RunRequest, type RunSql } from '../../../gateways/run-sql/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createKeyRing, systemRandomness } from '../../../platform/crypto/index.ts';
import { createDatabase, openPool } from '../../../platform/db/index.ts';
import { createAudit } from '../../audit/index.ts';
import {
  createDataSourcesService,
  createLoginNotes,
  createMetadataService,
  dataSourceRoutes,
  type Vault,
} from '../index.ts';

const vault: Vault = {
  keys: createKeyRing({ encryptionKey: 'test key of at least thirty-two bytes' }),
  random: systemRandomness,
};

/** Routes of data sources and their run-SQL gateway, over a separate database. */
export type SourceRoutes = {
  /** Calls a route as the named user; `admin` is an Admin. */
  readonly call: Call;
  readonly runSql: RunSql;
  /** Returns the rows of a run, with masking enabled. */
  readonly run: (request: Pick<RunRequest, 'steps'> & Partial<RunRequest>) => Promise<unknown[][]>;
  readonly close: () => Promise<void>;
};

/** @param dial  Connects to the servers of the data sources. */
export async function startSourceRoutes(dial: Dial): Promise<SourceRoutes> {
  const own = await createMigratedDatabase();
  const database = createDatabase(openPool({ connection: own.connection }));
  const connectors = createConnectors();
  const runSql = createRunSql({ connectors, dial });
  const logins = createLoginNotes({ database, log: { warn: () => undefined } });
  const audit = createAudit(systemClock);
  const metadata = createMetadataService({ database, runSql, vault, logins });
  const dataSources = createDataSourcesService({ database, connectors, runSql, vault, audit, logins });
  const app = await startRouteApp(dataSourceRoutes({ dataSources, metadata }));
  app.callers.set('admin', person(await createUser(database, 'admin'), { role: 'Admin' }));
  return {
    call: app.call,
    runSql,
    run: (request) => rowsOf(runSql, request),
    close: async () => {
      await metadata.close();
      await app.close();
      await connectors.close();
      await database.pool.end();
      await own.drop();
    },
  };
}

async function rowsOf(
  runSql: RunSql,
  request: Pick<RunRequest, 'steps'> & Partial<RunRequest>,
): Promise<unknown[][]> {
  const result = await runSql.run({
    masking: { isEnabled: true },
    signal: new AbortController().signal,
    ...request,
  });
  const rows: unknown[][] = [];
  for await (const { rowCount, columns } of result.batches)
    for (let row = 0; row < rowCount; row++) rows.push(columns.map((cells) => cells[row]));
  return rows;
}
