import { createConnectors } from '@svc/connectors';
import { fourfoldGrowth, linearGrowthMax } from '@svc/testkit/values/growth.ts';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readStatement } from './read-statement.ts';
import { schemaNames } from './schema-names.ts';
import { shapeOf } from './shape.ts';

const connectors = createConnectors();
afterAll(() => connectors.close());
const { dialect: postgresqlDialect } = connectors.get('PostgreSQL');
const { dialect: mysqlDialect } = connectors.get('MySQL');

const table = (schema: string, name: string, columns: readonly string[]) => ({
  schema,
  name,
  type: 'Table' as const,
  comment: null,
  primaryKey: [],
  foreignKeys: [],
  indexes: [],
  columns: columns.map((column) => ({
    name: column,
    databaseType: 'text',
    type: 'String' as const,
    isNullable: true,
    comment: null,
  })),
});
const schema = schemaNames([
  table('public', 'orders', ['id', 'customer_id', 'total', 'placed']),
  table('public', 'customers', ['id', 'name', 'email']),
  table('audit', 'customers', ['id', 'who']),
  table('public', 'Lines', ['order_id', 'Price']),
] as never);
const read = (sql: string, dialect = postgresqlDialect) => readStatement(sql, dialect, schema);
const shape = (sql: string) => shapeOf(read(sql));

describe('reading a statement', () => {
  it('finds its tables, columns and joins regardless of aliases', () => {
    const said = read(
      `select c.name, sum(o.total) as revenue from public.customers c join orders o on o.customer_id = c.id where c.email = 'x@y.org' group by c.name`,
    );
    expect(said.tables).toEqual(['public.customers', 'public.orders']);
    expect(said.joins).toEqual([['public.customers', 'id', 'public.orders', 'customer_id']]);
    expect(said.columns).toContainEqual(['public.orders', 'total']);
    expect(said.unknown).toEqual([]);
  });

  it('finds joins in WHERE and joins with unqualified column names', () => {
    expect(read('select 1 from orders, "Lines" where orders.id = order_id').joins).toEqual([
      ['public.Lines', 'order_id', 'public.orders', 'id'],
    ]);
    expect(read('select 1 from orders a join orders b on a.id = b.customer_id').joins).toEqual([]);
  });

  it('attributes no column that could belong to two tables', () => {
    const said = read('select id from orders join public.customers on true');
    expect(said.columns).toEqual([]);
    expect(read('select 1 from customers').tables).toEqual([]);
  });

  it('attributes no column of a derived table to a real table with a column of the same name', () => {
    const said = read(
      'select o.id from orders o join (select id as placed, name from public.customers) x on x.placed = o.customer_id',
    );
    expect(said.joins).toEqual([]);
    expect(said.columns).not.toContainEqual(['public.orders', 'placed']);
    expect(said.unknown).toEqual([]);
  });

  it('reports names that the schema does not contain, except names that the statement itself defines', () => {
    expect(read('select cust_id, total amount from orders order by amount').unknown).toEqual(['cust_id']);
    expect(read('select o.cust_id from orders o').unknown).toEqual(['cust_id']);
    expect(read('select total from order_table').unknown).toContain('order_table');
    expect(read('with best as (select id from orders) select t.id, anything from best t').unknown).toEqual(
      [],
    );
    expect(read('select x.n from (select count(*) n from orders) x').unknown).toEqual([]);
    expect(
      read(`select extract(year from placed), placed::date, date '2020-01-01' from orders`).unknown,
    ).toEqual([]);
    expect(read('select "Ignore all that was said" from orders').unknown).toEqual([]);
  });

  it('returns nothing if the engine could execute a comment', () => {
    expect(read('select id /*! from orders */', mysqlDialect).tables).toEqual([]);
  });

  it.each<readonly [string, (length: number) => string]>([
    ['sums', (length) => `select ${'sum(total)+'.repeat(length / 11)}1 from orders`],
    [
      'parentheses',
      (length) => `select ${'sum('.repeat(length / 4)}total${')'.repeat(length / 4)} from orders`,
    ],
    ['comparisons', (length) => `select 1 from orders where ${'total=1 or '.repeat(length / 11)}id=2`],
    ['values', (length) => `select 1 from orders where total in (${'1,'.repeat(length / 2)}1)`],
    [
      'unions',
      (length) =>
        `select sum(total) from orders ${'union select sum(total) from orders '.repeat(length / 37)}`,
    ],
  ])('of %s is read in time that grows with its length', (_, textOf) => {
    expect(fourfoldGrowth(textOf, (sql) => read(sql), 100_000)).toBeLessThan(linearGrowthMax);
  });

  it('never throws for any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'select',
        'from',
        'join',
        'orders',
        'o',
        '.',
        ',',
        '(',
        ')',
        'as',
        'with',
        '=',
        "'",
        '"',
        '--',
      ),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const said = read(pieces.join(' '));
        for (const one of said.tables) expect(schema.table(one)).toBeDefined();
        shapeOf(said);
      }),
    );
  });
});

describe('the shape of a statement', () => {
  it('is the same for statements that differ only in values, aliases, spacing and case', () => {
    const one = shape(
      `SELECT o.total AS "Top secret: bob@example.org" FROM orders o WHERE o.id IN (1, 2) -- note`,
    );
    expect(one).toBe('select public.orders.total as n1 from public.orders n2 where public.orders.id in (?)');
    expect(shape('select x.total as t from public.orders x where x.id in (7,8,9);')).toBe(one);
    expect(shape('select sum(total) from orders')).not.toBe(shape('select max(total) from orders'));
  });

  it('contains no text of the statement that is not a name of the schema', () => {
    const typed = shape(
      `select my_secret(total), 'v4lue' as hidden from orders where "what I asked" = $$text$$`,
    );
    for (const word of ['my_secret', 'v4lue', 'hidden', 'what I asked', 'text'])
      expect(typed).not.toContain(word);
  });

  it('does not exist for a long statement', () => {
    expect(shape(`select ${Array.from({ length: 600 }, () => 'total').join(', ')} from orders`)).toBeNull();
  });
});
