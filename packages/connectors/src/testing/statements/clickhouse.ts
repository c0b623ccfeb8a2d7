import { commonReads } from './common-reads.ts';
import { hidden, lines } from './lines.ts';

const writes = lines(`
  insert into customer (id, name) values (99, 'x')
  alter table customer update name = 'x' where 1
  alter table customer delete where 1
  delete from customer where 1
  truncate table customer
  drop table customer
  create table stolen (i Int8) engine = Memory
  alter table customer add column x Int8
  rename table customer to stolen
`);

/** Statements that must be refused: they write, reach a file or another server, end other sessions' work, or leave state. */
export const clickhouseRefused = [
  ...writes,
  ...hidden(writes),
  ...lines(`
  insert into customer select * from customer
  insert into function file('/tmp/svc-refused-clickhouse', 'CSV', 'a Int8') values (1)
  insert into table function url('http://127.0.0.1:1/', 'CSV', 'a Int8') select 1
  with 1 as x insert into customer (id) select x
  with x as (select 1 as id) insert into customer (id) select id from x
  create table stolen engine = Memory as select * from customer
  create temporary table stolen (i Int8)
  create or replace table customer (i Int8) engine = Memory
  create view stolen as select 1
  create materialized view stolen engine = Memory as select * from customer
  create database stolen
  create dictionary stolen (id UInt64) primary key id source(null()) lifetime(0) layout(flat())
  create user stolen
  create role stolen
  create function stolen as (x) -> x + 1
  create named collection stolen as a = 'b'
  create quota stolen
  create row policy stolen on customer using 1
  create settings profile stolen
  create index stolen on customer (name) type minmax
  alter table customer modify comment 'x'
  alter table customer modify column name LowCardinality(String)
  alter table customer drop partition tuple()
  alter table customer freeze
  alter table customer fetch partition tuple() from '/x'
  alter table customer modify ttl created + interval 1 day
  alter user default identified by 'x'
  alter database shop modify comment 'x'
  attach table customer
  detach table customer
  detach table customer permanently
  exchange tables customer and orders
  undrop table customer
  drop database shop
  drop view if exists stolen
  drop user if exists reader
  grant select on *.* to reader
  revoke select on shop.* from reader
  set max_threads = 1
  set readonly = 0
  set role none
  set default role none to default
  use system
  optimize table customer
  optimize table customer final
  check table customer
  system flush logs
  system stop merges
  system reload config
  system drop mark cache
  system shutdown
  system kill
  kill query where 1
  kill query where 1 sync
  KILL QUERY WHERE query_id = 'x' ASYNC
  kill mutation where 1
  kill query where query_id = 'x' test
  backup database shop to Disk('backups', 'x')
  backup table customer to File('/tmp/svc-refused-clickhouse')
  restore table customer from File('/tmp/svc-refused-clickhouse')
  begin transaction
  commit
  rollback
  execute as default select 1
  move user x to disk
  watch names
  prepare x as select 1
  copy customer to 'x'
  explain insert into customer select * from customer
  explain ast drop table customer
  explain syntax insert into customer values (1)
  explain table override mysql('a', 'b', 'c', 'd', 'e') columns (id Int8)
  explain pipeline insert into customer select * from customer
  explain plan json = 1 kill query where 1
  explain select * from url('http://127.0.0.1:1/', 'LineAsString')
  select 1 into outfile '/tmp/svc-refused-clickhouse'
  select * from customer into outfile '/tmp/svc-refused-clickhouse' format CSV
  select * from customer into outfile '/tmp/svc-refused-clickhouse' truncate format Native
  select 1 settings max_threads = 7
  select 1 settings readonly = 0
  select 1 settings allow_ddl = 0, readonly = 2
  select 1 format Null
  select 1 FORMAT JSON
  select 1 format CSV settings max_threads = 7
  select 1 format TabSeparated;
  select status, count(*) from orders group by status with totals
  select 1 parallel with drop table customer
  select 1 parallel with select 2
  select file('/etc/hostname')
  select FILE('/etc/hostname')
  select file ('hosts')
  select file/**/('hosts')
  select \`file\`('hosts')
  select "file"('hosts')
  select \`fi\\x6ce\`('hosts')
  select "\\x66ile"('hosts')
  select length(file('hosts', 'x'))
  select * apply(file) from (select 'hosts' as f)
  select * apply file from (select 'hosts' as f)
  select * apply(\`file\`) from (select 'hosts' as f)
  select * apply(x -> file(x)) from (select 'hosts' as f)
  select columns('f') apply("file") from (select 'hosts' as f)
  select columns('n') apply(sleepEachRow) from (select 1 as n)
  select arrayMap(file, ['hosts'])
  select arrayMap("FILE" , ['hosts'])
  select arrayMap(x -> file(x), ['hosts'])
  select arrayMap(sleep, [3])
  with file as f select arrayMap(f, ['hosts'])
  select * from file('/etc/passwd', 'LineAsString')
  select * from file('/etc/passwd', LineAsString, 'l String')
  select * from fileCluster('x', '/etc/passwd', 'LineAsString')
  select * from filesystem('/etc')
  select * from url('http://127.0.0.1:1/', 'LineAsString')
  select * from URL('http://127.0.0.1:1/', 'LineAsString')
  select * from urlCluster('x', 'http://127.0.0.1:1/')
  select * from s3('http://127.0.0.1:1/x', 'CSV')
  select * from s3Cluster('x', 'http://127.0.0.1:1/x', 'CSV')
  select * from gcs('http://127.0.0.1:1/x', 'CSV')
  select * from oss('http://127.0.0.1:1/x', 'CSV')
  select * from cosn('http://127.0.0.1:1/x', 'CSV')
  select * from hdfs('hdfs://127.0.0.1:1/x', 'CSV', 'a Int8')
  select * from azureBlobStorage('x', 'y', 'z')
  select * from iceberg('http://127.0.0.1:1/x')
  select * from icebergLocal('/tmp')
  select * from deltaLake('http://127.0.0.1:1/x')
  select * from deltaLakeLocal('/tmp')
  select * from hudi('http://127.0.0.1:1/x')
  select * from paimonLocal('/tmp')
  select * from remote('127.0.0.1:1', 'system', 'one')
  select * from remoteSecure('127.0.0.1:1', system.one)
  select * from cluster('default', system.one)
  select * from clusterAllReplicas('default', system.one)
  select * from mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')
  select * from postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')
  select * from mongodb('127.0.0.1:1', 'a', 'b', 'c', 'd', 'e Int8')
  select * from redis('127.0.0.1:1', 'k', 'k String')
  select * from sqlite('/tmp/x.db', 'x')
  select * from jdbc('x', 'y', 'z')
  select * from odbc('x', 'y', 'z')
  select * from ytsaurus('x', 'y', 'z', 'a Int8')
  select * from arrowFlight('127.0.0.1:1', 'x')
  select * from executable('x.sh', 'CSV', 'a Int8')
  select * from input('a Int8')
  select * from eval('select 1')
  select * from view(select * from url('http://127.0.0.1:1/', 'LineAsString'))
  describe url('http://127.0.0.1:1/', 'LineAsString')
  describe table s3('http://127.0.0.1:1/x', 'CSV')
  desc file('/etc/passwd', 'LineAsString')
  select name from customer where id in (select id from remote('127.0.0.1:1', system.one))
  with x as (select * from mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')) select * from x
  select * from customer join postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd') p on p.id = customer.id
  select sleep(3)
  select sleepEachRow(1) from customer
  select logTrace('x')
  select generateSerialID('x')
  select catboostEvaluate('/x', 1)
  select aiGenerate('x', 'y')
  select * from customer where $$ = 1
  select $ $ ' $ $, file('hosts'), '
  select $tag$, file('hosts')
  select $t$ ' $t$, file('hosts') --'
  select ‘ ' ’, file('hosts') -- '
  select “ " ”, file('hosts') -- "
  select 1 −− comment
  explain select 1; drop table customer
  show tables; drop table customer
  describe customer; drop table customer
  (select 1); drop table customer
  ;
  ; select 1
  -- only a comment
  # only a comment
  /* unterminated
  /* /* nested */ drop table customer
  select 'unterminated
  select "unterminated
  select \`unterminated
  select 'a\\'; drop table customer; -- '; drop table customer
  select "a\\"; drop table customer; -- "; drop table customer
  select ';' ; drop table customer
  select 1 /* not closed
  select 1 # comment⏎; drop table customer
  select 1 // comment⏎; drop table customer
  select * from url // comment⏎('http://127.0.0.1:9/')
  select sleep // comment⏎(3)
  select file /* a // b */ ('/etc/passwd')
  select 'it\\'s', file // ' comment⏎('/etc/passwd')
  select 1 -- comment⏎; drop table customer
  selec 1
  select 1 select 2
`),
  'select 1 \0; drop table customer',
  'select\u{200b}1',
];

