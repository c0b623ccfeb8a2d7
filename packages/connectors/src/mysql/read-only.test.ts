import { readdirSync } from 'node:fs';
import { hasMariaDb, startMariaDb, type TestMariaDb } from '@svc/testkit/database/mariadb.ts';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectorError } from '../error.ts';
import type { ExecuteOptions } from '../port.ts';
import { createRowQueue } from '../row-queue.ts';
import { mysqlDialect } from '../sql/dialects.ts';
import { withAllGaps, withLongGaps } from '../testing/gaps.ts';
import { answeredOf, refusedOf } from '../testing/read-only-suite.ts';
import { rowsOf } from '../testing/results.ts';
import { mysqlReads, mysqlRefused } from '../testing/statements/mysql.ts';
import { createMysqlConnector } from './index.ts';
import { startPrepared } from './prepared.ts';
import { openSession } from './session.ts';

/** Modes in which the server reads quotes, backslashes or blanks differently. */
const foreignModes = [
  'ANSI',
  'ORACLE',
  'DB2',
  'MSSQL',
  'POSTGRESQL',
  'MAXDB',
  'ANSI_QUOTES',
  'NO_BACKSLASH_ESCAPES',
  'IGNORE_SPACE',
  'PIPES_AS_CONCAT',
  'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT',
  '',
];
/** Statements that call LOAD_FILE if double quotes delimit a name, or if a backslash does not escape. */
const quotedReads = [
  `select 1 as "\\", load_file('/etc/passwd') as "\\"`,
  `select '\\', load_file("/etc/passwd"), '\\'`,
  `select "a\\" , load_file('/etc/passwd') -- "`,
];
const onlyRefusals = (error: unknown) => {
  if (!(error instanceof ConnectorError)) throw error;
  return error.message;
};
const connector = createMysqlConnector();
let server: TestMariaDb;
let admin: mysql.Connection;
let options: ExecuteOptions;

describe.skipIf(!hasMariaDb())('read-only access to MariaDB', () => {
  beforeAll(async () => {
    server = await startMariaDb();
    admin = await mysql.createConnection({
      socketPath: server.socketPath,
      user: 'root',
      multipleStatements: true,
    });
    await admin.query(`
      create database shop character set utf8mb4; use shop;
      create table customer (id int primary key, name varchar(50), email varchar(50), created date);
      create table orders (id int primary key, customer_id int, amount decimal(10, 2), placed datetime, status varchar(10));
      create table plain (i int) engine = MyISAM;
      create sequence counter;
      create function writes_a_row() returns int modifies sql data begin insert into plain values (1); return 1; end;
      create procedure clean_customers() delete from customer;
      create user reader;
      insert into customer values (1, 'Ann', 'ann@example.com', '2024-01-01'), (2, 'Bob', null, '2024-01-02');
      insert into orders values (1, 1, 9.50, '2024-02-01', 'open'), (2, 1, 3, '2024-02-02', 'closed')`);
    options = {
      dial: server.dial,
      signal: new AbortController().signal,
      timeoutMs: 110_000,
      maxRows: 100_000,
      maxBytes: 100_000_000,
      maxCellBytes: 1_000_000,
    };
  });

  afterAll(async () => {
    await admin.end();
    await server.stop();
  });

  /** Worst case: the user has every privilege. */
  const execute = (sql: string) =>
    connector.execute(
      {
        host: server.host,
        port: 3306,
        database: 'shop',
        user: 'root',
        password: '',
        tlsMode: 'Disable',
        acceptPrivilegedLogin: true,
      },
      { sql },
      options,
    );

  async function stateOfServer(): Promise<unknown> {
    const [rows] = await admin.query(`
      select * from shop.customer order by id; select * from shop.orders order by id; select count(*) from shop.plain;
      select table_schema, table_name, table_comment from information_schema.tables order by 1, 2;
      select * from information_schema.columns where table_schema = 'shop' order by table_name, ordinal_position;
      select user, host from mysql.global_priv order by 1; select next_not_cached_value from shop.counter;
      select schema_name, default_character_set_name from information_schema.schemata order by 1;
      select routine_name from information_schema.routines order by 1; select @@global.max_connections;
      select plugin_name from information_schema.plugins order by 1`);
    return rows;
  }

  it('refuses at least 150 statements that would do more than read, and the server state does not change', async () => {
    const before = await stateOfServer();
    expect(await answeredOf(mysqlRefused, execute)).toEqual([]);
    expect(await stateOfServer()).toEqual(before);
    expect(readdirSync('/tmp').filter((name) => name.startsWith('svc-refused-mysql'))).toEqual([]);
  }, 900_000);

  it('changes nothing even without the check of the text, due to transaction, protocol and preparation', async () => {
    await admin.query('create user writer; grant all on shop.* to writer');
    const before = await stateOfServer();
    const limits = { maxBytes: 1_000_000, maxCellBytes: 100_000 };
    const base = { host: server.host, port: 3306, database: 'shop', user: 'writer', password: '' };
    const texts = mysqlRefused.filter((text) => !/sleep|benchmark|_wait\(/.test(text));
    for (const sql of withAllGaps(texts, mysqlDialect)) {
      const session = await openSession({ ...base, tlsMode: 'Disable' }, { ...options, limits });
      const queue = createRowQueue({
        pause: () => undefined,
        resume: () => undefined,
        receivedBytes: () => 0,
      });
      const started = startPrepared(session.client, { sql }, queue);
      await Promise.race([started, session.lost]).catch(() => undefined);
      await session.finish();
    }
    expect(await stateOfServer()).toEqual(before);
  }, 900_000);

  it('executes at least 100 legitimate reads, also with 64 kB of blanks or comments between tokens', async () => {
    expect(await refusedOf(mysqlReads, execute)).toEqual([]);
    expect(await refusedOf(withLongGaps(mysqlReads, mysqlDialect), execute)).toEqual([]);
  }, 900_000);

  it.each(foreignModes)(
    'reads a text in the same way as the gate if the server has the mode %s',
    async (mode) => {
      const [[before]] = await admin.query<mysql.RowDataPacket[]>('select @@global.sql_mode as mode');
      await admin.query('set global sql_mode = ?', [mode]);
      try {
        const state = await stateOfServer();
        expect(await answeredOf(mysqlRefused, execute)).toEqual([]);
        expect(await stateOfServer()).toEqual(state);
        for (const sql of quotedReads) {
          const rows = await execute(sql).then(rowsOf).catch(onlyRefusals);
          expect(JSON.stringify(rows), sql).not.toContain('root:');
        }
        expect(await rowsOf(await execute("select \"a\", 'b\\'c', abs (-1)"))).toEqual([['a', "b'c", 1]]);
      } finally {
        await admin.query('set global sql_mode = ?', [before?.['mode']]);
      }
    },
    900_000,
  );

  it('leaves no open connection', async () => {
    const connections = async () => {
      const [rows] = await admin.query(
        'select count(*) as n from information_schema.processlist where id <> connection_id()',
      );
      return Number((rows as { n: number }[])[0]?.n);
    };
    await expect.poll(connections).toBe(0);
  });
});
