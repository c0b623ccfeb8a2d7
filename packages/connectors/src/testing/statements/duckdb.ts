import { commonReads } from './common-reads.ts';
import { hidden, lines } from './lines.ts';

const writes = lines(`
  insert into customer values (99, 'x', null, null)
  update customer set name = 'x'
  delete from customer
  drop view customer
  create table stolen (i int)
  create or replace view customer as select 1
  copy customer to '/tmp/svc-refused-duckdb.csv'
  copy (select 1) to 'FILE' (use_tmp_file false)
  attach '/tmp/svc-refused-duckdb.db' as x
  export database '/tmp/svc-refused-duckdb'
`);

/**
 * Statements that must be refused: they write, read an unlisted file, reach the network, load code, or change a
 * setting. `FILE` and `FOLDER` represent a listed file and its folder.
 */
export const duckdbRefused = [
  ...writes,
  ...hidden(writes),
  ...writes.map((write) => `explain analyze ${write}`),
  ...lines(`
  insert into customer select * from customer
  insert or replace into customer values (1)
  merge into customer using orders on true when matched then delete
  truncate customer
  with x as (insert into customer values (1) returning *) select * from x
  with x as (delete from customer returning *) select * from x
  create table stolen as select * from customer
  create temp table stolen (i int)
  create view stolen as select 1
  create schema stolen
  create sequence stolen
  create macro stolen() as 1
  create function stolen() as 1
  create type stolen as enum ('a')
  create index stolen on customer (id)
  create secret stolen (type s3, key_id 'x', secret 'y')
  create persistent secret stolen (type s3, key_id 'x', secret 'y')
  drop schema main
  drop secret stolen
  alter view customer rename to stolen
  comment on view customer is 'x'
  copy customer to 'FILE'
  copy customer to 'FILE' (use_tmp_file false, overwrite_or_ignore true)
  copy (select 1) to '/tmp/svc-refused-duckdb.parquet' (format parquet)
  copy (select 1) to 'FOLDER' (format csv, partition_by (x))
  copy (select 1) to '/dev/stdout'
  copy customer from 'FILE'
  copy from database memory to x
  import database 'FOLDER'
  attach ':memory:' as x
  attach 'FILE' as x
  attach 'dbname=postgres' as x (type postgres)
  attach 'https://example.com/x.db' as x
  detach memory
  use memory
  install httpfs
  force install httpfs
  install spatial from community
  load httpfs
  load '/tmp/x.duckdb_extension'
  update extensions
  set threads = 64
  set memory_limit = '100GB'
  set enable_external_access = true
  set allowed_paths = ['/']
  set allowed_directories = ['/']
  set lock_configuration = false
  set temp_directory = '/tmp/svc-refused-duckdb'
  set home_directory = '/'
  set custom_extension_repository = 'https://example.com'
  set variable x = 1
  set session timezone = 'Europe/Berlin'
  set global threads = 1
  set schema = 'x'
  reset threads
  reset all
  pragma enable_profiling
  pragma database_list
  pragma table_info('customer')
  pragma memory_limit = '100GB'
  pragma version
  pragma import_database('FOLDER')
  call pragma_version()
  call enable_logging()
  call force_checkpoint()
  begin
  begin transaction; select 1
  commit
  commit; select 1
  rollback
  abort
  checkpoint
  force checkpoint
  vacuum
  vacuum analyze
  analyze
  prepare x as select 1
  execute x
  deallocate x
  explain analyze copy customer to 'FILE' (use_tmp_file false)
  explain copy (select 1) to '/tmp/svc-refused-duckdb.csv'
  explain analyze create table stolen as select 1
  explain analyze set threads = 1
  explain analyze attach ':memory:' as x
  explain analyze pragma version
  explain analyze call pragma_version()
  explain create table stolen (i int)
  explain insert into customer values (1)
  explain
  select * from read_csv('/etc/passwd')
  select * from read_csv_auto('/etc/passwd')
  select * from read_csv(['FILE', '/etc/passwd'])
  select * from read_csv('FOLDER/*.csv')
  select * from read_csv('FOLDER/**/*')
  select * from read_parquet('/tmp/x.parquet')
  select * from parquet_scan('/tmp/x.parquet')
  select * from parquet_metadata('/tmp/x.parquet')
  select * from read_json('/etc/passwd')
  select * from read_json_objects('/etc/passwd')
  select * from read_ndjson('/etc/passwd')
  select * from read_text('/etc/passwd')
  select * from read_text('FILE')
  select * from read_blob('/etc/passwd')
  select * from read_blob('FILE')
  select * from read_duckdb('/tmp/x.db')
  select * from sniff_csv('/etc/passwd')
  select * from glob('/*')
  select * from glob('FOLDER/*')
  select * from '/etc/passwd'
  select * from 'FOLDER/private.csv'
  from '/etc/passwd'
  from 'https://example.com/x.csv'
  select * from read_csv('https://example.com/x.csv')
  select * from read_parquet('s3://bucket/x.parquet')
  select * from read_csv('file:///etc/passwd')
  select * from read_csv('/proc/self/environ')
  select * from read_csv('/dev/stdin')
  select * from read_text('/proc/self/cmdline')
  select * from sqlite_scan('/tmp/x.db', 't')
  select * from postgres_scan('dbname=x', 'public', 't')
  select * from mysql_scan('x', 'y', 'z')
  select * from delta_scan('/tmp/x')
  select * from iceberg_scan('/tmp/x')
  select * from st_read('/etc/passwd')
  select * from query('drop view customer')
  select * from query('select 1; select 2')
  select * from query('select * from read_csv(''/etc/passwd'')')
  select * from query('copy customer to ''FILE''')
  select * from query_table('/etc/passwd')
  select * from query_table('customer')
  select * from read_csv('FILE')
  select * from read_csv('FILE', header = false, skip = 1)
  select * from read_json('FILE')
  select * from sniff_csv('FILE')
  select getenv('HOME')
  select write_log('x')
  select * from enable_logging()
  select * from enable_profiling()
  select * from truncate_duckdb_logs()
  select * from duckdb_secrets()
  select * from which_secret('s3://x', 's3')
  select nextval('x')
  select add_parquet_key('a', 'b')
  select pg_sleep(60)
  select sleep_ms(1)
  select * into stolen from customer
  select * from customer for update
  with x as (from read_csv('/etc/passwd')) from x
  (select * from read_csv('/etc/passwd'))
  describe select * from read_csv('/etc/passwd')
  summarize select * from read_csv('/etc/passwd')
  describe '/etc/passwd'
  summarize '/etc/passwd'
  pivot read_csv('/etc/passwd') on x
  pivot customer on name
  select 1; select 2
  ;
  ; select 1
  -- only a comment
  /* unterminated
  select 'unterminated
  select $$ unterminated
  select ';' ; drop view customer
  select E'\\'; drop view customer; --'; drop view customer
  selec 1
  select 1 select 2
  show tables; drop view customer
`),
  'select 1 \0; drop view customer',
];

