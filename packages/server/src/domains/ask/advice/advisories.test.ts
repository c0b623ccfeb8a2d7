import { createConnectors } from '@svc/connectors';
import { afterAll, describe, expect, test } from 'vitest';
import type { GroundedTable, Knowledge, KnownKey } from '../../grounding/index.ts';
import { advisoriesOf } from './advisories.ts';

const connectors = createConnectors();
afterAll(() => connectors.close());
const { dialect } = connectors.get('PostgreSQL');
const { dialect: mysqlDialect } = connectors.get('MySQL');

const table = (
  name: string,
  columns: readonly string[],
  primaryKey: readonly string[],
  uniqueColumns: readonly string[] = [],
): GroundedTable => ({
  schema: 'public',
  name,
  type: 'Table',
  comment: null,
  primaryKey: [...primaryKey],
  foreignKeys: [],
  indexes:
    uniqueColumns.length > 0
      ? [{ name: `${name}_unique`, isUnique: true, isPrimary: false, columns: [...uniqueColumns] }]
      : [],
  columns: columns.map((column) => ({
    name: column,
    databaseType: 'text',
    isNullable: true,
    defaultValue: null,
    comment: null,
  })),
});
const key = (source: string, columns: string[], target: string, targetColumns = ['id']): KnownKey => ({
  source: { schema: 'public', table: source, columns },
  target: { schema: 'public', table: target, columns: targetColumns },
});
const knowledge: Knowledge = {
  engine: 'PostgreSQL',
  tables: [
    table('customers', ['id', 'name', 'credit', 'tier'], ['id']),
    table('orders', ['id', 'customer_id', 'total', 'status', 'placed'], ['id']),
    table('items', ['order_id', 'line', 'product_id', 'quantity'], ['order_id', 'line']),
    table('products', ['id', 'price'], ['id']),
    table('labels', ['product_id', 'language', 'label'], ['product_id', 'language']),
    table('cards', ['card_no', 'customer_id', 'points'], ['card_no'], ['customer_id']),
    table('visits', ['customer_id', 'seconds'], []),
  ],
  keys: [
    key('orders', ['customer_id'], 'customers'),
    key('items', ['order_id'], 'orders'),
    key('items', ['product_id'], 'products'),
    key('labels', ['product_id'], 'products'),
    key('cards', ['customer_id'], 'customers'),
  ],
  values: [
    { schema: 'public', table: 'orders', column: 'status', values: ['open', 'paid', "can't say"] },
    { schema: 'public', table: 'customers', column: 'tier', values: ['1', '2'] },
  ],
  terms: [],
  examples: [],
  patterns: [],
};
const advice = (sql: string, about = knowledge, of = dialect) => advisoriesOf(sql, of, about);

