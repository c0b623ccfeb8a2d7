import { existsSync } from 'node:fs';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectorError } from '../error.ts';
import type { ExecuteOptions } from '../port.ts';
import { postgresqlDialect } from '../sql/dialects.ts';
import { withAllGaps, withLongGaps } from '../testing/gaps.ts';
import { refusedOf } from '../testing/read-only-suite.ts';
import { rowsOf } from '../testing/results.ts';
import { postgresqlReads, postgresqlRefused } from '../testing/statements/postgresql.ts';
import { createLoginGuard } from './connection/login.ts';
import { openSession } from './connection/session.ts';
import { createPostgresqlConnector } from './index.ts';

const connector = createPostgresqlConnector();
let database: TestDatabase;
let admin: pg.Client;
let options: ExecuteOptions;

beforeAll(async () => {
  database = await createEmptyDatabase();
  admin = new pg.Client(database.adminConnection);
  await admin.connect();
  await admin.query(`
    create table customer (id int primary key, name text, email text, created date);
    create table orders (id int primary key, customer_id int, amount numeric(10, 2), placed timestamp, status text);
    create sequence counter;
    create function writes_a_row() returns int language sql security definer
      as 'insert into customer (id) values (77) returning id';
    insert into customer values (1, 'Ann', 'ann@example.com', '2024-01-01'), (2, 'Bob', null, '2024-01-02');
    insert into orders values (1, 1, 9.50, '2024-02-01', 'open'), (2, 1, 3, '2024-02-02', 'closed');
    analyze`);
  options = {
    dial: databaseDial(database.connection),
    signal: new AbortController().signal,
    timeoutMs: 110_000,
    maxRows: 100_000,
    maxBytes: 100_000_000,
    maxCellBytes: 1_000_000,
  };
});

afterAll(async () => {
  await admin.end();
  await database.drop();
});

/** Worst case: the role is a superuser, so only the gate and the transaction can refuse. */
const execute = (sql: string) =>
  connector.execute(
    { ...database.adminConnection, host: testHost, tlsMode: 'Disable', acceptPrivilegedLogin: true },
    { sql },
    options,
  );

async function stateOfDatabase(): Promise<unknown> {
  const { rows } = await admin.query(`
    select (select json_agg(c order by id) from customer c) as customers, (select json_agg(o order by id) from orders o) as orders,
      (select json_agg(relname order by oid) from pg_class where oid >= 16384) as relations,
      (select json_agg(proname order by oid) from pg_proc where oid >= 16384) as functions,
      (select json_agg(nspname order by oid) from pg_namespace where nspname !~ '^pg_(toast_)?temp') as schemas,
      (select json_agg(rolname order by oid) from pg_authid) as roles, (select count(*) from pg_largeobject_metadata) as large_objects,
      (select json_agg(last_value) from counter) as counter, (select count(*) from pg_replication_slots) as slots,
      (select count(*) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())) as advisory_locks,
      (select count(*) from pg_description where objoid >= 16384) as comments, (select json_agg(relacl) from pg_class where oid >= 16384) as rights,
      (select count(*) from pg_extension) as extensions, (select count(*) from pg_db_role_setting) as role_settings`);
  return rows[0];
}

describe('read-only access to PostgreSQL', () => {
  it('refuses at least 150 statements that would do more than read, and the database does not change', async () => {
    expect(new Set(postgresqlRefused).size).toBeGreaterThanOrEqual(150);
    const before = await stateOfDatabase();
    const answered: string[] = [];
    for (const sql of postgresqlRefused) {
      try {
        await rowsOf(await execute(sql));
        answered.push(sql);
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error;
      }
    }
    expect(answered).toEqual([]);
    expect(await stateOfDatabase()).toEqual(before);
    expect(['.csv', '-program', '-lo'].filter((end) => existsSync(`/tmp/svc-refused${end}`))).toEqual([]);
  }, 120_000);

  it('writes nothing even without the check of the text, due to the transaction and the protocol', async () => {
    await admin.query(
      'grant all on all tables in schema public to public; grant all on schema public to public',
    );
    const before = await stateOfDatabase();
    const limits = { maxBytes: 1_000_000, maxCellBytes: 100_000 };
    const connection = { ...database.connection, host: testHost, tlsMode: 'Disable' as const };
    // The driver's cursor does not support COPY's messages: COPY with STDIN or STDOUT is omitted.
    const texts = postgresqlRefused.filter((text) => !/copy .* (stdin|stdout)/i.test(text));
    for (const sql of withAllGaps(texts, postgresqlDialect)) {
      const session = await openSession(connection, {
        ...options,
        limits,
        guards: { ownDatabases: [], logins: createLoginGuard() },
      });
      await session.client
        .query(new Cursor(sql))
        .read(10)
        .catch(() => undefined);
      await session.finish();
    }
    expect(await stateOfDatabase()).toEqual(before);
  }, 900_000);

  it('executes at least 100 legitimate reads, also with 64 kB of blanks or comments between tokens', async () => {
    expect(await refusedOf(postgresqlReads, execute)).toEqual([]);
    expect(await refusedOf(withLongGaps(postgresqlReads, postgresqlDialect), execute)).toEqual([]);
  }, 900_000);

  it('leaves no open session', async () => {
    const sessions = () =>
      admin
        .query(
          "select pid from pg_stat_activity where application_name = 'svc' and datname = current_database()",
        )
        .then(({ rowCount }) => rowCount);
    await expect.poll(sessions).toBe(0);
  });

  it('refuses the service’s own database', async () => {
    const { readDatabaseIdentity } = await import('./connection/identity.ts');
    const ownDatabase = await readDatabaseIdentity(admin);
    const guarded = createPostgresqlConnector({ ownDatabases: [ownDatabase] });
    const connection = { ...database.connection, host: testHost, tlsMode: 'Disable' as const };
    await expect(guarded.execute(connection, { sql: 'select 1' }, options)).rejects.toMatchObject({
      code: 'own-database',
    });
    expect(await guarded.testConnection(connection, options)).toMatchObject({
      error: { code: 'own-database' },
    });
    const other = { ...connection, database: 'postgres' };
    expect(await rowsOf(await guarded.execute(other, { sql: 'select 1' }, options))).toEqual([[1]]);
  });
});
