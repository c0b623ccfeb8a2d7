import { hasClickhouse, startClickhouse, type TestClickhouse } from '@svc/testkit/database/clickhouse.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BoundValue } from '../bound-value.ts';
import type { ExecuteOptions } from '../port.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createClickhouseConnector } from './index.ts';
import type { ClickhouseConnection } from './settings.ts';

const connector = createClickhouseConnector();
let server: TestClickhouse;
let options: ExecuteOptions;

describe.skipIf(!hasClickhouse())('ClickHouse', () => {
  beforeAll(async () => {
    server = await startClickhouse();
    await server.query('create database shop');
    await server.query(
      "create table customer (id UInt32 comment 'number of the customer', name String, email Nullable(String), created Date default today(), index by_name name type bloom_filter) engine = MergeTree order by (id, name) comment 'Who buys'",
      'shop',
    );
    await server.query(
      "insert into customer values (1, 'Ann', 'ann@example.com', '2024-01-01'), (2, 'Bob', null, '2024-01-02')",
      'shop',
    );
    await server.query('create view names as select name from customer', 'shop');
    options = {
      dial: server.dial,
      signal: new AbortController().signal,
      timeoutMs: 110_000,
      maxRows: 2_000_000,
      maxBytes: 500_000_000,
      maxCellBytes: 1_000_000,
    };
  });
  afterAll(() => server.stop());

  const connectionOf = (change: Partial<ClickhouseConnection> = {}): ClickhouseConnection => ({
    host: server.host,
    port: server.port,
    database: 'shop',
    user: 'default',
    password: '',
    tlsMode: 'Disable',
    ...change,
  });
  const execute = (
    sql: string,
    { values = [], ...change }: Partial<ExecuteOptions> & { values?: readonly BoundValue[] } = {},
    as: Partial<ClickhouseConnection> = {},
  ) => connector.execute(connectionOf(as), { sql, values }, { ...options, ...change });
  const rows = async (...call: Parameters<typeof execute>) => rowsOf(await execute(...call));
  const running = async () =>
    Number(
      await server.query("select count() from system.processes where query not like '%system.processes%'"),
    );

  it('returns columns with their kinds before the rows, also for an empty result', async () => {
    const result = await execute('select id, name, email from customer where id > 5', { wantOrigins: true });
    expect(result.columns).toEqual([
      { name: 'id', kind: 'integer', databaseType: 'UInt32', origin: null },
      { name: 'name', kind: 'text', databaseType: 'String', origin: null },
      { name: 'email', kind: 'text', databaseType: 'Nullable(String)', origin: null },
    ]);
    expect(await rowsOf(result)).toEqual([]);
  });

  it.each([
    ['toUInt64(18446744073709551615)', 'integer', '18446744073709551615'],
    ['toInt64(-9007199254740993)', 'integer', '-9007199254740993'],
    [
      "toInt128('170141183460469231731687303715884105727')",
      'integer',
      '170141183460469231731687303715884105727',
    ],
    [
      "toUInt256('115792089237316195423570985008687907853269984665640564039457584007913129639935')",
      'integer',
      '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    ],
    [
      "toInt256('-57896044618658097711785492504343953926634992332820282019728792003956564819968')",
      'integer',
      '-57896044618658097711785492504343953926634992332820282019728792003956564819968',
    ],
    ['toUInt8(7)', 'integer', 7],
    [
      "toDecimal256('12345678901234567890123456789.123456789012345678', 18)",
      'decimal',
      '12345678901234567890123456789.123456789012345678',
    ],
    ["toDecimal64('1.50', 2)", 'decimal', 1.5],
    ["toFloat32('0.1')", 'float', 0.1],
    ["toFloat64('1.7976931348623157e308')", 'float', 1.797_693_134_862_315_7e308],
    ['nan', 'float', 'NaN'],
    ['inf', 'float', 'Infinity'],
    ['-inf', 'float', '-Infinity'],
    ['true', 'boolean', true],
    ["toDate32('2283-11-11')", 'date', '2283-11-11'],
    ["toDateTime('2024-07-01 12:00:00', 'Asia/Tokyo')", 'timestamptz', '2024-07-01T03:00:00Z'],
    [
      "toDateTime64('2024-10-27 02:30:00.123456789', 9, 'UTC')",
      'timestamptz',
      '2024-10-27T02:30:00.123456789Z',
    ],
    ["toDateTime64('1925-01-01 00:00:00.5', 1, 'Europe/Berlin')", 'timestamptz', '1924-12-31T23:00:00.5Z'],
    ["toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')", 'uuid', '61f0c404-5cb3-11e7-907b-a6006ad3dba0'],
    ["toIPv4('10.1.2.3')", 'text', '10.1.2.3'],
    ["toIPv6('2001:db8::1')", 'text', '2001:db8::1'],
    ["cast('b' as Enum8('a' = 1, 'b' = 2))", 'text', 'b'],
    ["toLowCardinality(toNullable('x'))", 'text', 'x'],
    ['cast(null as Nullable(Int64))', 'integer', null],
    ['null', 'text', null],
    ["'a\\'b\\\\c\\n\\t\"d\" é ✓ /'", 'text', 'a\'b\\c\n\t"d" é ✓ /'],
    ["''", 'text', ''],
    ['[1, 18446744073709551615]', 'json', '[1,18446744073709551615]'],
    ['[[1], []]', 'json', '[[1],[]]'],
    ["array('a/\"]', null)", 'json', '["a/\\"]",null]'],
    ["map('k', toDecimal128('1.10', 2))", 'json', '{"k":1.10}'],
    ["cast((1, 'x') as Tuple(a Int8, b String))", 'json', '{"a":1,"b":"x"}'],
    ["tuple(1, 'x')", 'json', '[1,"x"]'],
    ['[nan]', 'json', '["nan"]'],
    ['toIntervalDay(3)', 'interval', 'P3D'],
    ['toIntervalHour(-2)', 'interval', '-PT2H'],
    ['toIntervalQuarter(1)', 'interval', 'P3M'],
    ["toFixedString('ab', 2)", 'text', 'ab'],
    ['toStartOfDay(toDateTime64(0, 3))', 'timestamptz', '1970-01-01T00:00:00Z'],
    ['(0, 0)::Point', 'json', '[0,0]'],
  ] as const)('returns %s as kind %s with the exact value', async (expression, kind, value) => {
    const result = await execute(`select ${expression} as v, 1 as after`);
    expect(result.columns[0]?.kind).toBe(kind);
    expect(await rowsOf(result)).toEqual([[value, 1]]);
  });

  it('retains trailing zeros of decimals if the caller requests it', async () => {
    expect(await rows("select toDecimal64('1.50', 4)", { decimalsAsText: true })).toEqual([['1.5000']]);
  });

  it.each([
    ['Number', '42'],
    ['Number', '-0.50'],
    ['Number', '12345678901234567890123'],
    ['Number', '0.1234567890123456789'],
    ['String', 'it\'s \\ \t \n "x" {p2:String} é\u0000'],
    ['String', '\\N'],
    ['String', ''],
    ['Date', '2024-02-29'],
    ['DateTime', '2024-02-29T10:11:12.345Z'],
    ['Boolean', true],
    ['Number', null],
    ['String', null],
    ['DateTime', null],
  ] as const)('binds a %s of %j as a value, never as text of the statement', async (type, value) => {
    const bound = { type, value } as BoundValue;
    const sql = `select toString(${connector.dialect.marker(1, bound)}) = ${connector.dialect.marker(2, { type: 'String', value: 'x' })} as same, ${connector.dialect.marker(1, bound)} as v`;
    const [row] = await rows(sql, { values: [bound, { type: 'String', value: 'x' }], decimalsAsText: true });
    const expected = type === 'DateTime' && value !== null ? '2024-02-29T10:11:12.345000Z' : value;
    expect(typeof row?.[1] === 'number' ? String(row[1]) : row?.[1]).toEqual(expected);
  });

  it.each([
    ['1e-7', '0.0000001'],
    ['-.5', '-0.5'],
    ['-0', '0'],
    ['1e60', `1${'0'.repeat(60)}`],
    ['1e-75', `0.${'0'.repeat(74)}1`],
    ['1e-300', 1e-300],
  ])('binds the number %s with its exact value', async (value, cell) => {
    const bound: BoundValue = { type: 'Number', value };
    const sql = `select ${connector.dialect.marker(1, bound)}, toFloat64(1) > ${connector.dialect.marker(1, bound)}`;
    const [row] = await rows(sql, { values: [bound], decimalsAsText: true });
    expect(typeof cell === 'string' ? String(row?.[0]) : row?.[0]).toBe(cell);
  });

  it('accepts a bound number after LIMIT and in comparisons with columns of every number type', async () => {
    const values: BoundValue[] = [
      { type: 'Number', value: '1.5' },
      { type: 'Number', value: '2' },
    ];
    const [fraction, integer] = values.map((value, index) => connector.dialect.marker(index + 1, value));
    expect(
      await rows(
        `select number from numbers(9) where number > ${fraction} and toFloat64(number) > ${fraction} and toDecimal32(number, 1) > ${fraction} order by number limit ${integer}`,
        { values },
      ),
    ).toEqual([[2], [3]]);
  });

  it.each([
    ['selec 1', 'not-a-read', undefined],
    ['select nope from customer', 'statement-failed', { line: 1, column: 8 }],
    ['select 1\nfrom nope', 'statement-failed', { line: 2, column: 6 }],
    ['select "é",\n  1 + from customer where', 'statement-failed', { line: 2 }],
    ['select nofunction(1)', 'statement-failed', { column: 8 }],
    ['select 1 format JSON', 'syntax-refused', { column: 10 }],
    ['select 1 settings max_threads = 7', 'read-only', undefined],
  ] as const)(
    'reports %j as %s, with the message of the engine and the position',
    async (sql, code, position) => {
      const error = await errorOf(execute(sql));
      expect(error.code).toBe(code);
      expect(error.message).not.toMatch(/DB::Exception|version 26/);
      if (position) expect(error.position).toMatchObject(position);
    },
  );

  it('reports an error that occurs in the middle of the rows, without a partial result', async () => {
    const result = await execute(
      "select throwIf(number = 2000000, 'too far'), number from numbers(3000000)",
      { maxRows: 9e6 },
    );
    const error = await errorOf(rowsOf(result));
    expect(error).toMatchObject({ code: 'statement-failed', engineCode: '395' });
    expect(error.message).toContain('too far');
  });

  it('fails when a limit is reached', async () => {
    expect((await errorOf(rows('select number from numbers(100)', { maxRows: 99 }))).code).toBe(
      'too-many-rows',
    );
    expect(
      (await errorOf(rows("select repeat('x', 1000) from numbers(1000)", { maxBytes: 99_000 }))).code,
    ).toBe('too-many-bytes');
    expect((await errorOf(rows("select repeat('x', 2000)", { maxCellBytes: 1_000 }))).code).toBe(
      'value-too-large',
    );
    expect((await errorOf(rows("select repeat('x', 200000)", { maxCellBytes: 1_000 }))).code).toBe(
      'value-too-large',
    );
  });

  it('fails instead of returning a result that a profile would truncate', async () => {
    const error = await errorOf(rows('select number from numbers(1000000)', {}, { user: 'breaking' }));
    expect(error).toMatchObject({ code: 'statement-failed', engineCode: '396' });
  });

  it.each(['readonly-1', 'readonly-2'])('reads as a user whose own profile is %s', async (user) => {
    expect(
      await rows("select toUInt64(18446744073709551615), toDecimal64('1.5', 1), 'x'", {}, { user }),
    ).toEqual([['18446744073709551615', 1.5, 'x']]);
    expect(await errorOf(execute('select 1 settings readonly = 0', {}, { user }))).toMatchObject({
      code: 'read-only',
    });
  });

  it('returns times without a zone if the user cannot set the session to UTC', async () => {
    const result = await execute(
      "select toDateTime('2024-07-01 12:00:00') as own, toDateTime('2024-07-01 12:00:00', 'UTC') as utc",
      {},
      { user: 'berlin' },
    );
    expect(result.columns.map(({ kind }) => kind)).toEqual(['timestamp', 'timestamptz']);
    expect(await rowsOf(result)).toEqual([['2024-07-01T12:00:00', '2024-07-01T12:00:00Z']]);
  });

  const endless = 'select count() from numbers(1000000000000) where sipHash64(number) = 1';
  it.each(['default', 'readonly-1'])(
    'ends a cancelled statement at the server long before its time limit (user %s)',
    async (user) => {
      const controller = new AbortController();
      const options = { signal: controller.signal, timeoutMs: 3_600_000 };
      const failed = errorOf(execute(endless, options, { user }));
      await expect.poll(running).toBe(1);
      controller.abort();
      expect((await failed).code).toBe('cancelled');
      await expect.poll(running, { interval: 20 }).toBe(0);
    },
  );

  it('ends a statement at its time limit and after its rows are abandoned', async () => {
    expect((await errorOf(execute(endless, { timeoutMs: 500 }))).code).toBe('timed-out');
    await expect.poll(running).toBe(0);
    const result = await execute('select number, sipHash64(number) from numbers(1000000000000)', {
      maxRows: 1e12,
    });
    for await (const _batch of result.batches) break;
    await expect.poll(running).toBe(0);
    const unread = await execute('select number, sipHash64(number) from numbers(1000000000000)');
    await unread.close();
    await expect.poll(running).toBe(0);
  });

  it('signs in, and reports a wrong password without repeating it', async () => {
    const right = { user: 'reader', password: 's3cret-Passw0rd' };
    expect(await connector.testConnection(connectionOf(right), options)).toMatchObject({
      isOk: true,
      serverVersion: expect.stringMatching(/^ClickHouse 26\.7/),
    });
    const wrong = await connector.testConnection(
      connectionOf({ ...right, password: 'wr0ng-Passw0rd' }),
      options,
    );
    expect(wrong).toMatchObject({ isOk: false, error: { code: 'authentication-failed' } });
    expect(JSON.stringify(wrong)).not.toContain('wr0ng');
    const nowhere = await connector.testConnection(connectionOf({ database: 'nowhere' }), options);
    expect(nowhere).toMatchObject({ isOk: false, error: { code: 'database-not-found' } });
  });

  it('reads tables with their comments, columns, keys and indexes', async () => {
    const { schemas, tables } = await connector.readMetadata(connectionOf(), options);
    expect(schemas).toContain('shop');
    expect(schemas).not.toContain('system');
    const customer = tables.find(({ name }) => name === 'customer');
    expect(customer).toMatchObject({
      schema: 'shop',
      type: 'Table',
      comment: 'Who buys',
      primaryKey: [],
      foreignKeys: [],
      columns: [
        { name: 'id', databaseType: 'UInt32', isNullable: false, comment: 'number of the customer' },
        { name: 'name', databaseType: 'String', isNullable: false },
        { name: 'email', databaseType: 'Nullable(String)', isNullable: true },
        { name: 'created', databaseType: 'Date', defaultValue: 'today()' },
      ],
      indexes: [
        { name: 'PRIMARY KEY', isUnique: false, isPrimary: true, columns: ['id', 'name'] },
        { name: 'by_name', isUnique: false, isPrimary: false, columns: ['name'] },
      ],
    });
    expect(tables.find(({ name }) => name === 'names')?.type).toBe('View');
    const few = await connector.readMetadata(connectionOf(), {
      ...options,
      maxTables: 1,
      maxColumnsPerTable: 2,
    });
    expect(few).toMatchObject({ areTablesCut: true, areColumnsCut: true });
    expect(
      (await connector.readMetadata(connectionOf(), { ...options, includeSchemas: ['nowhere'] })).tables,
    ).toEqual([]);
  });

  it('streams a million rows in batches of at most 2,000', async () => {
    let count = 0;
    let digits = 0;
    const result = await execute('select number, toString(number) from numbers(1000000)');
    for await (const batch of result.batches) {
      count += batch.rowCount;
      expect(batch.rowCount).toBeLessThanOrEqual(2_000);
      digits += String(batch.columns[1]?.at(-1)).length;
    }
    expect(count).toBe(1_000_000);
    expect(digits).toBeGreaterThan(0);
  });
});
