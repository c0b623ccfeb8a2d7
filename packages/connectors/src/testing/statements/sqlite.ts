import { commonReads } from './common-reads.ts';
import { hidden, lines } from './lines.ts';

const writes = lines(`
  insert into customer (id, name) values (99, 'x')
  insert or replace into customer (id, name) values (1, 'x')
  replace into customer (id, name) values (1, 'x')
  update customer set name = 'x'
  delete from customer
  drop table customer
  create table stolen (i int)
  alter table customer add column x int
  vacuum into '/tmp/svc-refused-sqlite'
  attach '/tmp/svc-refused-sqlite' as x
`);

/** Statements that must be refused: they write, open another file, or change the connection. */
export const sqliteRefused = [
  ...writes,
  ...hidden(writes),
  ...writes.map((write) => `explain ${write}`),
  ...writes.map((write) => `explain query plan ${write}`),
  ...lines(`
  insert into customer select * from customer
  insert into customer default values returning *
  insert into customer (id) values (1) on conflict do nothing
  delete from customer returning *
  with x as (select 1) insert into customer (id) select * from x
  with x as (select 1) delete from customer
  with x as (select 1) update customer set name = 'x'
  with recursive x (i) as (select 1) replace into customer (id) select i from x
  create table stolen as select * from customer
  create temp table stolen (i int)
  create temporary view stolen as select 1
  create view stolen as select 1
  create index stolen on customer (name)
  create unique index stolen on customer (name)
  create trigger stolen after insert on customer begin select 1; end
  create virtual table stolen using fts5 (x)
  create virtual table temp.stolen using fts5 (x)
  drop view if exists stolen
  drop index if exists stolen
  drop trigger if exists stolen
  alter table customer rename to stolen
  alter table customer drop column name
  vacuum
  vacuum main
  vacuum into 'file:/tmp/svc-refused-sqlite'
  VACUUM INTO ('/tmp/' || 'svc-refused-sqlite')
  attach database ':memory:' as x
  attach '' as x
  attach 'file:/tmp/svc-refused-sqlite?mode=rwc' as x
  detach main
  reindex
  reindex customer
  analyze
  analyze customer
  begin
  begin immediate
  begin exclusive
  begin; select 1
  commit
  commit; delete from customer
  end
  end transaction
  rollback
  savepoint x
  release x
  rollback to x
  pragma journal_mode = wal
  pragma journal_mode
  pragma query_only = off
  pragma query_only
  pragma user_version = 7
  pragma writable_schema = on
  pragma table_info(customer)
  pragma database_list
  pragma integrity_check
  pragma wal_checkpoint
  pragma optimize
  pragma temp_store_directory = '/tmp'
  pragma hard_heap_limit = 0
  pragma trusted_schema = on
  pragma foreign_keys = on
  pragma locking_mode = exclusive
  pragma incremental_vacuum
  pragma application_id = 5
  pragma shrink_memory
  select * from pragma_user_version
  select * from pragma_table_info('customer')
  select * from pragma_database_list
  select * from pragma_journal_mode
  select * from pragma_query_only
  select * from pragma_integrity_check
  select load_extension('/tmp/x.so')
  select LOAD_EXTENSION('/tmp/x.so', 'entry')
  select "load_extension"('/tmp/x.so')
  select writefile('/tmp/svc-refused-sqlite', 'x')
  select readfile('/etc/passwd')
  select edit('x')
  select fts3_tokenizer('simple')
  select fts3_tokenizer('simple', x'00')
  select fts5(1)
  select sqlite_rename_table('main', 'a', 'b', 'c', 'd', 'e', 'f')
  select sqlite_drop_column(1, 2, 3)
  select rtreecheck('customer')
  select rtreenode(1, 2)
  select sqlite_log(1, 'x')
  select sqlite_compileoption_get(1)
  select unknown_function(1)
  select zipfile('x', 'y')
  select * from fsdir('/')
  select * from csv
  select * from sqlite_dbpage where false union select load_extension('x'), 1
  select 1; select 2
  select 1;; select 2
  select 1; select load_extension('x')
  values (1); drop table customer
  (select 1)
  show tables
  describe customer
  copy customer to '/tmp/svc-refused-sqlite'
  set x = 1
  use main
  .shell touch /tmp/svc-refused-sqlite
  .output /tmp/svc-refused-sqlite
  .read /etc/passwd
  !touch /tmp/svc-refused-sqlite
  ;
  ; select 1
  -- only a comment
  /* unterminated
  select 'unterminated
  select "unterminated
  select [unterminated
  select \`unterminated
  select ';' ; drop table customer
  select [;] from customer; drop table customer
  select 1 -- comment⏎; drop table customer
  selec 1
  select 1 select 2
  select ?
  select * from customer where id = ?1 and 1 = load_extension(:x)
  explain
  with x as (delete from customer returning id) select * from x
  with x as (insert into customer (id) values (96) returning id) select * from x
  select * from customer for update
`).filter((sql) => sql !== 'select ?'),
  'select 1 \0; drop table customer',
];

