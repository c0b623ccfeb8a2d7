import { createConnectors } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import { hasMariaDb, startMariaDb, type TestMariaDb } from '@svc/testkit/database/mariadb.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type MariaDbSession,
  openMariaDbSession,
} from '../../../../connectors/src/testing/mariadb-session.ts';
import type { DataSourceTarget } from '../run-sql/index.ts';
import { type CopyData, type CopyRequest, createCopyData, UnsettledCopy } from './index.ts';
import { copyRefusalOf, createHooks, createRequests } from './testing.ts';

let maria: TestMariaDb;
let admin: MariaDbSession;
let postgres: pg.Client;
let copyData: CopyData;
let request: (change?: Partial<CopyRequest>) => CopyRequest;
let destination: DataSourceTarget;
let source: DataSourceTarget;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (!hasMariaDb()) return;
  maria = await startMariaDb();
  admin = await openMariaDbSession(maria.socketPath);
  await admin.query('create database dst character set utf8mb4');
  const database = await createEmptyDatabase();
  postgres = new pg.Client(database.connection);
  await postgres.connect();
  const postgresDial = databaseDial(database.connection);
  const connectors = createConnectors();
  copyData = createCopyData({
    connectors,
    ownDatabases: [],
    dial: (target, options) =>
      target.host === maria.host ? maria.dial(target, options) : postgresDial(target, options),
  });
  source = {
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
  destination = {
    id: 'destination',
    engine: 'MySQL',
    connection: { host: maria.host, port: 3306, ...login },
  };
  request = createRequests(source, destination, 'select * from t order by 1');
  closing.push(
    () => connectors.close(),
    () => postgres.end(),
    () => database.drop(),
    () => admin.end(),
    () => maria.stop(),
  );
}, 120_000);
afterAll(async () => {
  for (const close of closing) await close();
});

const texts = async (sql: string): Promise<string[]> => {
  const [rows] = await admin.query({ sql, rowsAsArray: true });
  return (rows as unknown[][]).map((row) => row.map(String).join('|'));
};
const leftovers = () =>
  texts("select table_name from information_schema.tables where table_name like 'svc\\_staging%'");
const run = (change: Partial<CopyRequest> = {}) => copyData.run(request(change), createHooks().hooks);
const refusal = (change: Partial<CopyRequest> = {}) => copyRefusalOf(run(change));

async function tables(source: string, target: string): Promise<void> {
  for (const name of await leftovers()) await admin.query(`drop table dst.${name}`);
  await postgres.query(`drop table if exists t; ${source}`);
  await admin.query(`drop table if exists dst.t; ${target}`);
}

