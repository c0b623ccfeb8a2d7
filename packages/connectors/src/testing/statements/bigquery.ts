import { commonReads } from './common-reads.ts';
import { hidden, lines } from './lines.ts';

/** Writes. Without the gate and the dry run, only the token could prevent them. */
export const bigqueryWrites = lines(`
  insert into shop.customer (id, name) values (99, 'x')
  insert shop.customer select * from shop.customer
  update shop.customer set name = 'x' where true
  delete from shop.customer where true
  delete shop.customer where true
  merge shop.customer c using shop.orders o on c.id = o.id when matched then delete
  truncate table shop.customer
  drop table shop.customer
  create table shop.stolen (i int64)
  create or replace table shop.stolen as select * from shop.customer
  create temp table stolen as select 1 as i
  create view shop.stolen as select 1 as i
  create materialized view shop.stolen as select 1 as i
  create external table shop.stolen options (format = 'CSV', uris = ['gs://x/y'])
  create snapshot table shop.stolen clone shop.customer
  create table shop.stolen clone shop.customer
  create schema stolen
  create temp function f() as (1)
  create function shop.f() as (1)
  create function shop.f(x int64) returns int64 remote with connection us.c options (endpoint = 'https://x.test/')
  create procedure shop.p() begin select 1; end
  create model shop.m options (model_type = 'linear_reg') as select 1 as label
  create search index i on shop.customer (name)
  create row access policy p on shop.customer grant to ('allUsers') filter using (true)
  alter table shop.customer add column x int64
  alter table shop.customer set options (expiration_timestamp = timestamp '2020-01-01')
  alter schema shop set options (default_table_expiration_days = 1)
  drop schema shop cascade
  drop view shop.names
  drop function shop.f
  undrop schema shop
  export data options (uri = 'gs://x/y-*.csv', format = 'CSV') as select * from shop.customer
  export model shop.m options (uri = 'gs://x/y')
  load data into shop.customer from files (format = 'CSV', uris = ['gs://x/y'])
  grant \`roles/bigquery.dataViewer\` on table shop.customer to 'user:x@example.com'
  revoke \`roles/bigquery.dataViewer\` on table shop.customer from 'user:x@example.com'
  call shop.p()
  execute immediate 'drop table shop.customer'
  begin transaction
  commit transaction
  rollback transaction
  begin drop table shop.customer; end
  declare x int64 default 1
  set x = 1
  set @@dataset_id = 'shop'
  if true then drop table shop.customer; end if
  loop drop table shop.customer; end loop
  while true do drop table shop.customer; end while
  for r in (select 1) do drop table shop.customer; end for
  repeat drop table shop.customer; until true end repeat
  case when true then drop table shop.customer; end case
  assert false
  raise using message = 'x'
`);

/** Statements that must be refused: they write, leave BigQuery, are several statements, or are ambiguous. */
export const bigqueryRefused = [
  ...bigqueryWrites,
  ...hidden(bigqueryWrites.slice(0, 12)),
  ...lines(`
  select * from external_query('us.c', 'select 1')
  select * from External_Query('us.c', '''delete from t''')
  select * from \`external_query\`('us.c', 'select 1')
  select * from external_query ('us.c', 'select 1')
  select * from external_query /* x */ ('us.c', 'select 1')
  select * from external_query -- x⏎('us.c', 'select 1')
  with a as (select * from external_query('us.c', 'select 1')) select * from a
  with a as (select 1 as id) insert into orders (id) select id from a
  with a as (select 1 as id) delete from orders where true
  with a as (select 1 as id) update orders set id = 1 where true
  select (select count(*) from external_query('us.c', 'select 1'))
  select * from external_object_transform(table shop.files, ['SIGNED_URL'])
  select * from ml.generate_text(model shop.m, table shop.customer)
  select * from ML.PREDICT(model shop.m, table shop.customer)
  select * from \`ml\`.\`predict\`(model shop.m, table shop.customer)
  select * from \`ml.predict\`(model shop.m, table shop.customer)
  select * from ml . predict (model shop.m, table shop.customer)
  select * from ml/* x */.predict(model shop.m, table shop.customer)
  select ai.generate(name) from shop.customer
  select AI.GENERATE(name) from shop.customer
  select ai.classify(name, ['a']), 1 from shop.customer
  select \`ai\`.generate(name) from shop.customer
  select id from shop.customer where ai.if(('is it?', name))
  select safe.ai.generate(name) from shop.customer
  select obj.get_access_url(ref, 'r') from shop.files
  select (name).(ai.generate)()
  select (name).(safe.left)(2) from shop.customer
  from shop.customer
  from shop.customer |> select name
  select * from shop.customer |> where id = 1
  select * from shop.customer |> drop email
  select 1 |> export data options (uri = 'gs://x/y')
  select 1; select 2
  select 1;; select 2
  select 1; drop table shop.customer
  select 1 /* x */; drop table shop.customer
  select 1 -- x⏎; drop table shop.customer
  select 1 # x⏎; drop table shop.customer
  select '''a'''; drop table shop.customer
  select """a"""; drop table shop.customer
  select 'a\\\\'; drop table shop.customer
  select r'a\\\\'; drop table shop.customer
  select '''a''; drop table shop.customer; --
  select 'open
  select "open
  select \`open
  select '''open
  select """open""
  select 1 /* open
  select 'a⏎b'
  select "a⏎b"
  select \`a\\\\b\`
  select \`external\\\\x5fquery\`('us.c', 'select 1')
  select \`a\`\`b\` from t
  select a$b from t
  select ünder from t
  select $1
  ;
  ; select 1
  EXPLAIN select 1
  explain delete from shop.customer where true
  show tables
  describe shop.customer
  desc shop.customer
  use shop
  values (1)
  table shop.customer
  (delete from shop.customer where true)
  ((drop table shop.customer))
  graph g match (n) return n
  help
  begin
  end
  1
  'select 1'
  \`select\` 1
  "select" 1
  --
  # select 1
  /* select 1 */
  /* select 1 */ drop table shop.customer
  -- select 1⏎drop table shop.customer
  # select 1⏎drop table shop.customer
  `),
  'select 1 -- x\r; drop table shop.customer',
  'select 1 # x\rfrom external_query("us.c", "select 1")',
  'select 1\0',
  "select '\\",
];

