import { expect, test } from 'vitest';
import { quoteFor } from './quoting.ts';

test.each([
  ['PostgreSQL', 'orders', 'orders'],
  ['PostgreSQL', 'Orders', '"Orders"'],
  ['PostgreSQL', 'order', '"order"'],
  ['PostgreSQL', 'rank', 'rank'],
  ['PostgreSQL', 'a"b', '"a""b"'],
  ['MySQL', 'Orders', 'Orders'],
  ['MySQL', 'order', '`order`'],
  ['MySQL', 'rank', '`rank`'],
  ['MySQL', 'a`b c', '`a``b c`'],
  ['SQLite', 'Orders', 'Orders'],
  ['SQLite', 'Group', '"Group"'],
  ['DuckDB', 'order lines', '"order lines"'],
  ['SqlServer', 'Orders', 'Orders'],
  ['SqlServer', 'order', '[order]'],
  ['SqlServer', 'Top', '[Top]'],
  ['SqlServer', 'a]b', '[a]]b]'],
  ['Snowflake', 'ORDERS', 'ORDERS'],
  ['Snowflake', 'orders', '"orders"'],
  ['Snowflake', 'ORDER', '"ORDER"'],
  ['Snowflake', 'QUALIFY', '"QUALIFY"'],
  ['Snowflake', 'a"b', '"a""b"'],
  ['BigQuery', 'Orders', 'Orders'],
  ['BigQuery', 'Struct', '`Struct`'],
  ['BigQuery', 'a$b', '`a$b`'],
  ['BigQuery', 'a`b\\c', '`a\\`b\\\\c`'],
  ['ClickHouse', 'Orders', 'Orders'],
  ['ClickHouse', 'order', '"order"'],
  ['ClickHouse', 'Final', '"Final"'],
  ['ClickHouse', 'a"b\\c', '"a""b\\\\c"'],
])('%s writes %s as %s', (engine, name, written) => {
  expect(quoteFor(engine)(name)).toBe(written);
});
