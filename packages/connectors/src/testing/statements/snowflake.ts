import { commonReads } from './common-reads.ts';
import { hidden, lines } from './lines.ts';

export const snowflakeWrites = lines(`
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
const behind = snowflakeWrites.flatMap((write) => [
  `select 1 ->> ${write}`,
  `select 1->>${write}`,
  `select 1 // ' \n; ${write} //'`,
  `select 1 /* /* */ ; ${write} --*/`,
  `select 'a\\'; ${write} --'; ${write}`,
  `select $a$ 1; ${write} $a$`,
  `select 1 -- \r; ${write}`,
  `select 1 // \u2028; ${write}`,
  `with x as (select 1 as a) ${write}`,
]);

/** Statements that must be refused: they write, have side effects, read files, call a model, or run a second statement. */
export const snowflakeRefused = [
  ...snowflakeWrites,
  ...hidden(snowflakeWrites),
  ...behind,
  ...lines(`
  insert overwrite into customer select * from customer
  insert all into customer select 1
  create or replace table customer as select * from orders
  create temporary table stolen as select 1
  create view stolen as select 1
  create stage stolen
  create sequence stolen
  create function stolen() returns int as '1'
  create procedure stolen() returns int language sql as 'begin return 1; end'
  create task stolen schedule = '1 minute' as select 1
  create user stolen
  create role stolen
  create warehouse stolen
  create share stolen
  create clone stolen clone customer
  undrop table customer
  drop database shop
  grant select on customer to role public
  revoke select on customer from role public
  alter session set timezone = 'UTC'
  alter user svc set rsa_public_key = 'x'
  alter warehouse work suspend
  alter warehouse work set warehouse_size = 'X4LARGE'
  set x = 1
  unset x
  use role accountadmin
  use warehouse work
  use database shop
  use secondary roles all
  begin
  begin transaction
  commit
  rollback
  begin select 1; end
  declare x int; begin return 1; end
  execute immediate 'delete from customer'
  execute immediate $$ delete from customer $$
  execute task stolen
  copy into customer from @stolen
  copy into @stolen from customer
  copy into 's3://bucket/x' from customer
  put file:///tmp/x @stolen
  get @stolen file:///tmp/x
  list @stolen
  ls @~
  remove @stolen
  rm @~/x
  show tables
  show grants to role accountadmin
  describe table customer
  desc table customer
  explain select 1
  comment on table customer is 'x'
  values (1)
  from customer
  table customer
  select 1; select 2
  select 1;select 2;
  select 1 ->> select 2
  select 1 ->> select * from $1
  show tables ->> select * from $1
  select * into stolen from customer
  select id into :x from customer
  select * from customer for update
  select * from customer for update nowait
  select counter.nextval
  select counter.NEXTVAL from customer
  select shop.public.counter.nextval
  select counter . nextval
  select counter /* x */ . /* y */ nextval
  select counter."NEXTVAL"
  select "counter"."nextval"
  select * from table(getnextval(counter))
  select n from customer, table(getnextval(counter)) as t (n)
  select * from (select counter.nextval as n from customer)
  with x as (select counter.nextval as n) select n from x
  select system$wait(10)
  select SYSTEM$WAIT(10)
  select system$wait (10)
  select "SYSTEM$WAIT"(10)
  select system$cancel_query('x')
  select system$cancel_all_queries(1)
  select system$abort_session(1)
  select system$abort_transaction(1)
  select system$send_email('a', 'b', 'c', 'd')
  select system$send_snowflake_notification('a', 'b')
  select system$pipe_force_resume('x')
  select system$task_dependents_enable('x')
  select system$user_task_cancel_ongoing_executions('x')
  select system$set_return_value('x')
  select system$stream_get_table_timestamp('x')
  select system$typeof(1)
  select * from table(system$x())
  select upper(system$wait(10))
  select snowflake.cortex.complete('model', 'x')
  select snowflake . cortex . complete('model', 'x')
  select "SNOWFLAKE"."CORTEX"."COMPLETE"('model', 'x')
  select cortex.complete('model', 'x')
  select snowflake.cortex.sentiment(name) from customer
  select snowflake.ml.forecast('x')
  select snowflake.notification.text_plain('x')
  select ai_complete('model', 'x')
  select AI_CLASSIFY(name, ['a', 'b']) from customer
  select ai_agg(name, 'x') from customer
  select ai_filter(name) from customer
  select forecast!predict(1)
  select model ! predict(1) from customer
  call forecast!forecast(1)
  select * from @stolen
  select $1 from @stolen/file.csv
  select $1 from @~/file.csv
  select $1 from @%customer
  select t.$1 from @shop.public.stolen (file_format => 'x') t
  select $1 from '@stolen/file.csv'
  select x from ('@stolen/file.csv')
  select x from customer, '@stolen/file.csv'
  select x from customer join '@stolen/file.csv'
  select x from 's3://bucket/file.csv'
  select * from table('@stolen')
  select * from directory(@stolen)
  select * from table(infer_schema(location => '@stolen', file_format => 'x'))
  select get_presigned_url('@stolen', 'x')
  select get_presigned_url(@stolen, 'x')
  select build_scoped_file_url('@stolen', 'x')
  select build_stage_file_url('@stolen', 'x')
  select get_stage_location('@stolen')
  select to_file('@stolen/x')
  select fl_get_size(x) from customer
  select * from table(result_scan(last_query_id()))
  select * from table(result_scan('01a2b3c4-0000-0000-0000-000000000000'))
  select * from table(RESULT_SCAN ('x'))
  select * from identifier('customer')
  select * from table(to_query('select 1'))
  select * from table(TO_QUERY (SQL => 'select system$wait(10)'))
  select identifier('email') from customer
  select identifier('system$wait')(10)
  select * from identifier($x)
  select $1 from customer
  select t.$2 from customer t
  select $x
  select * from customer where id = $id
  select {*} from customer
  select {c.*} from customer c
  select {* ilike 'e%'} from customer
  select { * } as x from customer
  with p as procedure () returns int language sql as $$ begin return 1; end $$ call p()
  with p as procedure() returns int language python handler = 'x' as 'def x(): pass' call p()
  with x as (select 1) call change_everything()
  with x as (select 1) show tables
  with x as (select 1) execute immediate 'x'
  with x as (select 1)
  with
  \`
  select \`id\` from customer
  select id # x
  select 'open
  select "open
  select 1 /* open
  select $$ open
  select 1 \\ 2
  select 1delete from customer
  select näme from customer
  select ınsert from customer
  ;
  ; select 1
  ()
  (delete from customer)
  ((insert into customer values (1)))
`),
];

