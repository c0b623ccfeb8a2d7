import { createConnectors } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import { startMariaDb } from '@svc/testkit/database/mariadb.ts';
import pg from 'pg';
import { openMariaDbSession } from '../../../../../connectors/src/testing/mariadb-session.ts';
import type { DataSourceTarget } from '../../run-sql/index.ts';
import { type CopyRequest, createCopyData } from '../index.ts';
import { copyRefusalOf, createHooks, createRequests } from './requests.ts';

export type MariaDbCopies = Awaited<ReturnType<typeof startMariaDbCopies>>;

/** Starts the copy gateway with a source in PostgreSQL and a destination in MariaDB, its database `dst`. */
export async function startMariaDbCopies() {
  const maria = await startMariaDb();
  const admin = await openMariaDbSession(maria.socketPath);
  await admin.query('create database dst character set utf8mb4');
  const database = await createEmptyDatabase();
  const postgres = new pg.Client(database.connection);
  await postgres.connect();
  const postgresDial = databaseDial(database.connection);
  const connectors = createConnectors();
  const copyData = createCopyData({
    connectors,
    ownDatabases: [],
    dial: (target, options) =>
      target.host === maria.host ? maria.dial(target, options) : postgresDial(target, options),
  });
  const source: DataSourceTarget = {
    id: 'source',
    engine: 'PostgreSQL',
    connection: { ...database.connection, host: testHost, tlsMode: 'Disable' },
  };
  const login = {
    user: 'root',
    password: '',
    database: 'dst',
    tlsMode: 'Disable',
    acceptPrivilegedLogin: true,
  };
  const destination: DataSourceTarget = {
    id: 'destination',
    engine: 'MySQL',
    connection: { host: maria.host, port: 3306, ...login },
  };
  const request = createRequests(source, destination, 'select * from t order by 1');

  const texts = async (sql: string): Promise<string[]> => {
    const [rows] = await admin.query({ sql, rowsAsArray: true });
    return (rows as unknown[][]).map((row) => row.map(String).join('|'));
  };
  const leftovers = () =>
    texts("select table_name from information_schema.tables where table_name like 'svc\\_staging%'");
  const run = (change: Partial<CopyRequest> = {}) => copyData.run(request(change), createHooks().hooks);
  return {
    admin,
    /** Opens a further session in `dst`. */
    openSession: () => openMariaDbSession(maria.socketPath, 'dst'),
    postgres,
    copyData,
    request,
    source,
    destination,
    texts,
    leftovers,
    run,
    refusal: (change: Partial<CopyRequest> = {}) => copyRefusalOf(run(change)),
    /** Replaces the table `t` of the source and of the destination. */
    tables: async (sourceSql: string, destinationSql: string): Promise<void> => {
      for (const name of await leftovers()) await admin.query(`drop table dst.${name}`);
      await postgres.query(`drop table if exists t; ${sourceSql}`);
      await admin.query(`drop table if exists dst.t; ${destinationSql}`);
    },
    close: async () => {
      await connectors.close();
      await postgres.end();
      await database.drop();
      await admin.end();
      await maria.stop();
    },
  };
}