/** Common reads in another dialect: here double quotes are texts, quotes are not doubled, and types have other names. */
const foreign = /''|as "|as char/;

export const bigqueryReads = [
  ...commonReads.filter((sql) => !foreign.test(sql)),
  ...lines(`
  select * from \`svc-tests.shop.customer\`
  select * from \`svc-tests\`.shop.customer
  select * from svc-tests.shop.customer
  select * from shop.\`customer\` as c
  select * except (email) from customer
  select * replace (upper(name) as name) from customer
  select c.* from customer c
  select as struct id, name from customer
  select struct(1 as a, 'x' as b).a
  select array(select id from customer order by id)
  select [1, 2, 3][offset(0)], [1, 2, 3][safe_offset(9)]
  select x from unnest([1, 2, 3]) as x with offset as at order by at
  select c.id, t from customer c, unnest(split(c.name, ' ')) t
  select id from orders qualify row_number() over (partition by customer_id order by placed desc) = 1
  select date '2024-01-01', timestamp '2024-01-01 00:00:00+00', datetime '2024-01-01', time '12:00:00'
  select date_trunc(date(placed), month), count(*) from orders group by 1
  select timestamp_sub(current_timestamp(), interval 7 day)
  select extract(year from placed) from orders
  select format_timestamp('%Y-%m', placed) from orders
  select safe_cast('x' as int64), cast(id as string) from customer
  select safe.substr(name, 1, -1), safe_divide(1, 0) from customer
  select net.host('https://example.com/x'), net.ip_to_string(b'\\x01\\x02\\x03\\x04')
  select hll_count.merge(hll_count.init(id)) from customer
  select kll_quantiles.init_int64(id) from customer
  select approx_quantiles(amount, 4)[offset(2)], approx_count_distinct(customer_id) from orders
  select countif(status = 'open'), logical_or(true), any_value(status) from orders
  select string_agg(name, ', ' order by name limit 3), array_agg(id ignore nulls limit 2) from customer
  select json_value(data, '$.a.b'), json_query(data, "$.c"), data.a.b, data['x'] from t
  select parse_json('{"a": [1, 2]}'), to_json_string(struct(1 as a))
  select r'\\d+\\'' as raw
  select b'ab', br"x\\"y", rb'''z'''
  select '''several⏎lines; drop table x'''
  select """it's "quoted"; delete from x"""
  select 'it\\'s; drop table x'
  select "it's; drop table x"
  select '', "", '''''', """"""
  select 'a' 'b'
  select regexp_contains(name, r'^A'), regexp_extract(name, r"(\\w+)") from customer
  select 1 # a comment; drop table x
  select 1 -- external_query('x', 'y')
  select 'external_query(1)', "ml.predict(2)"
  select ai.id, ml.name from airports ai join shop.models ml on ml.id = ai.id
  select ml from t
  select external_query from t
  select * from orders for system_time as of timestamp_sub(current_timestamp(), interval 1 hour)
  select * from orders tablesample system (10 percent)
  select * from shop.INFORMATION_SCHEMA.TABLES
  select * from \`region-eu\`.INFORMATION_SCHEMA.COLUMNS
  select * from (select status, amount from orders) pivot (sum(amount) for status in ('open', 'closed'))
  select * from t unpivot (v for k in (a, b))
  select status, sum(amount) from orders group by rollup (status)
  select status, sum(amount) from orders group by grouping sets (status, ())
  select * from orders o left join unnest([1, 2]) as n on n = o.id
  select id from orders where placed between '2024-01-01' and '2024-02-01'
  select id from orders where (customer_id, status) in ((1, 'open'))
  select if(amount > 1, 'x', 'y'), ifnull(status, '') from orders
  select generate_array(1, 10, 2), generate_date_array('2024-01-01', '2024-01-03')
  select st_astext(st_geogpoint(8, 47)), st_distance(a, b) from places
  select interval 1 day, make_interval(1, 2, 3)
  select last_value(amount ignore nulls) over w from orders window w as (partition by status order by id)
  select @@project_id, session_user()
  select farm_fingerprint(name), to_hex(sha256(name)), generate_uuid() from customer
  select percentile_cont(amount, 0.5) over () from orders
  select table_name, \`select\`, \`from\` from t
  with recursive n as (select 1 as i union all select i + 1 from n where i < 5) select * from n
  select (select as struct 1 as a, 2 as b).b
  select id from customer union distinct select id from orders
  select id from customer except distinct select customer_id from orders
  select max_by(status, amount), min_by(status, amount) from orders
  select * from customer order by id limit 10 offset 5;
  `),
];
