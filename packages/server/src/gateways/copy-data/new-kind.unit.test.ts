import { expect, it } from 'vitest';
import { newKindOf } from './new-kind.ts';

it.each([
  ['MySQL', 'integer', 'bigint unsigned', 'decimal'],
  ['MySQL', 'integer', 'bit', 'decimal'],
  ['MySQL', 'integer', 'bigint', 'integer'],
  ['MySQL', 'integer', 'int unsigned', 'integer'],
  ['DuckDB', 'integer', 'hugeint', 'decimal'],
  ['DuckDB', 'integer', 'ubigint', 'decimal'],
  ['DuckDB', 'integer', 'uinteger', 'integer'],
  ['ClickHouse', 'integer', 'UInt64', 'decimal'],
  ['ClickHouse', 'integer', 'Nullable(UInt256)', 'decimal'],
  ['ClickHouse', 'integer', 'LowCardinality(Nullable(Int64))', 'integer'],
  ['Snowflake', 'integer', 'NUMBER(38,0)', 'decimal'],
  ['BigQuery', 'integer', 'INT64', 'integer'],
  ['Rest', 'integer', 'json integer', 'decimal'],
  ['PostgreSQL', 'time', 'timetz', 'text'],
  ['PostgreSQL', 'time', 'time', 'time'],
  ['MySQL', 'time', 'time', 'text'],
  ['PostgreSQL', 'date', 'date', 'date'],
] as const)(
  'a new table has a column for all values of %s: %s %s becomes %s',
  (engine, kind, databaseType, newKind) => {
    expect(newKindOf({ name: 'c', kind, databaseType }, engine, 'PostgreSQL')).toBe(newKind);
  },
);

it('a time of MySQL remains a time in a new table of MySQL', () => {
  expect(newKindOf({ name: 't', kind: 'time', databaseType: 'time' }, 'MySQL', 'MySQL')).toBe('time');
});
