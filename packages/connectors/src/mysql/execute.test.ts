import { hasMariaDb, startMariaDb, type TestMariaDb } from '@svc/testkit/database/mariadb.ts';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecuteOptions, ResultStream, Statement } from '../port.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createMysqlConnector } from './index.ts';

const connector = createMysqlConnector();
let server: TestMariaDb;
let admin: mysql.Connection;
let options: ExecuteOptions;

describe.skipIf(!hasMariaDb())('MariaDB', () => {
  beforeAll(async () => {
    server = await startMariaDb();
    options = {
      dial: server.dial,
      signal: new AbortController().signal,
      timeoutMs: 110_000,
      maxRows: 2_000_000,
      maxBytes: 1_000_000_000,
      maxCellBytes: 1_000_000,
    };
    admin = await mysql.createConnection({
      socketPath: server.socketPath,
      user: 'root',
      multipleStatements: true,
    });
    await admin.query(`create database shop character set utf8mb4; use shop;
      create user reader identified by 'secret'; grant select on shop.* to reader;
      create user writer identified by 'secret'; grant select, insert on shop.* to writer`);
  });

  afterAll(async () => {
    await admin.end();
    await server.stop();
  });

  const connection = (change: object = {}) => ({
    host: server.host,
    port: 3306,
    database: 'shop',
    user: 'reader',
    password: 'secret',
    tlsMode: 'Disable' as const,
    ...change,
  });
  const execute = (
    statement: string | Statement,
    change: Partial<ExecuteOptions> = {},
  ): Promise<ResultStream> =>
    connector.execute(connection(), typeof statement === 'string' ? { sql: statement } : statement, {
      ...options,
      ...change,
    });

  it('returns every kind of value exactly', async () => {
    await admin.query(`create table kinds (
        tiny tinyint, large bigint unsigned, d decimal(30, 2), e decimal(10, 2), f float, g double, day date,
        at datetime(3), stamp timestamp(6) null, t time, y year, bits bit(9), bytes varbinary(10), words text, j json, n int);
      set time_zone = '+02:00';
      insert into kinds values (-1, 18446744073709551615, 12345678901234567890.12, 1.50, 0.1, 0.1, '2024-02-29',
        '2024-02-29 12:30:00.5', '2024-02-29 12:30:00', '-100:00:01', 2024, b'100000001', x'00ff', 'é🙂',
        '{"a":12345678901234567890}', null)`);
    const result = await execute('select * from kinds');
    expect(result.columns.map((column) => column.kind).join(' ')).toBe(
      'integer integer decimal decimal float float date timestamp timestamptz time integer integer binary text json integer',
    );
    expect(await rowsOf(result)).toEqual([
      [
        -1,
        '18446744073709551615',
        '12345678901234567890.12',
        1.5,
        0.1,
        0.1,
        '2024-02-29',
        '2024-02-29T12:30:00.500',
        '2024-02-29T10:30:00.000000Z',
        '-100:00:01',
        2024,
        257,
        '00ff',
        'é🙂',
        '{"a":12345678901234567890}',
        null,
      ],
    ]);
  });

  it('names the columns of an empty result and the origins of unchanged columns', async () => {
    await admin.query('create table origin_test (id int, email varchar(50))');
    const result = await execute('select email as alias, id + 1 as next from origin_test', {
      wantOrigins: true,
    });
    expect(result.columns.map(({ name, origin }) => ({ name, origin }))).toEqual([
      { name: 'alias', origin: { column: 'email' } },
      { name: 'next', origin: null },
    ]);
    expect(await rowsOf(result)).toEqual([]);
  });

  it('binds values as parameters, outside the text', async () => {
    const result = await execute({
      sql: 'select concat(?, 1) as s, ? + 1 as n, ? as b, ? as at from (select 1 union select 2) as t limit ?',
      values: [
        { type: 'String', value: "'; drop table x --" },
        { type: 'Number', value: '41' },
        { type: 'Boolean', value: false },
        { type: 'DateTime', value: '2024-02-29T12:30:00.000Z' },
        { type: 'Number', value: '1' },
      ],
    });
    expect(await rowsOf(result)).toEqual([["'; drop table x --1", 42, 0, '2024-02-29 12:30:00.000']]);
  });

  it('treats bound numbers as decimals and integers, never as doubles', async () => {
    await admin.query(`create table exact_numbers (id bigint unsigned, amt decimal(20,2));
      insert into exact_numbers values (9007199254740992, 1.10), (9007199254740993, 2.20), (18446744073709551615, 3.30)`);
    const read = async (sql: string, ...numbers: string[]) => {
      const result = await execute({ sql, values: numbers.map((value) => ({ type: 'Number', value })) });
      const rows = await rowsOf(result);
      return { kinds: result.columns.map(({ kind }) => kind), texts: rows.map((row) => row.map(String)) };
    };
    const gross = 'select amt * ? as gross, amt + ? as more from exact_numbers order by id limit ?';
    expect(await read(gross, '1.1', '12345678901234567890.5', '2')).toEqual({
      kinds: ['decimal', 'decimal'],
      texts: [
        [expect.stringMatching(/^1\.210?$/), expect.stringMatching(/^12345678901234567891\.60?$/)],
        [expect.stringMatching(/^2\.420?$/), expect.stringMatching(/^12345678901234567892\.70?$/)],
      ],
    });
    const rows = await read(
      'select amt * ? as a, ? as b from exact_numbers where id = ?',
      '2',
      '3',
      '9007199254740993',
    );
    expect(rows.kinds).toEqual(['decimal', 'integer']);
    expect(rows.texts).toHaveLength(1);
    expect(
      (await read('select id from exact_numbers where id > ?', '9007199254740992.5')).texts,
    ).toHaveLength(2);
    const largest = await read(
      'select ? as a from exact_numbers where id = ?',
      '18446744073709551615',
      '18446744073709551615',
    );
    expect(largest.texts).toEqual([['18446744073709551615']]);
    const power = await read('select ? as a, ? as b', '1.5e3', '-2.5E-3');
    expect(power).toEqual({ kinds: ['integer', 'decimal'], texts: [['1500', '-0.0025']] });
    const tooLong = await errorOf(execute({ sql: 'select ?', values: [{ type: 'Number', value: '1e70' }] }));
    expect(tooLong).toMatchObject({
      code: 'statement-failed',
      message: expect.stringContaining('too many digits'),
    });
  });

  it('streams a million rows', async () => {
    await admin.query('create table million as select seq from seq_1_to_1000000');
    const result = await execute("select seq, concat('row ', seq) as t from million");
    let count = 0;
    for await (const batch of result.batches) count += batch.rowCount;
    expect(count).toBe(1_000_000);
  });

  it('fails if there is one row more than the limit, and succeeds at the limit', async () => {
    const sql = 'select seq from seq_1_to_50';
    expect(await rowsOf(await execute(sql, { maxRows: 50 }))).toHaveLength(50);
    expect(await errorOf(execute(sql, { maxRows: 49 }).then(rowsOf))).toMatchObject({
      code: 'too-many-rows',
    });
  });

  it('refuses one enormous value, and a result with too many bytes, before collecting them', async () => {
    const before = process.memoryUsage().rss;
    const sql = "select repeat('x', 200000000)";
    expect(await errorOf(execute(sql).then(rowsOf))).toMatchObject({ code: 'value-too-large' });
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    const many = "select repeat('x', 10000) from seq_1_to_1000";
    expect(await errorOf(execute(many, { maxBytes: 1_000_000 }).then(rowsOf))).toMatchObject({
      code: 'too-many-bytes',
    });
  });

  it('stops the statement at the server at the time limit and when the caller cancels', async () => {
    const endless =
      'select count(*) from seq_1_to_1000000 as a, seq_1_to_1000000 as b where a.seq + b.seq = 7.5';
    expect(await errorOf(execute(endless, { timeoutMs: 300 }).then(rowsOf))).toMatchObject({
      code: 'timed-out',
    });
    const controller = new AbortController();
    const running = execute(endless, { signal: controller.signal }).then(rowsOf);
    setTimeout(() => controller.abort(), 100);
    expect(await errorOf(running)).toMatchObject({ code: 'cancelled' });
    const result = await execute('select a.seq from seq_1_to_1000000 as a, seq_1_to_100 as b');
    for await (const batch of result.batches) {
      expect(batch.rowCount).toBeGreaterThan(0);
      break;
    }
    await expect.poll(connectionsOfReader).toBe(0);
  });

  async function connectionsOfReader(): Promise<number> {
    const [rows] = await admin.query(
      "select count(*) as n from information_schema.processlist where user = 'reader'",
    );
    return Number((rows as { n: number }[])[0]?.n);
  }

  it('returns the position of an error in the text', async () => {
    expect(await errorOf(execute('select 1,\n  missing_column\nfrom dual'))).toMatchObject({
      code: 'statement-failed',
      engineCode: '1054',
      position: { line: 2, column: 3 },
    });
    expect(await errorOf(execute('select 1 +\n from from dual'))).toMatchObject({
      code: 'statement-failed',
      position: { line: 2 },
    });
  });

  it('distinguishes a wrong password, a missing database, a closed port and missing TLS', async () => {
    const attempt = (change: object) =>
      errorOf(connector.execute(connection(change), { sql: 'select 1' }, options));
    expect(await attempt({ password: 'wrong' })).toMatchObject({ code: 'authentication-failed' });
    expect(await attempt({ user: 'root', password: '', database: 'not_there' })).toMatchObject({
      code: 'database-not-found',
    });
    expect(await attempt({ host: '127.0.0.1', port: 1 })).toMatchObject({ code: 'connection-failed' });
    expect(await attempt({ tlsMode: 'Require' })).toMatchObject({ code: 'tls-failed' });
  });

  it('warns about a user with write rights', async () => {
    const test = (change: object) => connector.testConnection(connection(change), options);
    expect(await test({})).toMatchObject({ isOk: true, warnings: [{ code: 'not-encrypted' }] });
    expect(await test({ user: 'writer' })).toMatchObject({ warnings: [{ code: 'may-write' }, {}] });
    expect(await test({ user: 'root', password: '', acceptPrivilegedLogin: true })).toMatchObject({
      warnings: [{ code: 'superuser' }, {}],
    });
  });

  it.each([
    ['grant file on *.* to judged', 'FILE'],
    ['grant process on *.* to judged', 'PROCESS'],
    ['grant super on *.* to judged', 'SUPER'],
    ['grant reload on *.* to judged', 'RELOAD'],
    ['grant all on *.* to judged', 'ALL PRIVILEGES'],
    [
      'create role inner_role; grant file on *.* to inner_role; create role outer_role; grant inner_role to outer_role; grant outer_role to judged',
      'FILE',
    ],
  ])('refuses a login after %s, unless it is accepted or tolerated', async (grants, privilege) => {
    await admin.query(
      `create user judged identified by 'secret'; grant select on shop.* to judged; ${grants}`,
    );
    try {
      const judged = connection({ user: 'judged' });
      const refusal = { code: 'privileged-login', message: expect.stringContaining(privilege) };
      expect(await errorOf(connector.execute(judged, { sql: 'select 1' }, options))).toMatchObject(refusal);
      expect(await errorOf(connector.readMetadata(judged, options))).toMatchObject(refusal);
      expect(await connector.testConnection(judged, options)).toMatchObject({ isOk: false, error: refusal });
      const notes: boolean[] = [];
      const noteLogin = (isPrivileged: boolean) => void notes.push(isPrivileged);
      const tolerated = await connector.execute(judged, { sql: 'select 1' }, { ...options, noteLogin });
      expect(await rowsOf(tolerated)).toEqual([[1]]);
      expect(notes).toEqual([true]);
      const accepted = { ...judged, acceptPrivilegedLogin: true };
      expect(await rowsOf(await connector.execute(accepted, { sql: 'select 1' }, options))).toEqual([[1]]);
    } finally {
      await admin.query('drop user judged; drop role if exists inner_role; drop role if exists outer_role');
    }
  });

  it('accepts logins that have only privileges on data', async () => {
    await admin.query(`create role reading; grant select, show view on shop.* to reading; create user mixed identified by
      'secret'; grant insert, lock tables, show databases, binlog monitor on *.* to mixed; grant reading to mixed`);
    const mixed = connection({ user: 'mixed' });
    expect(await rowsOf(await connector.execute(mixed, { sql: 'select 1' }, options))).toEqual([[1]]);
  });

  it('reads metadata with keys, indexes and comments', async () => {
    await admin.query(`create database meta; create user owner; grant select on meta.* to owner; use meta;
      create table customer (id int primary key, email varchar(50) not null default 'none' comment 'Where to write to')
        comment 'People who buy';
      create table \`order\` (a int, b int, customer_id int, unique both_of (a, b),
        constraint to_customer foreign key (customer_id) references customer (id));
      create view big as select * from \`order\`; use shop`);
    const reader = connection({ user: 'owner', password: '', database: 'meta' });
    const metadata = await connector.readMetadata(reader, options);
    expect(metadata.schemas).toEqual(['meta']);
    expect(metadata.tables.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'big View',
      'customer Table',
      'order Table',
    ]);
    expect(metadata.tables[1]).toMatchObject({
      comment: 'People who buy',
      columns: [
        { name: 'id', databaseType: 'int(11)' },
        { name: 'email', comment: 'Where to write to' },
      ],
      primaryKey: ['id'],
    });
    expect(metadata.tables[2]).toMatchObject({
      foreignKeys: [
        { name: 'to_customer', columns: ['customer_id'], toTable: 'customer', toColumns: ['id'] },
      ],
      indexes: [{ name: 'both_of', isUnique: true, columns: ['a', 'b'] }, { name: 'to_customer' }],
    });
    const cut = await connector.readMetadata(reader, { ...options, maxTables: 1, maxColumnsPerTable: 1 });
    expect(cut).toMatchObject({ areTablesCut: true, areColumnsCut: true });
  });
});
