import { commonReads } from './common-reads.ts';
import { hidden, lines } from './lines.ts';

export const databricksWrites = lines(`
  insert into customer (id, name) values (99, 'x')
  update customer set name = 'x'
  delete from customer
  merge into customer using orders on false when not matched then insert (id) values (1)
  truncate table customer
  drop table customer
  create table stolen (i int)
  alter table customer add column x int
  call change_everything()
`);

/** The same writes, in positions where the service's reading could differ from the lexer's. */
const behind = databricksWrites.flatMap((write) => [
  `select 1 /* /* */ ; ${write} --*/`,
  `select 1 /* /*+ x */ ; ${write} --*/ */`,
  `select /*+ broadcast('*/ 1; ${write} --') */ 1`,
  `select 'a\\'; ${write} --'; ${write}`,
  `select r'a\\'; ${write} --'`,
  `select R"a\\"; ${write} --"`,
  `select r'a''b\\'; ${write} --'`,
  `select "a\\"; ${write} --"; ${write}`,
  `select \`a\\\`; ${write} --\``,
  `select 1 -- \r; ${write}`,
  `select 1 -- \u2028; ${write}`,
  `select 1 -- \\\n; ${write}`,
  `select 1 -- \${x}\n; ${write}`,
  `with x as (select 1 as a) ${write}`,
  `begin ${write}; end`,
  `execute immediate '${write.replaceAll("'", "\\'")}'`,
]);