describe.skipIf(!hasMariaDb())('a copy into MariaDB', () => {
  beforeEach(() =>
    tables(
      `create table t (id int, name text); insert into t values (1, 'one'), (2, 'Two'), (3, 'three')`,
      `create table dst.t (id int primary key, name varchar(20));
        insert into dst.t values (2, 'two'), (3, 'three'), (4, 'four')`,
    ),
  );

  it.each([
    [
      'Upsert',
      { inserted: 1, updated: 1, unchanged: 1, deleted: 0 },
      ['1|one', '2|Two', '3|three', '4|four'],
    ],
    ['Sync', { inserted: 1, updated: 1, unchanged: 1, deleted: 1 }, ['1|one', '2|Two', '3|three']],
    ['Truncate', { inserted: 3, updated: 0, unchanged: 0, deleted: 3 }, ['1|one', '2|Two', '3|three']],
  ] as const)(
    'counts its changes in mode %s, including a change of one letter',
    async (mode, counts, rows) => {
      const { outcome, isClean } = await run({
        mode,
        deletedShareMax: 1,
        keyColumns: mode === 'Truncate' ? [] : ['id'],
      });
      expect([outcome?.counts, isClean]).toEqual([counts, true]);
      expect(await texts('select * from dst.t order by id')).toEqual(rows);
      expect(await leftovers()).toEqual([]);
    },
  );

  it('inserts all rows, or none if a row violates a key, and the error contains no value', async () => {
    const { reason, message } = await refusal();
    expect([reason, message]).toEqual(['key-not-unique', expect.stringContaining('PRIMARY')]);
    expect(message).not.toMatch(/\d/);
    expect(await texts('select count(*) from dst.t')).toEqual(['3']);
    await admin.query('delete from dst.t');
    expect((await run()).outcome?.counts.inserted).toBe(3);
    expect(await leftovers()).toEqual([]);
  });

  it('creates a table with the types that the inspection showed, and a trial creates none', async () => {
    const change = { createsTable: true, keyColumns: ['id'], destination: { schema: 'dst', table: 'made' } };
    const { mapping } = await copyData.inspect(request(change), {
      signal: new AbortController().signal,
      timeoutMs: 30_000,
    });
    expect(mapping.map(({ toType }) => toType)).toEqual(['bigint', 'longtext']);
    expect((await run({ ...change, isTrial: true })).outcome?.counts.inserted).toBe(3);
    expect([await leftovers(), await texts("show tables from dst like 'made'")]).toEqual([[], []]);
    expect((await run(change)).outcome?.counts.inserted).toBe(3);
    expect(await texts('select * from dst.made')).toEqual(['1|one', '2|Two', '3|three']);
    expect((await run({ ...change, mode: 'Upsert' })).outcome?.counts.unchanged).toBe(3);
    await admin.query('drop table dst.made');
  });

  it('reports its row counts and changes nothing if it is a trial', async () => {
    const { outcome } = await run({ mode: 'Upsert', keyColumns: ['id'], isTrial: true });
    expect(outcome?.counts).toEqual({ inserted: 1, updated: 1, unchanged: 1, deleted: 0 });
    expect(await texts('select name from dst.t where id = 2')).toEqual(['two']);
    expect(await leftovers()).toEqual([]);
  });

  it.each([
    ['a source without rows', 'delete from t', 'empty-source'],
    ['a source that fails after some rows', 'select', 'source-failed'],
    ['more deletes than allowed', '', 'too-many-deletes'],
    ['two rows with one key', `insert into t values (1, 'again')`, 'key-not-unique'],
  ])('leaves the table unchanged for %s', async (_what, sql, reason) => {
    await postgres.query(sql);
    const failing = 'select n as id, (10 / (n - 5000))::text as name from generate_series(1, 6000) n';
    const refused = await refusal({
      mode: 'Sync',
      keyColumns: ['id'],
      minimumSourceRows: 1,
      ...(reason === 'source-failed' ? { source: { kind: 'Query' as const, sql: failing } } : {}),
    });
    expect(refused.reason).toBe(reason);
    expect(await texts('select * from dst.t order by id')).toEqual(['2|two', '3|three', '4|four']);
    expect(await leftovers()).toEqual([]);
  });

  it('rejects rows one by one, with their number, key and column', async () => {
    await postgres.query(`delete from t; insert into t select n, repeat('x', case n % 700 when 0 then 21 else 2 end)
      from generate_series(1, 2500) n`);
    await admin.query('delete from dst.t; alter table dst.t add check (id <> 1234)');
    const { hooks, told: calls } = createHooks();
    const skipping = { onRejectedRow: 'Skip', mode: 'Upsert', keyColumns: ['id'] } as const;
    const { outcome } = await copyData.run(request(skipping), hooks);
    expect(outcome?.counts.inserted).toBe(2_496);
    expect(calls.rejected.map(({ key, code }) => `${key} ${code}`).sort()).toEqual([
      '1234 check-failed',
      '1400 too-long',
      '2100 too-long',
      '700 too-long',
    ]);
  });

  it('refuses tables without transactions, views and generated columns', async () => {
    const issuesOf = async (table: string) => {
      const copyRequest = request({ destination: { schema: 'dst', table } });
      const call = { signal: new AbortController().signal, timeoutMs: 30_000 };
      return (await copyData.inspect(copyRequest, call)).issues.map(({ code }) => code);
    };
    await admin.query(`create table dst.old (id int, name text) engine = MyISAM;
      create view dst.seen as select * from dst.t;
      create table dst.made (id int, name text as (upper('x')) stored, more int not null)`);
    expect(await issuesOf('old')).toEqual(['not-transactional']);
    expect(await issuesOf('seen')).toContain('not-a-table');
    expect(await issuesOf('made')).toEqual(['column-without-source', 'source-column-unused']);
    expect(await issuesOf('missing')).toEqual(['no-destination']);
    await admin.query('drop table dst.old, dst.made; drop view dst.seen');
  });

  it('names the tables whose rows are deleted or changed with the rows that it deletes', async () => {
    await admin.query(`create table dst.child (id int primary key, parent int,
        foreign key (parent) references dst.t (id) on delete cascade);
      create table dst.grandchild (child int, foreign key (child) references dst.child (id) on delete set null)`);
    const warningsOf = async (mode: CopyRequest['mode']) => {
      const call = { signal: new AbortController().signal, timeoutMs: 30_000 };
      const { issues } = await copyData.inspect(request({ mode, keyColumns: ['id'] }), call);
      return issues.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
    };
    const warnings = (mode: string) => [
      `Warning cascade: ${mode} deletes rows: rows of dst.child that refer to them are deleted as well.`,
      `Warning cascade: ${mode} deletes rows: rows of dst.grandchild that refer to them are changed as well.`,
    ];
    expect(await warningsOf('Truncate')).toEqual(warnings('Truncate'));
    expect(await warningsOf('Sync')).toEqual(warnings('Sync'));
    expect(await warningsOf('Upsert')).toEqual([]);
    await admin.query('drop table dst.grandchild, dst.child');
  });

  it('names the privileges that the login lacks', async () => {
    await admin.query(
      "create user reader@localhost identified by 'pw'; grant select on dst.* to reader@localhost",
    );
    const { connection } = destination;
    const copyRequest = request({
      destinationDataSource: {
        ...destination,
        connection: Object.assign({}, connection, { user: 'reader', password: 'pw' }),
      },
    });
    const call = { signal: new AbortController().signal, timeoutMs: 30_000 };
    const { issues } = await copyData.inspect(copyRequest, call);
    expect(issues.map(({ code, message }) => `${code} ${message}`)).toEqual(
      ['CREATE', 'DROP', 'ALTER', 'INSERT'].map(
        (privilege) => `missing-privilege The login of the destination lacks ${privilege} on the schema.`,
      ),
    );
  });
});