describe('a sum over a join that repeats rows', () => {
  const repeats = (what: string, many: string, one: string) => [
    `It ${what} over a join with public.${many}, which can have several rows for one of public.${one}: values may count more than once.`,
  ];

  test.each([
    [
      'a column of the one side is summed',
      'select sum(c.credit) from customers c join orders o on o.customer_id = c.id',
      repeats('sums public.customers.credit', 'orders', 'customers'),
    ],
    [
      'a column is averaged, with a list of tables and unqualified names',
      'select avg(credit) from customers, orders where customer_id = customers.id',
      repeats('averages public.customers.credit', 'orders', 'customers'),
    ],
    [
      'the rows are grouped by columns that do not identify them',
      `select c.name, sum(c.credit) from customers c left join orders o on c.id = o.customer_id
        where o.placed = '2026-01-01' group by c.name, o.status`,
      repeats('sums public.customers.credit', 'orders', 'customers'),
    ],
    [
      'a second join repeats the rows',
      `select sum(o.total), count(*) from customers c join orders o on o.customer_id = c.id
        join items i on i.order_id = o.id`,
      repeats('sums public.orders.total', 'items', 'orders'),
    ],
    [
      'the sum is of an expression in a CTE',
      `with spent as (select c.id, sum(coalesce(c.credit, 0)::numeric * 2) as credit from customers c
        join orders o on o.customer_id = c.id group by c.id) select * from spent s where s.credit > 1`,
      [
        'It takes every column, also those that are added later.',
        ...repeats('sums public.customers.credit', 'orders', 'customers'),
      ],
    ],
    [
      'a condition allows several values of a part of the key',
      `select sum(p.price) from products p join labels l on l.product_id = p.id where l.language in ('en', 'de')`,
      repeats('sums public.products.price', 'labels', 'products'),
    ],
    [
      'the condition tests NULL of another column, or the key is not NULL',
      `select sum(c.credit) from customers c left join orders o on o.customer_id = c.id
        where o.placed is null and o.id is not null`,
      repeats('sums public.customers.credit', 'orders', 'customers'),
    ],
    [
      'a condition excludes one value of the key',
      `select sum(p.price) from products p join labels l on l.product_id = p.id where l.language <> 'en'`,
      repeats('sums public.products.price', 'labels', 'products'),
    ],
  ])('is reported where %s', (_, sql, expected) => {
    expect(advice(sql)).toEqual(expected);
  });

  test.each([
    [
      'a column of the many side is summed',
      'select c.name, sum(o.total) from customers c join orders o on o.customer_id = c.id group by c.name',
    ],
    [
      'values of both sides are multiplied',
      `select sum(p.price * i.quantity) from orders o join items i on i.order_id = o.id
        join products p on p.id = i.product_id`,
    ],
    ['there is no join', 'select sum(credit) from customers'],
    [
      'the other table is in a subquery of EXISTS',
      'select sum(c.credit) from customers c where exists (select 1 from orders o where o.customer_id = c.id)',
    ],
    [
      'the other table is in a subquery of IN',
      'select sum(c.credit) from customers c where c.id in (select o.customer_id from orders o)',
    ],
    [
      'the sum is in a separate subquery',
      `select o.id, (select sum(c2.credit) from customers c2 where c2.tier = '1') from orders o
        join customers c on c.id = o.customer_id`,
    ],
    [
      'the other rows are aggregated before the join',
      `select sum(c.credit) from customers c join (select customer_id, sum(total) as total from orders
        group by customer_id) o on o.customer_id = c.id`,
    ],
    [
      'the other rows are aggregated in a CTE',
      `with spent as (select customer_id, sum(total) as total from orders group by customer_id)
        select sum(c.credit) from customers c join spent s on s.customer_id = c.id`,
    ],
    ['the other key is unique', 'select sum(c.credit) from customers c join cards d on d.customer_id = c.id'],
    [
      'the join sets the rest of the other key to one value',
      `select sum(p.price) from products p join labels l on l.product_id = p.id and l.language = 'en'`,
    ],
    [
      'a condition selects one row of the other table',
      'select sum(c.credit) from customers c join orders o on o.customer_id = c.id where o.id = {{order}}',
    ],
    [
      'the rows are grouped by the other key',
      'select o.id, sum(c.credit) from customers c join orders o on o.customer_id = c.id group by o.id',
    ],
    [
      'the rows are grouped by the position of the other key',
      'select o.id, sum(c.credit) from customers c join orders o on o.customer_id = c.id group by 1',
    ],
    [
      'the sum is of distinct values',
      'select sum(distinct c.credit) from customers c join orders o on o.customer_id = c.id',
    ],
    [
      'a condition excludes all rows of the other table',
      'select sum(c.credit) from customers c left join orders o on o.customer_id = c.id where o.id is null',
    ],
    [
      'a condition on the join column excludes all rows of the other table',
      'select sum(c.credit) from customers c left join orders o on o.customer_id = c.id where o.customer_id is null',
    ],
    [
      'the sum is a window function',
      'select sum(c.credit) over (partition by o.id) from customers c join orders o on o.customer_id = c.id',
    ],
    [
      'repeated rows do not change the aggregate',
      'select max(c.credit), min(c.credit), count(distinct c.id) from customers c join orders o on o.customer_id = c.id',
    ],
    [
      'a condition of the other table decides each row',
      `select sum(case when o.status = 'paid' then c.credit end) from customers c join orders o on o.customer_id = c.id`,
    ],
    [
      'a table is read twice',
      'select sum(c.credit) from customers c join orders o on o.customer_id = c.id join customers d on d.id = o.customer_id',
    ],
    ['sum is a name of something else', 'select o.sum from (select sum(total) as sum from orders) o'],
    [
      'the two tables are in different branches of a union',
      'select sum(credit) from customers union all select total from orders join customers on customer_id = customers.id',
    ],
  ])('is not reported where %s', (_, sql) => {
    expect(advice(sql)).toEqual([]);
  });

  test('is not reported where no key between the tables is known', () => {
    const sql = 'select sum(c.credit) from customers c join visits v on v.customer_id = c.id';
    expect(advice(sql)).toEqual([
      'It joins public.customers and public.visits by id and customer_id, of which no key is known.',
    ]);
    expect(advice(sql, { ...knowledge, keys: [] })).toEqual([]);
  });
});