/** Statements that must be refused: they write, have side effects, read files, call a model, or run a second statement. */
export const databricksRefused = [
  ...databricksWrites,
  ...hidden(databricksWrites),
  ...behind,
  ...lines(`
  insert overwrite customer select * from orders
  insert overwrite table customer values (1)
  insert overwrite directory '/tmp/x' using csv select * from customer
  insert overwrite local directory '/tmp/x' select * from customer
  insert into customer replace where id = 1 select * from orders
  from customer insert into stolen select *
  from customer insert overwrite table a select id insert overwrite table b select name
  from customer select id
  from customer
  table customer
  replace table customer as select 1
  create or replace table customer as select * from orders
  create table stolen as select * from customer
  create table stolen clone customer
  create table stolen shallow clone customer
  create view stolen as select 1
  create or replace temporary view stolen as select 1
  create materialized view stolen as select 1
  create streaming table stolen as select * from stream read_files('/x')
  create function stolen() returns int return 1
  create function stolen() returns int language python as $$ return 1 $$
  create procedure stolen() language sql as begin select 1; end
  create schema stolen
  create catalog stolen
  create volume stolen
  create connection stolen type postgresql options (host 'x')
  create external location stolen url 's3://x' with (storage credential y)
  create share stolen
  create recipient stolen
  create group stolen
  drop schema shop cascade
  drop catalog shop
  undrop table customer
  alter catalog shop owner to me
  alter table customer set tblproperties ('a' = 'b')
  comment on table customer is 'x'
  grant select on table customer to \`account users\`
  revoke select on table customer from \`account users\`
  deny select on table customer to x
  show grants on table customer
  show tables
  show secrets in scope x
  describe table customer
  describe history customer
  desc customer
  explain select 1
  set x = 1
  set timezone = 'UTC'
  set time zone local
  set var x = 1
  set variable x = (select 1)
  reset
  use catalog other
  use schema other
  declare variable x int
  begin select 1; end
  begin atomic select 1; end
  begin transaction
  commit
  rollback
  execute immediate 'delete from customer'
  execute immediate :x
  execute immediate 'select 1' into x
  call system.change_everything(1)
  cache table customer
  cache select * from customer
  cache lazy table stolen as select 1
  uncache table customer
  clear cache
  refresh table customer
  refresh materialized view x
  msck repair table customer
  repair table customer
  fsck repair table customer
  analyze table customer compute statistics
  optimize customer
  optimize customer zorder by (id)
  vacuum customer
  reorg table customer apply (purge)
  restore table customer to version as of 1
  sync schema a from b
  copy into customer from '/tmp/x' fileformat = csv
  copy into delta.\`/tmp/x\` from '/tmp/y' fileformat = csv
  load data inpath '/tmp/x' into table customer
  put '/tmp/x' into '/volumes/a/b/c' overwrite
  get '/volumes/a/b/c' to '/tmp/x'
  remove '/volumes/a/b/c'
  list '/volumes/a/b/c'
  add jar '/tmp/x.jar'
  add file '/tmp/x'
  list jars
  kill query 'x'
  select * into stolen from customer
  select id into x from customer
  select 1; select 2
  select 1;select 2;
  ;
  ; select 1
  ()
  (delete from customer)
  ((insert into customer values (1)))
  (from customer insert into stolen select *)
  with x as (select 1) from x insert into customer select *
  with x as (select 1) table x
  with x as (select 1) show tables
  with x as (select 1)
  with
  with x as (delete from customer returning id) select * from x
  select * from (insert into customer values (1)) t
  select * from (merge into customer using x on true) t
  select * from customer |> where id = 1
  select * from customer |> select email as x
  select * from customer|>aggregate max(email) as x
  select * from customer | select email as x
  select * from customer | aggregate max(email) as x group by id
  select * from customer | extend email as x | drop email
  from customer |> where id = 1
  table customer |> limit 1
  select transform(id, name) using 'cat' from customer
  select transform(id, name) using "rm -rf /" as (a, b) from customer
  select transform(id) using r'cat' as (a) from customer
  select transform(id) row format delimited fields terminated by ',' using 'cat' as (a) from customer
  select * from (select transform(id) using 'cat' from customer) t
  map id using 'cat' from customer
  reduce id using 'cat' from customer
  from customer map id using 'cat'
  select java_method('java.lang.Runtime', 'getRuntime')
  select reflect('java.lang.System', 'getenv', 'PATH')
  select try_reflect('java.lang.System', 'getenv', 'PATH')
  select JAVA_METHOD ('java.util.UUID', 'randomUUID')
  select \`java_method\`('java.util.UUID', 'randomUUID')
  select system.builtin.java_method('java.util.UUID', 'randomUUID')
  select upper(reflect('a', 'b'))
  select ai_query('model', name) from customer
  select ai_gen('x')
  select AI_CLASSIFY(name, array('a', 'b')) from customer
  select ai_extract(name, array('a')), ai_mask(name, array('a')) from customer
  select ai_summarize(name), ai_translate(name, 'en'), ai_similarity(name, email) from customer
  select ai_analyze_sentiment(name) from customer
  select ai_parse_document(x) from customer
  select * from ai_forecast(table(orders), horizon => '2030-01-01', time_col => 'placed', value_col => 'amount')
  select * from vector_search(index => 'a.b.c', query_text => 'x')
  select system.ai.python_exec('print(1)')
  select python_exec('print(1)')
  select \`system\` . \`ai\` . anything(1)
  select http_request(conn => 'x', method => 'POST', path => '/')
  select HTTP_REQUEST /* x */ (conn => 'x', method => 'POST', path => '/')
  select * from remote_query('x', database => 'y', query => 'delete from z')
  select * from read_files('/volumes/a/b/c')
  select * from read_files ('s3://bucket/x', format => 'csv')
  select * from stream read_files('/x')
  select * from stream(customer)
  select * from cloud_files('/x', 'json')
  select * from cloud_files_state('/x')
  select * from read_kafka(bootstrapservers => 'x', subscribe => 'y')
  select * from read_kinesis(streamname => 'x')
  select * from read_pubsub(subscriptionid => 'x')
  select * from read_pulsar(serviceurl => 'x')
  select * from read_statestore('/x')
  select secret('scope', 'key')
  select try_secret('scope', 'key')
  select * from list_secrets()
  select from_avro(x, 'subject', 'https://registry.test') from customer
  select to_avro(name, 'subject', 'https://registry.test') from customer
  select from_protobuf(x, 'message', '/tmp/descriptor') from customer
  select * from identifier('customer')
  select identifier('email') from customer
  select identifier('java_method')('a', 'b')
  select * from identifier(:x)
  select * from json.\`/tmp/x\`
  select * from text.\`/etc/passwd\`
  select * from csv.\`s3://bucket/x\`
  select * from parquet.\`/tmp/x\`
  select * from delta.\`/tmp/x\`
  select * from binaryFile.\`/tmp/x\`
  select * from binaryfile.\`x\`
  select * from avro . \`/tmp/x\`
  select * from \`json\`.\`/tmp/x\`
  select * from \`org.apache.spark.sql.json\`.\`x\`
  select * from customer, json.\`/tmp/x\`
  select * from customer join text.\`/tmp/x\` t on true
  select * from (json.\`/tmp/x\`)
  select * from ((text.\`x\`))
  select * from someformat.\`/tmp/x\`
  select * from someformat.\`dbfs:/x\`
  select * from (customer cross join someformat.\`/x\`)
  select name from customer where id in (select value from text.\`/tmp/x\`)
  select * from json.x
  select * from customer with (\`path\` = '/tmp/x')
  select * from customer @v1
  select * from customer@v1x
  select * from customer@20240101
  select 1@v1
  select @v1
  select * from customer where id = :id
  select :svc, 1
  select ?
  select * from customer where id = ?
  select '\${spark.x}'
  select \${x}
  select 1 -- \${env:PATH}
  select 'open
  select "open
  select \`open
  select r'open
  select 1 /* open
  select 1 /* /* open */
  select 1 \\ 2
  select id # x
  select $x
  select {x}
  select 1delete from customer
  select 2024_sales from customer
  select näme from customer
  select ınsert from customer
  select a$b from customer
  select /*+ broadcast("x") */ 1
  select /*+ x; */ 1
`),
];

