import { describe, expect, test } from 'vitest';
import { findReferences, knownTables } from './find-references.ts';

const tables = knownTables(['orders', 'Order_Items', 'users']);
const referencesIn = (path: string, text: string) =>
  findReferences(path, text, tables).map(({ line, table, kind }) => `${line} ${table} ${kind}`);

describe('a line that names a table', () => {
  test.each([
    ['src/report.py', 'rows = db.query("select id from orders where 1=1")', ['1 orders RawSql']],
    [
      'src/report.py',
      'select * from public."ORDERS" o join order_items i on true',
      ['1 orders RawSql', '1 Order_Items RawSql'],
    ],
    [
      'a.sql',
      'insert into orders (id)\nvalues (1);\nupdate users set a = 1',
      ['1 orders RawSql', '3 users RawSql'],
    ],
    ['Order.java', '@Table(name = "orders")', ['1 orders Model']],
    ['order.py', "    __tablename__ = 'orders'", ['1 orders Model']],
    ['order.ts', "export const orders = pgTable('orders', {", ['1 orders Model']],
    ['Order.cs', '[Table("orders")]', ['1 orders Model']],
    [
      'db/migrations/0001.sql',
      'create table orders (id int references users (id));',
      ['1 orders Migration', '1 users Migration'],
    ],
    ['db/migrate/1_x.rb', 'create_table "orders" do |t|', ['1 orders Migration']],
    ['ddl.sql', 'ALTER TABLE orders ADD COLUMN x int', ['1 orders Migration']],
    ['etl.yml', '  source: "orders"', ['1 orders Other']],
  ])('in %s: %s', (path, text, expected) => {
    expect(referencesIn(path, text)).toEqual(expected);
  });

  test.each([
    ['prose.md', 'The orders of our users are many.'],
    ['a.ts', 'const orders = users.map((user) => user.orders);'],
    ['a.ts', "import { orders } from './orders.ts';"],
    ['a.sql', 'select preorders from x.orders_old'],
    ['bundle.js', `x("orders")${' '.repeat(3_000)}`],
  ])('in %s: %s contains no reference', (path, text) => {
    expect(referencesIn(path, text)).toEqual([]);
  });

  test('is stored trimmed and cut to 300 characters, unless it may contain a secret', () => {
    const long = `  select ${'a, '.repeat(200)}b from orders  `;
    const [first] = findReferences('a.sql', long, tables);
    expect(first?.snippet).toBe(long.trim().slice(0, 300));
    for (const line of [
      'psql postgres://svc:hunter2@db/x -c "select 1 from orders"',
      'password = "x"; sql = "select 1 from orders"',
      'API_KEY: abc # from orders',
      `token: ghp_${'a'.repeat(36)} from orders`,
    ])
      expect(findReferences('a.sh', line, tables)).toMatchObject([{ table: 'orders', snippet: null }]);
  });
});
