import type { TableMetadata } from '@svc/connectors';
import { describe, expect, test } from 'vitest';
import { familyOf, mayMatch } from '../../../platform/sql-types/index.ts';
import { checkStatement } from '../check-statement.ts';
import { nameOfTable } from '../types.ts';
import { healthOf } from './health.ts';
import { proposalsFor } from './infer.ts';
import { declaredIn, schemaOf } from './schema.ts';

type Change = Partial<Omit<TableMetadata, 'name' | 'columns'>>;
/** Returns a table of integer columns, unless a column is `name:type`. The first column is the key. */
const table = (name: string, columns: readonly string[], change: Change = {}): TableMetadata => {
  const parts = columns.map((column) => column.split(':'));
  return {
    schema: 'public',
    name,
    type: 'Table',
    comment: null,
    foreignKeys: [],
    indexes: [],
    columns: parts.map(([column = '', databaseType = 'integer']) => ({
      name: column,
      databaseType,
      isNullable: true,
      defaultValue: null,
      comment: null,
    })),
    primaryKey: parts.slice(0, 1).map(([column = '']) => column),
    ...change,
  };
};
const schema = (...tables: TableMetadata[]) => schemaOf({ tables });
const proposed = (...tables: TableMetadata[]) =>
  proposalsFor(schema(...tables)).map(
    ({ source, target, confidence }) =>
      `${nameOfTable(source)}.${source.columns} -> ${nameOfTable(target)}.${target.columns} ${confidence}`,
  );

describe('inference of relationships from names', () => {
  test.each([
    ['customer_id', 'customers'],
    ['customerId', 'customer'],
    ['branch_id', 'branches'],
    ['category_id', 'Categories'],
    ['order_line_id', 'OrderLines'],
    ['ORDER_LINE_id', 'order_lines'],
  ])('the column %s refers to the table %s', (column, target) => {
    expect(proposed(table('events', ['id', column]), table(target, ['id']))).toEqual([
      `public.events.${column} -> public.${target}.id 0.9`,
    ]);
  });

  test('a match of table and key names, or of the key name alone, has lower confidence', () => {
    expect(
      proposed(table('a', ['id', 'shop_code']), table('shop', ['code:text']), table('b', ['id'])),
    ).toEqual([]);
    expect(proposed(table('a', ['id', 'shop_code:text']), table('shop', ['code:text']))).toEqual([
      'public.a.shop_code -> public.shop.code 0.75',
    ]);
    expect(proposed(table('a', ['id', 'isbn:text']), table('books', ['isbn:text']))).toEqual([
      'public.a.isbn -> public.books.isbn 0.6',
    ]);
  });

  test('nothing is proposed for the key id alone, for the same table, for different types, or for an ambiguous target', () => {
    expect(proposed(table('a', ['id']), table('b', ['id']))).toEqual([]);
    expect(proposed(table('parts', ['id', 'part_id']))).toEqual([]);
    expect(proposed(table('a', ['id', 'shop_id:uuid']), table('shops', ['id']))).toEqual([]);
    expect(proposed(table('a', ['id', 'shop_id']), table('shop', ['id']), table('shops', ['id']))).toEqual(
      [],
    );
  });

  test('a table of the same schema takes precedence over a table of another schema', () => {
    const other = table('shops', ['id'], { schema: 'old' });
    expect(proposed(table('a', ['id', 'shop_id']), table('shops', ['id']), other)).toEqual([
      'public.a.shop_id -> public.shops.id 0.9',
    ]);
  });

  test('without a declared key, a unique column or a column with the name of a key is used, with lower confidence', () => {
    const bare = { primaryKey: [] };
    const unique = { name: 'u', columns: ['number'], isUnique: true, isPrimary: false };
    const codes = table('shops', ['number', 'name'], { ...bare, indexes: [unique] });
    expect(proposed(table('a', ['id', 'shop_id']), codes)).toEqual([
      'public.a.shop_id -> public.shops.number 0.81',
    ]);
    expect(proposed(table('a', ['id', 'shop_id']), table('shops', ['id', 'name'], bare))).toEqual([
      'public.a.shop_id -> public.shops.id 0.72',
    ]);
    expect(proposed(table('writes', ['authorid', 'n'], bare), table('author', ['authorid'], bare))).toEqual([
      'public.writes.authorid -> public.author.authorid 0.48',
    ]);
    const [one] = proposalsFor(schema(table('a', ['id', 'shop_id']), table('shops', ['id'], bare)));
    expect(one?.evidence).toBe(
      'shop_id is named after the table public.shops, whose key is id. No key is declared there; the name alone says so.',
    );
  });

  test('a view, two key-like columns, or an uncertain key next to a declared key cause no proposal', () => {
    const bare = { primaryKey: [] };
    const view = table('shops', ['id'], { ...bare, type: 'View', schema: 'views' });
    expect(proposed(table('a', ['id', 'shop_id']), view)).toEqual([]);
    expect(proposed(table('a', ['id', 'shop_id']), table('shops', ['id', 'shop_code'], bare))).toEqual([]);
    const unique = { name: 'u', columns: ['isbn'], isUnique: true, isPrimary: false };
    const loans = table('loans', ['isbn'], { ...bare, indexes: [unique] });
    expect(proposed(table('a', ['id', 'isbn']), table('books', ['isbn']), loans)).toEqual([
      'public.a.isbn -> public.books.isbn 0.6',
      'public.loans.isbn -> public.books.isbn 0.6',
    ]);
  });

  test('two keys with the same name are one relationship', () => {
    expect(proposed(table('books', ['isbn']), table('covers', ['isbn']))).toEqual([
      'public.books.isbn -> public.covers.isbn 0.6',
    ]);
  });

  test('declared columns and tables with a key of two columns are omitted', () => {
    const key = { name: 'f', columns: ['shop_id'], toSchema: 'public', toTable: 'shops', toColumns: ['id'] };
    expect(proposed(table('a', ['id', 'shop_id'], { foreignKeys: [key] }), table('shops', ['id']))).toEqual(
      [],
    );
    expect(
      proposed(table('a', ['id', 'shop_id']), table('shops', ['id', 'n'], { primaryKey: ['id', 'n'] })),
    ).toEqual([]);
  });
});

