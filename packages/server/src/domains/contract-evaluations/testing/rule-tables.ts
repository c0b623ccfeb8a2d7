/** Ten orders: one without status, one with an unknown status, two with one number, one with a too high total, one orphan. */
export const rows = [
  [1, 'A-1', 'open', 10, 'ann@example.com', 1],
  [2, 'A-2', 'paid', 20, 'bob@example.com', 1],
  [3, 'A-2', 'paid', 30, 'cid@example.com', 2],
  [4, 'A-4', null, 40, 'dan@example.com', 2],
  [5, 'A-5', 'Open', 50, 'eve@example.com', 2],
  [6, 'a-6', 'paid', 60, 'fay@example.com', 1],
  [7, 'A-7', 'paid', 70, 'gus@example.com', 1],
  [8, 'A-8', 'paid', 80, 'hal@example.com', 1],
  [9, 'A-9', 'paid', 90, 'ida@example.com', 9],
  [10, 'A-10', 'n/a', 5000, 'jan@example.com', null],
] as const;
const literal = (value: string | number | null): string =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`;
/** Returns the statements that create and fill the tables, with expressions of the engine for its times. */
export const schemaOf = (time: string, ago: string, old: string, future = "'2099-01-01 00:00:00'") => `
  create table customers (id int primary key, name varchar(20));
  create table orders (id int primary key, no varchar(20) not null, status varchar(20), total decimal(10,2), email varchar(50),
    customer_id int, placed_at ${time});
  create table visits (id int primary key, seen_at ${time});
  insert into visits values (1, ${old}), (2, ${future}), (3, null);
  create table planned (id int primary key, seen_at ${time});
  insert into planned values (1, ${future});
  insert into customers values (1, 'one'), (2, 'two');
  insert into orders values ${rows.map((row) => `(${row.map(literal).join(', ')}, ${ago})`).join(', ')}`;

/** The same tables in types of ClickHouse, whose columns are not nullable by default. */
export const clickhouseSchema = [
  'create table customers (id Int32, name String) engine = MergeTree order by id',
  `create table orders (id Int32, no LowCardinality(String), status LowCardinality(Nullable(String)), total Decimal(10, 2),
     email Nullable(String), customer_id Nullable(Int32), placed_at DateTime64(3)) engine = MergeTree order by id`,
  "insert into customers values (1, 'one'), (2, 'two')",
  `insert into orders values ${rows.map((row) => `(${row.map(literal).join(', ')}, now64() - interval 2 hour)`).join(', ')}`,
  'create table visits (id Int32, seen_at Nullable(DateTime64(3))) engine = MergeTree order by id',
  "insert into visits values (1, now64() - interval 10 day), (2, '2099-01-01 00:00:00'), (3, null)",
  'create table planned (id Int32, seen_at Nullable(DateTime64(3))) engine = MergeTree order by id',
  "insert into planned values (1, '2099-01-01 00:00:00')",
];