/** ClickHouse requires DISTINCT or ALL after UNION. */
const notHere = new Set(['select id from customer union select id from orders']);

export const clickhouseReads = [
  ...commonReads.filter((read) => !notHere.has(read)),
  ...lines(`
  select id from customer union distinct select id from orders
  (select 1)
  (select 1) union all (select 2)
  from customer select id, name
  show tables
  show databases
  show columns from customer
  show create table customer
  show index from customer
  show settings like 'max_threads'
  show processlist
  show grants
  show functions like 'to%'
  exists customer
  exists table customer
  describe customer
  desc customer
  describe (select 1 as x)
  describe numbers(3)
  explain select * from customer
  explain plan select * from customer
  explain plan json = 1, indexes = 1 select * from customer
  explain json = 1, description = 1 select count(*) from orders
  explain indexes = 1 select * from customer
  explain ast select 1
  explain syntax select * from customer
  explain query tree select 1
  explain pipeline select * from customer
  explain estimate select * from customer
  select 'it\\'s', 'a''b', 'tab\\t', "name" from customer
  select \`name\` from \`customer\`
  select * from customer where name = 'Ann' # comment
  select * from customer where name = 'Ann' // it's a comment; drop table customer
  select 'http://example.com' as address, 8 / 2 as half
  select 5--1
  select 1 /* a /* nested */ comment */
  select now(), today(), yesterday(), toUnixTimestamp(now())
  select formatDateTime(placed, '%Y-%m'), toYear(placed), dateDiff('day', placed, now()) from orders
  select placed + interval 1 day, toStartOfMonth(placed) from orders
  select concat(name, ' <', ifNull(email, ''), '>') from customer
  select groupArray(name), arrayStringConcat(groupArray(name), ';') from customer
  select if(id > 1, 'a', 'b'), multiIf(id = 1, 'x', id = 2, 'y', 'z') from customer
  select id > 1 ? 'a' : 'b' from customer
  select JSONExtractInt('{"a": 1}', 'a'), toJSONString(map('a', 1))
  select match(name, '^A'), extract(name, '.'), replaceRegexpAll(name, 'n', 'm') from customer
  select version(), currentUser(), currentDatabase(), timezone()
  select name, engine from system.tables
  select * from system.columns where database = 'shop' limit 5
  select table_name from information_schema.tables
  select status, sum(amount) from orders group by status with rollup
  select status, sum(amount) from orders group by status with cube
  select status, customer_id, count() from orders group by grouping sets ((status), (customer_id))
  select * from orders order by id limit 1, 1
  select * from orders order by id limit 1 by status
  select * from orders final
  select * from orders sample 1
  select * from orders prewhere status = 'open' where amount > 1
  select distinct on (status) * from orders order by status, id
  select top 1 id from customer order by id
  select uniq(customer_id), quantile(0.5)(amount), argMax(id, amount) from orders
  select countIf(status = 'open'), sumIf(amount, status = 'open') from orders
  select count() filter (where status = 'open') from orders
  select arrayJoin([1, 2, 3]) as x, x * 2
  select x from customer array join [1, 2] as x
  select arrayMap(x -> x * 2, [1, 2, 3]), arrayFilter((x, y) -> x > y, [1, 2], [2, 1])
  select tuple(1, 'a').2, (1, 2).1, map('k', 'v')['k'], [1, 2][1]
  select toUInt64('18446744073709551615'), toDecimal64('1.5', 2), toDateTime64(0, 3, 'UTC')
  select 1::UInt8, '2024-01-01'::Date, cast('1' as Int32), cast(1, 'String')
  select number from numbers(10)
  select * from generate_series(1, 5)
  select number from system.numbers limit 5
  select * from values('a Int8, b String', (1, 'x'), (2, 'y'))
  select * from merge('shop', '^customer$')
  select * except (email) from customer
  select * replace (upper(name) as name) from customer
  select columns('na.*') from customer
  select c.* from customer as c
  select * from customer left any join orders on orders.customer_id = customer.id
  select * from customer semi left join orders on orders.customer_id = customer.id
  select * from customer anti left join orders on orders.customer_id = customer.id
  select * from orders asof join customer on orders.customer_id = customer.id and orders.placed >= customer.created
  select a.id from customer a global join orders o on o.customer_id = a.id
  select id from orders order by id with fill from 1 to 5
  select sum(amount) over w from orders window w as (partition by status order by id)
  select id from orders qualify row_number() over (partition by status order by id) = 1
  with 5 as five select five, id from customer
  with (select max(amount) from orders) as largest select * from orders where amount = largest
  select 'file(1)' as t, 1 as \`sleep\`, 2 as file, 3 as url
  select c.url, uniq(c.url) from (select 'x' as url, 'y' as file) c group by url
  select c.file, "c"."file", upper(c.file) from (select 'x' as file) c
  select format('{} {}', 'a', 'b')
  select id as format from customer
  select 'kill query where 1', 'into outfile'
  select hex('a'), unhex('61'), base64Encode('a'), MD5('a'), cityHash64('a')
  select domain('http://example.com/x'), URLHash('http://example.com/x'), extractURLParameter('http://x/?a=1', 'a')
  select isNull(email), email is null, coalesce(email, '-') from customer
  select * from customer where name ilike 'a%' and id not in (5)
  select 0xff, 1e3, 1_000, 'x' || 'y', not 1, 7 % 2, intDiv(7, 2)
  select toTypeName(id) from customer limit 1
`),
];