test('a declared composite key is one relationship, is OneToOne for unique columns, and ignores unknown tables', () => {
  const key = (name: string, toTable: string) => ({
    name,
    columns: ['a', 'b'],
    toSchema: 'public',
    toTable,
    toColumns: ['x', 'y'],
  });
  const declared = declaredIn(
    schema(
      table('one', ['a', 'b'], {
        primaryKey: ['b', 'a'],
        foreignKeys: [key('f', 'two'), key('g', 'missing')],
      }),
      table('two', ['x', 'y'], { primaryKey: ['x', 'y'] }),
    ),
  );
  expect(declared).toEqual([
    {
      source: { schema: 'public', table: 'one', columns: ['a', 'b'] },
      target: { schema: 'public', table: 'two', columns: ['x', 'y'] },
      label: 'a, b',
      cardinality: 'OneToOne',
      confidence: 1,
    },
  ]);
});

test.each([
  ['int4', 'number'],
  ['numeric(10,2)', 'number'],
  ['UNSIGNED BIG INT', 'number'],
  ['character varying(20)', 'text'],
  ['timestamp with time zone', 'time'],
  ['BOOLEAN', 'boolean'],
  ['uuid', 'uuid'],
  ['varbinary(16)', 'binary'],
  ['geometry', undefined],
] as const)('the type %s has the family %s', (type, family) => {
  expect(familyOf(type)).toBe(family);
});

test('unknown types match every type', () => {
  expect(mayMatch('geometry', 'integer')).toBe(true);
  expect(mayMatch('bigint', 'numeric')).toBe(true);
  expect(mayMatch('bigint', 'text')).toBe(false);
});

test('the check statement quotes every name like the engine, and compares all columns of a key', () => {
  const end = (name: string, ...columns: string[]) => ({ schema: 's"x', table: name, columns });
  const sql = checkStatement(
    { source: end('a', 'p', 'q"'), target: end('b', 'x', 'y') },
    { name: 'postgresql', quote: (name) => `"${name.replaceAll('"', '""')}"` },
  );
  expect(sql).toBe(`select count(*) as checked,
  count(case when not exists (select 1 from "s""x"."b" t where t."x" = v.c0 and t."y" = v.c1) then 1 end) as missing
from (
  select distinct "p" as c0, "q""" as c1 from "s""x"."a"
  where "p" is not null and "q""" is not null limit 10001
) v`);
});

test('the statement for SQL Server uses TOP instead of LIMIT, and has no subquery inside count', () => {
  const end = (name: string, column: string) => ({ schema: 'dbo', table: name, columns: [column] });
  const sql = checkStatement(
    { source: end('a', 'p'), target: end('b', 'x') },
    { name: 'sqlserver', quote: (name) => `[${name}]` },
  );
  expect(sql).toBe(`select count(*) as checked, count(w.gone) as missing
from (select case when not exists (select 1 from [dbo].[b] t where t.[x] = v.c0) then 1 end as gone from (
  select distinct top (10001) [p] as c0 from [dbo].[a]
  where [p] is not null
) v) w`);
});

test('the health of a schema counts components and problems, and lists at most 100 tables of each kind', () => {
  const many = Array.from({ length: 150 }, (_, n) => table(`lonely_${n}`, ['id']));
  const health = healthOf(schema(...many, table('views', ['id'], { type: 'View', primaryKey: [] })), []);
  expect(health).toMatchObject({ tableCount: 151, componentCount: 151, largestComponentSize: 1 });
  expect([health.isolatedTables.count, health.isolatedTables.items.length]).toEqual([151, 100]);
  expect(health.withoutPrimaryKey).toEqual({ count: 0, items: [] });
  const end = (name: string, column: string) => ({ schema: 'public', table: name, columns: [column] });
  const mismatch = { source: end('a', 'b_id'), target: end('b', 'id'), isVerified: true };
  const gone = { source: end('a', 'c_id'), target: end('c', 'id'), isVerified: true };
  expect(
    healthOf(schema(table('a', ['id', 'b_id:text']), table('b', ['id'])), [mismatch, gone]),
  ).toMatchObject({
    relationshipCount: 1,
    verifiedCount: 1,
    componentCount: 1,
    largestComponentSize: 2,
    typeMismatches: { count: 1, items: ['public.a (b_id) to public.b (id)'] },
  });
  expect(healthOf(schema(), [])).toMatchObject({ tableCount: 0, componentCount: 0, largestComponentSize: 0 });
});