export const sqliteReads = [
  ...commonReads.filter((sql) => sql !== 'select (1), ((2))'),
  ...lines(`
  values (1, 'a'), (2, 'b')
  explain select * from customer
  explain query plan select * from customer
  select sqlite_version()
  select typeof(id), typeof(name), quote(name) from customer
  select date('now'), time('now'), datetime('now'), julianday('now'), unixepoch()
  select strftime('%Y-%m', placed) from orders
  select date(placed, '+1 day', 'start of month') from orders
  select group_concat(name, ';') from customer
  select string_agg(name, ';') from customer
  select ifnull(email, '-'), iif(id > 1, 'a', 'b') from customer
  select json_extract('{"a": 1}', '$.a'), '{"a": {"b": 2}}' -> 'a' ->> 'b'
  select json_object('a', 1), json_array(1, 2), json_group_array(id) from customer
  select key, value from json_each('{"a": 1, "b": 2}')
  select key, value, type from json_tree('{"a": [1, 2]}')
  select name glob 'A*', name like 'a%' from customer
  select name || ' <' || email || '>' from customer
  select hex('a'), unhex('61'), x'00ff', zeroblob(3)
  select printf('%05d', 7), format('%s', 'x')
  select instr('abc', 'b'), substr('abc', 2), unicode('a'), char(97)
  select total(amount), count(*) filter (where status = 'open') from orders
  select abs(-1), sign(-5), round(1.5), min(1, 2), max(1, 2)
  select sqrt(4), pow(2, 3), ln(1), pi(), ceil(1.2), floor(1.8)
  select random() is not null, length(randomblob(4))
  select rowid, * from customer
  select [name], "name", \`name\` from customer
  select * from customer indexed by sqlite_autoindex_customer_1
  select * from customer not indexed
  select * from sqlite_master
  select name from sqlite_schema where type = 'table'
  select distinct id, name from customer order by name collate nocase
  select nullif(1, 1), coalesce(null, 2), likely(1), unlikely(0)
  select ntile(2) over (order by id), percent_rank() over (order by id), cume_dist() over (order by id) from orders
  select nth_value(amount, 1) over (order by id), last_value(amount) over (order by id) from orders
  select changes(), total_changes(), last_insert_rowid()
  select 'load_extension(1)' as t, 1 as "writefile"
  select 1 is null, 1 isnull, 1 notnull, 1 is not distinct from 1
  select 1 << 2, 8 >> 1, 5 & 3, 5 | 2, ~1
  select cast('1' as integer), cast(1 as text), cast('1.5' as real)
  select body, highlight(words, 0, '<', '>'), snippet(words, 0, '<', '>', '…', 5) from words where words match 'brown'
  select rank, bm25(words) from words where words match 'fox'
  with recursive n (i) as (values (1) union all select i + 1 from n where i < 5) select group_concat(i) from n
  with c as materialized (select 1 as x) select x from c
  select * from orders order by amount desc nulls last
  select * from customer left join orders using (id)
  select * from customer natural join orders
`).filter((sql) => !sql.includes('indexed by')),
];