/** Reads that must be accepted. */
export const snowflakeReads = [
  ...commonReads,
  ...lines(`
  select * from shop.public.customer
  select "id" from "customer" where "name" = 'a'
  select id::varchar, '2024-01-01'::date, try_cast('x' as int) from customer
  select detail:address.city::string, detail['a'], detail:items[0].id from customer
  select value from customer, lateral flatten(input => detail:items) f
  select f.value:id::int as id from customer c, table(flatten(input => c.detail, path => 'items')) f
  select * from table(generator(rowcount => 10))
  select seq4(), uniform(1, 10, random()) from table(generator(rowcount => 5))
  select * from table(split_to_table('a,b', ','))
  select * from table(information_schema.query_history())
  select table_name from information_schema.tables
  select * exclude (email) from customer
  select * exclude email rename name as n from customer
  select * ilike '%name%' from customer
  select id from customer qualify row_number() over (partition by name order by id) = 1
  select status, count(*) from orders group by all
  select status, count(*) from orders group by rollup (status)
  select status, count(*) from orders group by grouping sets ((status), ())
  select top 5 id from customer
  select id from customer limit 5 offset 5
  select id from customer fetch first 5 rows only
  select * from customer sample (10)
  select * from customer tablesample bernoulli (10)
  select * from orders at (timestamp => '2024-01-01'::timestamp_ltz)
  select * from orders before (statement => 'x')
  select * from orders pivot (sum(amount) for status in ('open', 'closed')) as p
  select * from orders unpivot (v for k in (amount))
  select * from orders match_recognize (partition by customer_id order by placed measures match_number() as n pattern (a+) define a as amount > 1)
  select c.name, o.amount from customer c asof join orders o match_condition (c.created >= o.placed)
  select c.name, x.amount from customer c, lateral (select amount from orders o where o.customer_id = c.id) x
  select object_construct('a', 1, 'b', null), array_construct(1, 2), {'a': 1}, [1, 2], {}
  select filter([1, 2, 3], x -> x > 1), transform([1, 2], (x int) -> x * 2)
  select insert('abcdef', 2, 3, 'X'), truncate(1.234, 2)
  select iff(amount > 1, 'a', 'b'), nvl(email, '-'), zeroifnull(amount), decode(status, 'a', 1) from customer, orders
  select listagg(name, ', ') within group (order by name) from customer
  select array_agg(distinct name) within group (order by name) from customer
  select date_trunc('month', placed), dateadd(day, 1, placed), datediff('day', placed, current_date) from orders
  select to_char(placed, 'YYYY-MM-DD'), convert_timezone('UTC', placed) from orders
  select regexp_like(name, 'A.*'), regexp_substr(name, '[a-z]+'), name rlike 'x', name ilike 'a%' from customer
  select split(email, '@'), split_part(email, '@', 2) from customer where email like '@%' or contains(email, '@example')
  select 'it''s', 'it\\'s', 'a\\\\', $$it's; delete from customer$$, $$$$
  select 'system$wait(10)', 'counter.nextval', '@stolen', 'insert into customer', '->>'
  select "insert", "call", "nextval" from (select 1 as "insert", 2 as "call", 3 as "nextval")
  select t.call, t.copy as merge, put.begin from (select 1 as begin) as put
  select detail:call, detail:insert::int from customer
  select 1 // delete from customer
  select 1 -- it's a comment⏎ + 1
  select 1 // it's a comment⏎ + 1
  select /* it's */ 1
  select a.id != b.id, a.id <> b.id, not a.id = b.id from customer a, customer b
  select 1 - 1, 1 -1, 3 > 2, 2 >= 1, a -> 1 from (select filter([1], a -> a > 0) as a)
  select 1 where 1 in (1, 2) and 'a' not in ('b', 'c')
  select * from (values (1, 'a'), (2, '@b')) as v (id, name)
  select column1, column2 from values (1, 'a'), (2, 'b')
  select current_timestamp(), current_user(), current_role(), current_warehouse(), sysdate()
  select last_query_id(), current_version(), current_account()
  select md5(name), sha2(name), hash(*), hex_encode(name) from customer
  select parse_json('{"a": 1}'):a::int, get_path(detail, 'a.b'), typeof(detail) from customer
  select st_asgeojson(to_geography('POINT(1 2)')), h3_latlng_to_cell(1, 2, 3)
  select approx_count_distinct(id), median(amount), percentile_cont(0.5) within group (order by amount) from orders
  select conditional_change_event(status) over (order by placed) from orders
  select sum(amount) over (partition by status order by placed range between interval '1 day' preceding and current row) from orders
  select id from customer start with id = 1 connect by prior id = id
  select sys_connect_by_path(name, '/'), level from customer start with id = 1 connect by id = prior id
  with recursive t (n) as (select 1 union all select n + 1 from t where n < 5) select n from t
  with a as (select 1 as x), b (y) as (select x from a) select * from b
  with a as (select 1 as x) (select x from a)
  (select 1) union (select 2)
  (with a as (select 1 as x) select x from a)
  select id from customer minus select id from orders
  select id from customer union by name select id from orders
  select cortex.id, ml.id from cortex, ml
  select ai.id, aircraft(1), system_id from ai
  select amount::number(38, 2), 1.5e-3, 1e10, .5, 0.5 from orders
  select * from customer where id = 1;
`),
];
