import { commonReads } from '../common-reads.ts';
import { lines } from '../lines.ts';

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