/** Reads that must be accepted. */
export const databricksReads = [
  ...commonReads,
  ...lines(`
  select * from shop.sales.customer
  select \`id\`, \`a\`\`b\` from \`customer\` where \`name\` = 'a'
  select "a", "it's", "say \\"x\\"" from customer
  select 'it\\'s', 'a\\\\', "a'b", 'a' 'b'
  select r'\\d+', R"C:\\temp", r'it is' from customer
  select name from customer where name rlike r'^\\w+$'
  select id::string, '2024-01-01'::date, try_cast('x' as int), cast(id as decimal(38, 10)) from customer
  select 1L, 1S, 1Y, 1.5D, 1.5F, 1.5BD, 1e10, 1.5e-3, .5, 0.5
  select date'2024-01-01', timestamp'2024-01-01 00:00:00', interval '1' day, interval 1 month, x'1F'
  select detail:address.city, detail:items[0].id, detail:\`odd name\`::string, get_json_object(detail, '$.a') from customer
  select m['a'], a[0], s.field, try_element_at(m, 'a') from customer
  select id from customer where id = 1 or name <=> null
  select !true, ~1, 1 ^ 2, 1 & 2, 1 | 2, id | 4, 'a' || 'b' from customer
  select filter(array(1, 2), x -> x > 1), transform(array(1, 2), (x, i) -> x + i), exists(array(1), x -> x = 1)
  select aggregate(array(1, 2), 0, (acc, x) -> acc + x), map_filter(map('a', 1), (k, v) -> v > 0)
  select named_struct('a', 1, 'b', 'x'), struct(1, 2), map('a', 1), array(1, 2), to_json(named_struct('a', 1))
  select from_json('{"a": 1}', 'a int'), schema_of_json('{"a": 1}'), parse_json('{"a": 1}'):a::int
  select explode(array(1, 2)) as x
  select c.id, t.x from customer c lateral view explode(array(1, 2)) t as x
  select c.id, t.x from customer c lateral view outer posexplode(array(1, 2)) t as p, x
  select * from explode(array(1, 2))
  select c.id, x.col from customer c, lateral explode(array(c.id)) x
  select c.name, x.amount from customer c, lateral (select amount from orders o where o.customer_id = c.id) x
  select * from range(10)
  select * from range(0, 10, 2) as t (n)
  select inline(array(struct(1, 'a')))
  select stack(2, 1, 'a', 2, 'b') as (id, name)
  select * except (email) from customer
  select * from customer natural join orders
  select * from customer join orders using (id)
  select * from customer left semi join orders on customer.id = orders.customer_id
  select * from customer left anti join orders on customer.id = orders.customer_id
  select id from customer qualify row_number() over (partition by name order by id) = 1
  select status, count(*) from orders group by all
  select status, count(*) from orders group by rollup (status)
  select status, count(*) from orders group by cube (status)
  select status, count(*) from orders group by grouping sets ((status), ())
  select status, count(*) filter (where amount > 1) from orders group by status
  select id from customer order by all
  select id from customer order by id nulls last limit 5 offset 5
  select id from customer limit all
  select id from customer sort by id
  select id from customer distribute by id sort by id
  select id from customer cluster by id
  select * from customer tablesample (10 percent)
  select * from customer tablesample (5 rows) repeatable (1)
  select * from customer version as of 1
  select * from customer timestamp as of '2024-01-01'
  select c.id from sales.\`customer\`@v12 c
  select id from customer@20240102030405678
  select * from table_changes('customer', 1)
  select * from orders pivot (sum(amount) for status in ('open', 'closed')) as p
  select * from orders unpivot (v for k in (amount))
  select /*+ broadcast(c) */ c.name from customer c join orders o on o.customer_id = c.id
  select /*+ REPARTITION(3, id), merge(c) */ * from customer c
  select /*+ coalesce(1) */ id from customer
  select if(amount > 1, 'a', 'b'), nvl(email, '-'), zeroifnull(amount), decode(status, 'a', 1) from customer, orders
  select listagg(name, ', ') within group (order by name), array_join(collect_list(name), ',') from customer
  select date_trunc('month', placed), dateadd(day, 1, placed), datediff(day, placed, current_date()) from orders
  select date_format(placed, 'yyyy-MM-dd'), to_timestamp('2024-01-01'), from_utc_timestamp(placed, 'UTC') from orders
  select extract(year from placed), trim(both 'x' from name), substring(name from 1 for 2), overlay(name placing 'x' from 1) from orders
  select regexp_like(name, 'A.*'), regexp_extract(name, '([a-z]+)', 1), name like any ('a%', 'b%'), name ilike 'a%' from customer
  select split(email, '@')[0], split_part(email, '@', 2) from customer where email like '%@%' or contains(email, '@')
  select 'java_method(1)', 'json.\`/tmp/x\`', 'insert into customer', '|>', 'using ''cat''', 'a $ b'
  select \`java_method\`, \`insert\`, \`into\` from (select 1 as \`java_method\`, 2 as \`insert\`, 3 as \`into\`)
  select update, set, comment, cache, refresh, use, call, merge, copy, delete, date from customer
  select c.insert, c.create, c.drop from customer c
  select 1 -- it's a comment⏎ + 1
  select /* it's */ 1
  select a.id != b.id, a.id <> b.id, not a.id = b.id, a.id == b.id from customer a, customer b
  select 1 where 1 in (1, 2) and 'a' not in ('b', 'c')
  select * from values (1, 'a'), (2, 'b') as v (id, name)
  select * from (values (1, 'a'), (2, '@b')) as v (id, name)
  values (1, 'a'), (2, 'b')
  select current_timestamp(), current_user(), current_catalog(), current_schema(), now(), session_user()
  select md5(name), sha2(name, 256), hash(name), hex(name), base64(name), xxhash64(id) from customer
  select approx_count_distinct(id), median(amount), percentile_cont(0.5) within group (order by amount) from orders
  select max_by(name, id), min_by(name, id), any_value(name), mode(name), bool_or(id > 1) from customer
  select sum(amount) over (partition by status order by placed range between interval '1' day preceding and current row) from orders
  select sum(amount) over w from orders window w as (partition by status)
  select h3_longlatash3(1.0, 2.0, 3), st_astext(st_point(1, 2))
  select is_member('admins'), is_account_group_member(name) from customer
  select input_file_name(), _metadata.file_path from customer
  select table_name from information_schema.tables
  select table_name from system.information_schema.tables
  select ai.id, system.id from ai, system
  select shop.json.x from shop.json
  select v:a.b[0]::int, variant_get(v, '$.a', 'int'), try_variant_get(v, '$.a', 'int'), typeof(v) from customer
  select cast(v as array<struct<a: int, b: string>>), cast(m as map<string, int>) from customer
  with a as (select 1 as x), b (y) as (select x from a) select * from b
  with recursive t (n) as (select 1 union all select n + 1 from t where n < 5) select n from t
  with recursive t (n) max recursion level 10 as (select 1 union all select n + 1 from t where n < 5) select n from t
  with a as (select 1 as x) (select x from a)
  with a as (select 1 as x) values (1)
  (select 1) union (select 2)
  (with a as (select 1 as x) select x from a)
  select id from customer minus select id from orders
  select id from customer except all select id from orders
  select * from customer where id = 1;
`),
];
