import type { Dial } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import { startMariaDb } from '@svc/testkit/database/mariadb.ts';
import pg from 'pg';
import { openMariaDbSession } from '../../../../../connectors/src/testing/mariadb-session.ts';
import type { DataSourceTarget } from '../../run-sql/index.ts';

/** A destination database, with direct access that does not use the gateway. */
export type Place = {
  readonly source: DataSourceTarget;
  readonly destination: DataSourceTarget;
  readonly dial: Dial;
  /** Runs statements at the destination. */
  readonly run: (sql: string) => Promise<void>;
  /** Returns the first column, as texts. */
  readonly texts: (sql: string) => Promise<string[]>;
  /** Ends the sessions that copies have at the source or at the destination. */
  readonly endSessions: (side: 'source' | 'destination') => Promise<void>;
  readonly leftovers: () => Promise<string[]>;
  readonly close: () => Promise<void>;
};

type PostgresPlace = Place & { readonly endOwn: () => Promise<void> };

export async function startPostgres(): Promise<PostgresPlace> {
  const database = await createEmptyDatabase();
  const other = await createEmptyDatabase();
  const admin = new pg.Client(database.adminConnection);
  await admin.connect();
  const owner = pg.escapeIdentifier(database.connection.user);
  await admin.query(`create schema dst authorization ${owner}`);
  const user = new pg.Client(database.connection);
  await user.connect();
  const dial = databaseDial(database.connection);
  const target = (id: string, { connection }: typeof database): DataSourceTarget => ({
    id,
    engine: 'PostgreSQL',
    connection: { ...connection, host: testHost, tlsMode: 'Disable' },
  });
  const end = async (name: string) => {
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'svc'`,
      [name],
    );
  };
  const { database: ownName } = database.connection;
  const { database: otherName } = other.connection;
  const texts = async (sql: string) =>
    (await user.query({ text: sql, rowMode: 'array' })).rows.map(([value]) => String(value));
  return {
    source: target('source', other),
    destination: target('destination', database),
    dial,
    texts,
    run: async (sql) => void (await user.query(sql)),
    endSessions: (side) => end(side === 'source' ? otherName : ownName),
    endOwn: () => end(otherName),
    leftovers: () =>
      texts("select relname from pg_class where relname like 'svc\\_staging%' and relkind = 'r'"),
    close: async () => {
      await user.end();
      await admin.end();
      await database.drop();
      await other.drop();
    },
  };
}

export async function startMaria(postgres: PostgresPlace): Promise<Place> {
  const server = await startMariaDb();
  const admin = await openMariaDbSession(server.socketPath);
  await admin.query('create database dst character set utf8mb4');
  const texts = async (sql: string) => {
    const [rows] = await admin.query({ sql, rowsAsArray: true });
    return (rows as unknown[][]).map(([value]) => String(value));
  };
  const login = {
    user: 'root',
    password: '',
    database: 'dst',
    tlsMode: 'Disable',
    acceptPrivilegedLogin: true,
  };
  return {
    source: postgres.source,
    destination: { id: 'maria', engine: 'MySQL', connection: { host: server.host, port: 3306, ...login } },
    dial: (target, options) =>
      target.host === server.host ? server.dial(target, options) : postgres.dial(target, options),
    texts,
    run: async (sql) => void (await admin.query(sql)),
    endSessions: async (side) => {
      if (side === 'source') return postgres.endOwn();
      const sessions = await texts(
        'select id from information_schema.processlist where id <> connection_id() and db is not null',
      );
      // The session may have ended in the meantime.
      for (const id of sessions) await admin.query(`kill ${id}`).catch(() => undefined);
    },
    leftovers: () =>
      texts("select table_name from information_schema.tables where table_name like 'svc\\_staging%'"),
    close: async () => {
      await admin.end();
      await server.stop();
    },
  };
}
