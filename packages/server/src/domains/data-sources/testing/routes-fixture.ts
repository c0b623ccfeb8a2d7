import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createConnectors, readDatabaseIdentity } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { addProject } from '@svc/testkit/people/project-records.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { type Call, keyOf, person, type RouteApp, startRouteApp } from '@svc/testkit/service/route-app.ts';
import pg from 'pg';
import { expect } from 'vitest';
import { createRunSql } from '../../../gateways/run-sql/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createKeyRing, systemRandomness } from '../../../platform/crypto/index.ts';
import { createDatabase, type Database, openPool } from '../../../platform/db/index.ts';
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

export type RoutesFixture = Awaited<ReturnType<typeof startRoutesFixture>>;

/** Starts the routes of data sources with a database to watch, users of each role and two projects. */
export async function startRoutesFixture() {
  const [own, shop] = await Promise.all([createMigratedDatabase(), createEmptyDatabase()]);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-files-'));
  const database = createDatabase(openPool({ connection: own.connection }));
  const client = new pg.Client(shop.connection);
  await client.connect();
  await client.query(
    'create table orders (id int primary key, customer text not null); create table lines (order_id int references orders, quantity int)',
  );
  await client.end();
  const identity = await readDatabaseIdentity(database.pool);
  const connectors = createConnectors({
    ownDatabases: [identity],
    files: { allowedFolders: [folder] },
  });
  const runSql = createRunSql({ connectors, dial: databaseDial(shop.connection) });
  const logins = createLoginNotes({ database, log: { warn: () => undefined } });
  const metadata = createMetadataService({ database, runSql, vault, logins });
  const dataSources = createDataSourcesService({
    database,
    connectors,
    runSql,
    vault,
    audit: createAudit(systemClock),
    logins,
  });
  const app = await startRouteApp(dataSourceRoutes({ dataSources, metadata }));
  const projects = await addPeopleAndProjects(database, app);
  const settings = (change: Record<string, unknown> = {}) => ({ ...connectionTo(shop), ...change });
  return {
    ...projects,
    own,
    shop,
    folder,
    database,
    logins,
    vault,
    settings,
    call: app.call,
    /** Creates a data source and returns its id. */
    create: (name: string, change: Record<string, unknown> = {}) =>
      createSource(app.call, { name, engine: 'PostgreSQL', connection: settings(), ...change }),
    link: (projectId: number, dataSourceId: number) =>
      database.query('insert into svc.project_data_sources (project_id, data_source_id) values ($1, $2)', [
        projectId,
        dataSourceId,
      ]),
    addQuery: (projectId: number, name: string, dataSourceId: number) =>
      addQuery(database, projectId, name, dataSourceId),
    close: async () => {
      await metadata.close();
      await app.close();
      await connectors.close();
      rmSync(folder, { recursive: true });
      await database.pool.end();
      await Promise.all([own.drop(), shop.drop()]);
    },
  };
}

const connectionTo = (shop: TestDatabase) => {
  const { port, user, password, database: name } = shop.connection;
  return { host: testHost, port, user, password, database: name, tlsMode: 'Disable' };
};

async function createSource(call: Call, body: Record<string, unknown>): Promise<number> {
  const response = await call('sourceAdmin', 'POST /svc/api/data-sources', { body });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.body.id;
}

async function addPeopleAndProjects(
  database: Database,
  app: RouteApp,
): Promise<{ open: number; restricted: number }> {
  const [admin, editor, viewer, stranger, sourceAdmin] = await Promise.all(
    ['admin', 'editor', 'viewer', 'stranger', 'sourceAdmin'].map((name) => createUser(database, name)),
  );
  const people = {
    admin: person(admin ?? 0, { role: 'Admin' }),
    editor: person(editor ?? 0, { role: 'Editor' }),
    viewer: person(viewer ?? 0, { role: 'Viewer' }),
    stranger: person(stranger ?? 0, { role: 'Editor' }),
    sourceAdmin: person(sourceAdmin ?? 0, { permissions: new Set(['DataSourceAdmin']) }),
    sourceAdminWhoReads: person(sourceAdmin ?? 0, {
      role: 'Viewer',
      permissions: new Set(['DataSourceAdmin']),
    }),
  } as const;
  for (const [name, caller] of Object.entries(people)) app.callers.set(name, caller);
  const open = await addProject(database, { name: 'Open' });
  const restricted = await addProject(database, {
    name: 'Restricted',
    accessMode: 'Restricted',
    members: [
      [editor ?? 0, 'Editor'],
      [viewer ?? 0, 'Viewer'],
    ],
  });
  app.callers.set('readKey', keyOf(people.editor, 'Read', [restricted]));
  app.callers.set('executeKey', keyOf(people.editor, 'Execute', [restricted]));
  app.callers.set('adminKey', keyOf(people.admin, 'Execute', null));
  return { open, restricted };
}

async function addQuery(database: Database, projectId: number, name: string, dataSourceId: number) {
  const { rows } = await database.query<{ id: number }>(
    'insert into svc.queries (project_id, name) values ($1, $2) returning id',
    [projectId, name],
  );
  await database.query(
    "insert into svc.query_steps (query_id, step_order, data_source_id, sql) values ($1, 1, $2, 'select 1')",
    [rows[0]?.id, dataSourceId],
  );
  return rows[0]?.id;
}
