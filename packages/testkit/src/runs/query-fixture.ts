import { createConnectors } from '@svc/connectors';
import pg from 'pg';
import { createChangeRequests } from '../../../server/src/domains/approvals/index.ts';
import { createAudit } from '../../../server/src/domains/audit/index.ts';
import {
  createDataSourcesService,
  createLoginNotes,
  createOpenDataSources,
} from '../../../server/src/domains/data-sources/index.ts';
import { createOwnRunsService, ownRunRoutes } from '../../../server/src/domains/own-runs/index.ts';
import { projectRights } from '../../../server/src/domains/projects/index.ts';
import {
  createQueriesService,
  createSaveApprovals,
  queryRoutes,
} from '../../../server/src/domains/queries/index.ts';
import {
  createQueryFoldersService,
  queryFolderRoutes,
} from '../../../server/src/domains/query-folders/index.ts';
import {
  createQueryVersionsService,
  queryVersionRoutes,
} from '../../../server/src/domains/query-versions/index.ts';
import { createRunSql } from '../../../server/src/gateways/run-sql/index.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { createKeyRing, systemRandomness } from '../../../server/src/platform/crypto/index.ts';
import { createDatabase, type Database, openPool } from '../../../server/src/platform/db/index.ts';
import { databaseDial, testHost } from '../database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '../database/database.ts';
import { addProject } from '../people/project-records.ts';
import { createUser } from '../people/users.ts';
import { createMigratedDatabase } from '../service/migrated-database.ts';
import { keyOf, person, type RouteApp, startRouteApp } from '../service/route-app.ts';

/** Shop with orders, the query routes of the service, and callers with different rights. */
export type QueryFixture = {
  readonly app: RouteApp;
  readonly database: Database;
  /** Database of the shop, for direct inspection. */
  readonly shop: TestDatabase;
  readonly open: number;
  readonly restricted: number;
  /**
   * Ids of data sources. `shop` is linked to both projects, `unlinked` to none, `held` and `away` to the restricted
   * project. `away` names a database that does not exist.
   */
  readonly sources: Readonly<Record<'shop' | 'unlinked' | 'held' | 'away', number>>;
  readonly close: () => Promise<void>;
};

/** Rows of `orders`, and the row limit of the fixture's service. */
export const orderCount = 2_500;
const maxExecutionRows = orderCount;

const shopSql = `
  create table orders (id int primary key, customer text not null, email text not null, total numeric(10,2) not null, placed_at timestamptz not null);
  insert into orders select g, 'Customer ' || g, 'c' || g || '@example.org', g * 1.5, timestamptz '2026-01-01Z' + g * interval '1 minute'
    from generate_series(1, ${orderCount}) g;
  create table targets (region text, target int);
  insert into targets values ('north', 10), ('south', 20);`;

export async function startQueryFixture(): Promise<QueryFixture> {
  const [own, shop] = await Promise.all([createMigratedDatabase(), createEmptyDatabase()]);
  const database = createDatabase(openPool({ connection: own.connection }));
  const client = new pg.Client(shop.connection);
  await client.connect();
  await client.query(shopSql);
  await client.end();

  const audit = createAudit(systemClock);
  const connectors = createConnectors();
  const runSql = createRunSql({ connectors, dial: databaseDial(shop.connection) });
  const vault = {
    keys: createKeyRing({ encryptionKey: 'test key of at least thirty-two bytes' }),
    random: systemRandomness,
  };
  const logins = createLoginNotes({ database, log: { warn: () => undefined } });
  const ownRuns = createOwnRunsService({ database, rights: projectRights, log: { warn: () => undefined } });
  const queries = createQueriesService({
    database,
    rights: projectRights,
    audit,
    approvals: createSaveApprovals({ requests: createChangeRequests({ audit }), isCovered: false }),
    runSql,
    openDataSources: createOpenDataSources({ vault, logins }),
    limits: { maxExecutionRows, timeoutSeconds: 100 },
    masking: { isEnabled: true, customPatterns: [] },
    keeping: ownRuns.keeping,
  });
  const versions = createQueryVersionsService({ database, rights: projectRights, queries });
  const folders = createQueryFoldersService({ database, rights: projectRights, audit });
  const app = await startRouteApp([
    ...ownRunRoutes(ownRuns),
    ...queryRoutes(queries),
    ...queryVersionRoutes(versions, queries.live),
    ...queryFolderRoutes(folders),
  ]);

  const names = ['admin', 'editor', 'viewer', 'stranger'] as const;
  const userIds = await Promise.all(names.map((name) => createUser(database, name)));
  const roles = { admin: 'Admin', editor: 'Editor', viewer: 'Viewer', stranger: 'Editor' } as const;
  for (const [index, name] of names.entries())
    app.callers.set(name, person(userIds[index] ?? 0, { role: roles[name] }));
  app.callers.set('noRole', person(userIds[3] ?? 0));
  const [, editor = 0, viewer = 0] = userIds;
  const open = await addProject(database, { name: 'Open' });
  const restricted = await addProject(database, {
    name: 'Restricted',
    accessMode: 'Restricted',
    members: [
      [editor, 'Editor'],
      [viewer, 'Viewer'],
    ],
  });
  const owner = person(editor, { role: 'Editor' });
  app.callers.set('readKey', keyOf(owner, 'Read', [restricted]));
  app.callers.set('executeKey', keyOf(owner, 'Execute', [restricted]));

  const dataSources = createDataSourcesService({ database, connectors, runSql, vault, audit, logins });
  const { port, user, password, database: name } = shop.connection;
  const connection = { host: testHost, port, user, password, database: name, tlsMode: 'Disable' };
  const admin = person(userIds[0] ?? 0, { role: 'Admin' });
  const addSource = async (
    sourceName: string,
    projectIds: readonly number[],
    change: { readonly database?: string } = {},
  ): Promise<number> => {
    const input = { name: sourceName, engine: 'PostgreSQL', connection: { ...connection, ...change } };
    const { id } = await dataSources.create({ caller: admin }, input);
    for (const projectId of projectIds) {
      await database.query(
        'insert into svc.project_data_sources (project_id, data_source_id) values ($1, $2)',
        [projectId, id],
      );
    }
    return id;
  };
  const sources = {
    shop: await addSource('Shop', [open, restricted]),
    unlinked: await addSource('Unlinked', []),
    held: await addSource('Held', [restricted]),
    away: await addSource('Away', [restricted], { database: 'no_such_database' }),
  };

  return {
    app,
    database,
    shop,
    open,
    restricted,
    sources,
    close: async () => {
      await app.close();
      await connectors.close();
      await database.pool.end();
      await Promise.all([own.drop(), shop.drop()]);
    },
  };
}
