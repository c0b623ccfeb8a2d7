import { lines } from './lines.ts';

/**
 * Reads that every engine accepts, over `customer (id, name, email, created)` and `orders (id, customer_id, amount,
 * placed, status)`.
 */
export const commonReads = lines(`
  select 1
  select 1;
  SELECT 1 AS one, 2 AS two
  select * from customer
  select id, name from customer order by id
  select id, name from customer order by name desc limit 5
  select distinct status from orders
  select count(*) from orders
  select count(distinct customer_id) from orders
  select status, count(*) from orders group by status
  select status, count(*) as n from orders group by status having count(*) > 1 order by n desc
  select customer_id, sum(amount) from orders group by customer_id
  select customer_id, avg(amount), min(amount), max(amount) from orders group by customer_id
  select c.name, o.amount from customer c join orders o on o.customer_id = c.id
  select c.name, o.amount from customer c left join orders o on o.customer_id = c.id where o.id is null
  select c.name from customer c inner join orders o on c.id = o.customer_id and o.status = 'open'
  select a.id, b.id from customer a cross join customer b
  select name from customer where id in (1, 2, 3)
  select name from customer where id in (select customer_id from orders)
  select name from customer where exists (select 1 from orders where orders.customer_id = customer.id)
  select name from customer where not exists (select 1 from orders where orders.customer_id = customer.id)
  select name from customer where name like 'A%'
  select name from customer where name not like '%z'
  select name from customer where id between 1 and 2
  select name from customer where name is not null and email is not null
  select name from customer where (id = 1 or id = 2) and not (id = 3)
  select case when amount > 5 then 'large' else 'small' end as size from orders
  select case status when 'open' then 1 when 'closed' then 2 end from orders
  select coalesce(name, 'nobody') from customer
  select nullif(status, 'open') from orders
  select upper(name), lower(email), length(name) from customer
  select trim(name), replace(name, 'a', 'b') from customer
  select round(amount), abs(amount) from orders
  select amount * 2 + 1 - 3 / 4 as x from orders
  select cast(id as char(10)) from customer
  select 'it''s quoted' as t
  select 'insert into customer' as t
  select 'a;b' as t
  select 'drop table customer; --' as t
  select '-- no comment' as t from customer
  select 'select * from (delete from customer) x' as t
  select 1 as "update"
  select 1 -- trailing comment
  select 1 /* delete from customer */
  /* a comment first */ select 1
  -- a comment first⏎select 1
  select⏎  id,⏎  name⏎from⏎  customer
  select id from customer union select id from orders
  select id from customer union all select id from orders order by 1
  select id from customer except select customer_id from orders
  select id from customer intersect select customer_id from orders
  with c as (select id from customer) select * from c
  with a as (select 1 as x), b as (select x + 1 as y from a) select * from a, b
  with recursive n as (select 1 as i union all select i + 1 from n where i < 10) select i from n
  with t as (select status, count(*) as n from orders group by status) select max(n) from t
  select * from (select id, name from customer) as t
  select t.n from (select count(*) as n from orders) t
  select (select count(*) from orders) as orders, (select count(*) from customer) as customers
  select id, row_number() over (order by id) from customer
  select id, rank() over (partition by status order by amount) from orders
  select id, sum(amount) over (order by id rows between 1 preceding and current row) from orders
  select id, lag(amount) over (order by id), lead(amount) over (order by id) from orders
  select id, first_value(amount) over (partition by customer_id order by id) from orders
  select customer_id, dense_rank() over (order by sum(amount)) from orders group by customer_id
  select id from customer order by id limit 1 offset 1
  select max(placed) from orders
  select current_date
  select current_timestamp
  select id % 2 from customer
  select -id, +id from customer
  select 1.5, .5, 1e3
  select 1 = 1, 1 <> 2, 1 < 2
  select (1), ((2))
  select sum(case when status = 'open' then amount else 0 end) from orders
  select o.status, c.name, count(*) from orders o, customer c where o.customer_id = c.id group by o.status, c.name
  select name as deleted, id as created_at from customer
  select id as "set" from customer
  select email as "commit" from customer where name <> 'begin'
`);