describe.skipIf(!hasMariaDb())('a copy into MariaDB that is resumed after a crash', () => {
  beforeEach(() =>
    tables(
      'create table t (id int); insert into t select generate_series(1, 50)',
      'create table dst.t (id int primary key)',
    ),
  );

  const mark = (name: string, row: string) =>
    admin.query(`create table dst.${name} like dst.t;
      create table dst.${name}_m (id int primary key, is_committed int not null); ${row}`);
  const again = (earlier: string) => request({ earlierStagingNames: [earlier], mayHaveCommitted: true });
  const resumed = async (earlier: CopyRequest) => {
    const { hooks, told: calls } = createHooks();
    const end = await copyData.run(again(earlier.stagingName), hooks);
    return [
      end.outcome?.counts.inserted ?? null,
      calls.committed,
      ...(await texts('select count(*) from dst.t')),
    ];
  };

  it('starts again if the earlier attempt had not committed, even after an earlier check', async () => {
    const first = request();
    await mark(first.stagingName, '');
    expect(await resumed(first)).toEqual([50, 1, '50']);
    expect(await leftovers()).toEqual([]);
    await admin.query('delete from dst.t');
    const looked = request();
    await mark(
      looked.stagingName,
      `insert into dst.${looked.stagingName}_m values (1, 0);
      rename table dst.${looked.stagingName} to dst.${looked.stagingName}_x`,
    );
    expect(await resumed(looked)).toEqual([50, 1, '50']);
    expect(await leftovers()).toEqual([]);
  });

  it('copies nothing if the earlier attempt had committed, shown by its row or by the renamed table', async () => {
    const first = request();
    await mark(first.stagingName, `insert into dst.${first.stagingName}_m values (1, 1)`);
    expect(await resumed(first)).toEqual([null, 1, '0']);
    const named = request();
    await mark(named.stagingName, `drop table dst.${named.stagingName}`);
    expect(await resumed(named)).toEqual([null, 1, '0']);
    const call = { signal: new AbortController().signal, timeoutMs: 10_000 };
    const stagingNames = [first.stagingName, named.stagingName];
    await copyData.dropStaging(destination, { schema: 'dst', stagingNames }, call);
    expect(await leftovers()).toEqual([]);
  });

  it('reports no outcome until the open transaction of the earlier attempt has ended', async () => {
    const first = request();
    await mark(first.stagingName, '');
    const other = await openMariaDbSession(maria.socketPath, 'dst');
    await other.beginTransaction();
    await other.query(`insert into ${first.stagingName}_m values (1, 1)`);
    await other.query('insert into t values (1)');
    await expect(copyData.run(again(first.stagingName), createHooks().hooks)).rejects.toThrow(UnsettledCopy);
    await other.commit();
    await other.end();
    expect(await resumed(first)).toEqual([null, 1, '1']);
  });

  it('prevents a slow earlier process from committing', async () => {
    const slow = request({ mode: 'Truncate' });
    const { hooks } = createHooks();
    const losing = copyData.run(slow, {
      ...hooks,
      onStage: async (stage) => {
        if (stage !== 'Applying') return;
        expect(await resumed(slow)).toEqual([50, 1, '50']);
      },
    });
    expect((await copyRefusalOf(losing)).reason).toMatch(/schema-changed|destination-failed/);
    expect(await texts('select count(*) from dst.t')).toEqual(['50']);
    expect(await leftovers()).toEqual([]);
  });
});

