import { hidden, lines } from '../lines.ts';

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