export const duckdbReads = [
  ...commonReads,
  ...lines(`
  from customer
  from customer select name
  table customer
  values (1, 'a'), (2, 'b')
  (select 1)
  describe customer
  describe select 1 as a
  desc orders
  summarize orders
  show tables
  show all tables
  show customer
  explain select * from customer
  explain analyze select count(*) from orders
  select * exclude (email) from customer
  select * replace (upper(name) as name) from customer
  select columns('i.*') from customer
  select max(columns(*)) from orders
  select status, customer_id, sum(amount) from orders group by all order by all
  select customer_id, list(amount), array_agg(status) from orders group by customer_id
  select [1, 2, 3][1], {'a': 1}.a, map {'k': 1}['k']
  select list_transform([1, 2], x -> x + 1), [x * 2 for x in [1, 2] if x > 1]
  select unnest([1, 2, 3])
  select * from range(5)
  select * from generate_series(1, 5) as g (i)
  select quantile_cont(amount, 0.5), median(amount), mode(status) from orders
  select count(*) filter (status = 'open') from orders
  select arg_max(status, amount), approx_count_distinct(customer_id) from orders
  select * from orders qualify row_number() over (partition by customer_id order by amount desc) = 1
  select * from orders using sample 50%
  select date_trunc('month', placed), extract(year from placed), strftime(placed, '%Y') from orders
  select placed + interval 1 day, date_diff('day', placed, now()::timestamp) from orders
  select now() at time zone 'Europe/Berlin'
  select string_agg(name, ', ' order by name) from customer
  select regexp_matches(name, '^A'), regexp_replace(name, 'a', 'b'), name ilike 'a%' from customer
  select '{"a": {"b": 1}}'::json -> 'a' ->> 'b', json_extract('{"a": 1}', '$.a')
  select name.upper().lower() from customer
  select try_cast('x' as int), typeof(1)
  select 'a' || 'b', concat('a', 'b'), format('{}', 1), printf('%d', 1)
  select md5('a'), sha256('a'), hash('a'), uuid() is not null
  select $$a ; string$$, $x$with $$ inside$x$, E'it\\'s'
  select 1 as "copy", 'copy customer to ''x''' as t
  select o.*, c.name from orders o asof join customer c on o.id >= c.id
  select * from customer semi join orders on orders.customer_id = customer.id
  select * from customer anti join orders on orders.customer_id = customer.id
  select * from customer positional join orders
  select * from customer c, lateral (select count(*) from orders o where o.customer_id = c.id) l
  pivot orders on status in ('open', 'closed') using sum(amount) group by customer_id
  unpivot (select 1 as a, 2 as b) on a, b
  select status, sum(amount) from orders group by rollup (status)
  with c as materialized (select 1 as x) select x from c
  select * from duckdb_tables()
  select table_name from information_schema.tables
  select current_setting('threads'), version()
  select 5 // 2, 5 % 2, 2 ** 3, 1 <=> 2 is not null
`).filter((sql) => !sql.includes('<=>')),
];