/** Source type, source value, destination type and stored value. Null: the row is rejected. */
const hostile: readonly (readonly [string, string, string, string | null])[] = [
  ['text', `E'it''s \\\\ \\t\\n"q" \\x01 🙂'`, 'text', `it's \\ \t\n"q" \x01 🙂`],
  ['text', `'trailing   '`, 'varchar(20)', 'trailing   '],
  ['text', `'trailing '`, 'char(20)', null],
  ['text', `'12345  '`, 'varchar(5)', null],
  ['text', `'🙂'`, 'varchar(5) character set utf8mb3', null],
  ['text', `'A'`, `enum('a', 'b')`, null],
  ['text', `'2'`, `enum('a', 'b')`, null],
  ['text', `'b'`, `enum('a', 'b')`, 'b'],
  [
    'numeric',
    '12345678901234567890123456789.012345678',
    'decimal(38, 9)',
    '12345678901234567890123456789.012345678',
  ],
  ['numeric', '0.0000000001', 'decimal(38, 9)', null],
  ['numeric', `'NaN'`, 'decimal(10, 2)', null],
  ['bigint', '9223372036854775807', 'bigint', '9223372036854775807'],
  ['int', '-1', 'int unsigned', null],
  ['int', '70', 'year', null],
  ['int', '300', 'tinyint', null],
  ['int', '0', 'int auto_increment primary key', '0'],
  ['double precision', '0.30000000000000004', 'double', '0.30000000000000004'],
  ['double precision', '0.1', 'float', '0.1'],
  ['double precision', '0.123456789', 'float', null],
  ['double precision', `'Infinity'`, 'double', null],
  ['double precision', `'NaN'`, 'double', null],
  ['date', `'2024-02-29'`, 'date', '2024-02-29'],
  ['date', `'infinity'`, 'date', null],
  ['date', `'0044-03-15 BC'`, 'date', null],
  ['date', `'10000-01-01'`, 'date', null],
  ['timestamp', `'2024-02-29 23:59:59.123456'`, 'datetime(6)', '2024-02-29 23:59:59.123456'],
  ['timestamp', `'2024-02-29 23:59:59.123456'`, 'datetime(3)', null],
  ['timestamptz', `'2024-06-01 12:00:00+02'`, 'timestamp', '2024-06-01 10:00:00'],
  ['timestamptz', `'2024-06-01 12:00:00+02'`, 'datetime', '2024-06-01 10:00:00'],
  ['timestamptz', `'2050-01-01 00:00:00+00'`, 'timestamp', null],
  ['timestamp', `'-infinity'`, 'datetime', null],
  ['bytea', `'\\x00ff27'`, 'blob', '00FF27'],
  ['bytea', `'\\x00ff'`, 'binary(3)', null],
  ['boolean', 'true', 'tinyint(1)', '1'],
  ['bigint', '5', 'bit(8)', '5'],
  ['text', `E'a\\tb\\nc\\r\\\\N'`, 'text', 'a\tb\nc\r\\N'],
  ['text', `'NULL'`, 'text', 'NULL'],
  ['text', `''`, 'text', ''],
];

