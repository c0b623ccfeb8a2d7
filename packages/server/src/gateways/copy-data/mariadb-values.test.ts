import { hasMariaDb } from '@svc/testkit/database/mariadb.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MariaDbCopies, startMariaDbCopies } from './testing/mariadb.ts';
import { copyRefusalOf, createHooks, createRequests } from './testing/requests.ts';

let fixture: MariaDbCopies;

beforeAll(async () => {
  if (hasMariaDb()) fixture = await startMariaDbCopies();
}, 120_000);
afterAll(() => fixture?.close());

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
  beforeAll(async () => void (await fixture.admin.query(`set global local_infile = ${allowed}`)));
  afterAll(async () => void (await fixture.admin.query('set global local_infile = 1')));

  it('arrive exactly once in a copy of 12,000 rows', async () => {
    await fixture.tables(
      `create table t as select n, repeat('x', n % 50) as name from generate_series(1, 12000) n`,
      'create table dst.t (n int primary key, name text)',
    );
    const loaded = async () => {
      const [count] = await fixture.texts(
        "select variable_value from information_schema.global_status where variable_name = 'Com_load'",
      );
      return Number(count);
    };
    const before = await loaded();
    expect((await fixture.run()).outcome?.counts.inserted).toBe(12_000);
    expect(await fixture.texts('select count(*), sum(n), sum(length(name)) from dst.t')).toEqual([
      '12000|72006000|294000',
    ]);
    expect((await loaded()) > before).toBe(allowed === 1);
  });

  it.each(hostile)('are exact or rejected: %s %s into %s', async (sourceType, value, type, expected) => {
    await fixture.tables(
      `create table t (v ${sourceType}); insert into t values (${value})`,
      `create table dst.t (v ${type})`,
    );
    const { hooks, told: calls } = createHooks();
    const { outcome } = await fixture.copyData.run(fixture.request({ onRejectedRow: 'Skip' }), hooks);
    const shown = type === 'blob' ? 'hex(v)' : type === 'bit(8)' ? 'v + 0' : 'v';
    const storedValues = await fixture.texts(`select ${shown} from dst.t`);
    expect([storedValues, calls.rejected.length, outcome?.counts.inserted]).toEqual(
      expected === null ? [[], 1, 0] : [[expected], 0, 1],
    );
  });
});

describe.skipIf(!hasMariaDb())('a copy from MariaDB into PostgreSQL', () => {
  const columns = 'id bigint unsigned primary key, bits bit(64), at time(3), y year';
  const values =
    "18446744073709551615, b'1111111111111111111111111111111111111111111111111111111111111111', '838:59:59.999', 2024";

  it('creates a table whose types have the whole range of the source', async () => {
    await fixture.tables(
      'create table t (id int)',
      `create table dst.t (${columns}); insert into dst.t values (${values})`,
    );
    await fixture.postgres.query('create schema if not exists made');
    const back = createRequests(fixture.source, fixture.destination, 'select * from t');
    const change = {
      dataSource: fixture.destination,
      destinationDataSource: fixture.source,
      createsTable: true,
      keyColumns: ['id'],
      destination: { schema: 'made', table: 'wide' },
    };
    const definition = back(change);
    const call = { signal: new AbortController().signal, timeoutMs: 30_000 };
    const { mapping, issues } = await fixture.copyData.inspect(definition, call);
    expect(mapping.map(({ toType }) => toType)).toEqual(['numeric', 'numeric', 'text', 'bigint']);
    expect(issues.filter(({ severity }) => severity === 'Error')).toEqual([]);
    expect((await fixture.copyData.run(definition, createHooks().hooks)).outcome?.counts.inserted).toBe(1);
    const { rows } = await fixture.postgres.query('select id::text, bits::text, at, y from made.wide');
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
      await fixture.tables(
        'create table t (id int)',
        'create table dst.t (id bigint unsigned); insert into dst.t values (1), (18446744073709551615)',
      );
      await fixture.postgres.query(`create schema if not exists made; drop table if exists made.narrow;
      create table made.narrow (${column})`);
      const back = createRequests(fixture.source, fixture.destination, 'select * from t order by 1');
      const definition = back({
        dataSource: fixture.destination,
        destinationDataSource: fixture.source,
        columns: [{ from: 'id', to: name }],
        destination: { schema: 'made', table: 'narrow' },
      });
      const { reason, message } = await copyRefusalOf(fixture.copyData.run(definition, createHooks().hooks));
      expect(reason).toBe('rejected-rows');
      expect(message).toContain(`(row 2, column ${name}: ${code})`);
      expect(message).not.toContain('18446744073709551615');
    },
  );
});