describe('a value that is not among the known values of a column', () => {
  const adviceOn = (column: string, value: string) => [
    `It compares public.${column} with ${JSON.stringify(value)}, which is none of its known values.`,
  ];

  test.each([
    [`select id from orders where status = 'payed'`, adviceOn('orders.status', 'payed')],
    [`select id from orders o where not o.status <> 'Paid'`, adviceOn('orders.status', 'Paid')],
    [`select id from orders where (status != 'x')`, adviceOn('orders.status', 'x')],
    [`select id from orders where status in ('open', 'shut')`, adviceOn('orders.status', 'shut')],
    [
      `select id from orders where status not in ('shut', 'paid') and total > 1`,
      adviceOn('orders.status', 'shut'),
    ],
    [`select id from orders where status = 'payed'::text`, adviceOn('orders.status', 'payed')],
    [`select count(case when status = 'it''s' then 1 end) from orders`, adviceOn('orders.status', "it's")],
    [`select id from customers where tier = 3`, adviceOn('customers.tier', '3')],
    [
      `select c.id from customers c join orders o on o.customer_id = c.id and o.status = 'payed'`,
      adviceOn('orders.status', 'payed'),
    ],
  ])('is reported: %s', (sql, expected) => {
    expect(advice(sql)).toEqual(expected);
  });

  test.each([
    `select id from orders where status = 'paid' or status in ('open', 'paid')`,
    `select id from orders where status = 'can''t say'`,
    `select id from customers where tier = 1 or tier = '2' or tier = 2.0`,
    // Another column, or one without known values.
    `select id from customers where name = 'payed'`,
    // The column or the value is part of an expression.
    `select id from orders where upper(status) = 'PAID'`,
    `select id from orders where 'is ' || status = 'is paid'`,
    `select id from orders where status || '!' = 'paid!'`,
    `select id from orders where status = 'pa' || 'id'`,
    `select id from orders where status = lower('PAID')`,
    `select id from orders where status = E'\\x70aid'`,
    `select id from orders where status = {{status}}`,
    `select id from orders where status in (select 'payed')`,
    `select id from orders where status in ('open', lower('PAID'))`,
    // Patterns and ranges are no equality comparisons.
    `select id from orders where status like 'pai%' or status > 'a' or status >= 'b'`,
    // A name that the statement defines.
    `with o as (select id, upper(status) as status from orders) select id from o where status = 'PAID'`,
    `select * from (select id as order_no, upper(status) as status from orders) o where o.status = 'PAID'`.replace(
      '*',
      'order_no',
    ),
    // Texts in quotes and comments are not part of the statement.
    `select id /* status = 'payed' */ from orders where placed = 'status = payed'`,
  ])('is not reported: %s', (sql) => {
    expect(advice(sql)).toEqual([]);
  });

  test('is not reported where no values of the column are known', () => {
    expect(advice(`select id from orders where status = 'payed'`, { ...knowledge, values: [] })).toEqual([]);
  });

  test('is compared without case if the engine ignores case', () => {
    const mysql = { ...knowledge, engine: 'MySQL' };
    expect(advice(`select id from orders where status = "PAID"`, mysql, mysqlDialect)).toEqual([]);
    expect(advice(`select id from orders where status = "payed"`, mysql, mysqlDialect)).toEqual(
      adviceOn('orders.status', 'payed'),
    );
  });

  test('is shortened in the message if it is long', () => {
    const [said = ''] = advice(`select id from orders where status = '${'x'.repeat(500)}'`);
    expect(said.length).toBeLessThan(200);
  });
});