describe.skipIf(!hasMariaDb()).each([
  ['by LOAD DATA LOCAL', 1],
  ['by INSERT if the server refuses LOCAL', 0],
])('values on their way into MariaDB %s', (_how, allowed) => {
  beforeAll(async () => void (await admin.query(`set global local_infile = ${allowed}`)));
  afterAll(async () => void (await admin.query('set global local_infile = 1')));

  it('arrive exactly once in a copy of 12,000 rows', async () => {
    await tables(
      `create table t as select n, repeat('x', n % 50) as name from generate_series(1, 12000) n`,
      'create table dst.t (n int primary key, name text)',
    );
    const loaded = async () => {
      const [count] = await texts(
        "select variable_value from information_schema.global_status where variable_name = 'Com_load'",
      );
      return Number(count);
    };
    const before = await loaded();
    expect((await run()).outcome?.counts.inserted).toBe(12_000);
    expect(await texts('select count(*), sum(n), sum(length(name)) from dst.t')).toEqual([
      '12000|72006000|294000',
    ]);
    expect((await loaded()) > before).toBe(allowed === 1);
  });

  it.each(hostile)('are exact or rejected: %s %s into %s', async (sourceType, value, type, expected) => {
    await tables(
      `create table t (v ${sourceType}); insert into t values (${value})`,
      `create table dst.t (v ${type})`,
    );
    const { hooks, told: calls } = createHooks();
    const { outcome } = await copyData.run(request({ onRejectedRow: 'Skip' }), hooks);
    const shown = type === 'blob' ? 'hex(v)' : type === 'bit(8)' ? 'v + 0' : 'v';
    const stands = await texts(`select ${shown} from dst.t`);
    expect([stands, calls.rejected.length, outcome?.counts.inserted]).toEqual(
      expected === null ? [[], 1, 0] : [[expected], 0, 1],
    );
  });
});

describe.skipIf(!hasMariaDb())('a copy from MariaDB into PostgreSQL', () => {
  const columns = 'id bigint unsigned primary key, bits bit(64), at time(3), y year';
  const values =
    "18446744073709551615, b'1111111111111111111111111111111111111111111111111111111111111111', '838:59:59.999', 2024";

  it('creates a table whose types have the whole range of the source', async () => {
    await tables(
      'create table t (id int)',
      `create table dst.t (${columns}); insert into dst.t values (${values})`,
    );
    await postgres.query('create schema if not exists made');
    const back = createRequests(source, destination, 'select * from t');
    const change = {
      dataSource: destination,
      destinationDataSource: source,
      createsTable: true,
      keyColumns: ['id'],
      destination: { schema: 'made', table: 'wide' },
    };
    const definition = back(change);
    const call = { signal: new AbortController().signal, timeoutMs: 30_000 };
    const { mapping, issues } = await copyData.inspect(definition, call);
    expect(mapping.map(({ toType }) => toType)).toEqual(['numeric', 'numeric', 'text', 'bigint']);
    expect(issues.filter(({ severity }) => severity === 'Error')).toEqual([]);
    expect((await copyData.run(definition, createHooks().hooks)).outcome?.counts.inserted).toBe(1);
    const { rows } = await postgres.query('select id::text, bits::text, at, y from made.wide');
    expect(rows).toEqual([
      { id: '18446744073709551615', bits: '18446744073709551615', at: '838:59:59.999', y: '2024' },
    ]);
  });

  it.each([
    ['id bigint', 'id', 'out-of-range'],
    ['"id, y: 1" bigint', 'id, y: 1', 'out-of-range'],
    ['id numeric(3)', 'id', 'out-of-range'],
  ] as const)(
    'names the row, the column and the error code of a value that does not fit into %s',
    async (column, name, code) => {
      await tables(
        'create table t (id int)',
        'create table dst.t (id bigint unsigned); insert into dst.t values (1), (18446744073709551615)',
      );
      await postgres.query(`create schema if not exists made; drop table if exists made.narrow;
      create table made.narrow (${column})`);
      const back = createRequests(source, destination, 'select * from t order by 1');
      const definition = back({
        dataSource: destination,
        destinationDataSource: source,
        columns: [{ from: 'id', to: name }],
        destination: { schema: 'made', table: 'narrow' },
      });
      const { reason, message } = await copyRefusalOf(copyData.run(definition, createHooks().hooks));
      expect(reason).toBe('rejected-rows');
      expect(message).toContain(`(row 2, column ${name}: ${code})`);
      expect(message).not.toContain('18446744073709551615');
    },
  );
});
