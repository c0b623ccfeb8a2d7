import { commonReads } from './common-reads.ts';
import { hidden, lines } from './lines.ts';

export const sqlserverWrites = lines(`
  insert into customer (id, name) values (99, 'x')
  update customer set name = 'x'
  delete from customer
  truncate table customer
  drop table customer
  create table stolen (i int)
  alter table customer add x int
  merge customer using orders on 1 = 0 when not matched then insert (id) values (1)
  exec sp_rename 'customer', 'stolen'
`);

/** The same writes, after a read without a `;`. */
const behind = sqlserverWrites.flatMap((write) => [
  `select 1 ${write}`,
  `select 1\n${write}`,
  `select 1 as a/**/${write}`,
  `select 'a'${write}`,
  `select 1${write}`,
  `select 0x${write}`,
  `select [a]${write}`,
  `select $${write}`,
  `select \u20ac${write}`,
  `select 1 from customer where 1 = (1)${write}`,
  `with x as (select 1 as a) ${write}`,
  `select 1 -- \r${write}`,
  `select 1 -- \u2028${write}`,
  `select 1 /* /* */ */ ${write}`,
  `select 1 /* *\\\n/ ${write} -- */`,
  `select @p1\u20ac${write}`,
  `select 1\ufeff${write}`,
  `select 1\x01${write}`,
]);

/** Statements that must be refused: they write, lock, reach a file or another server, or run a second statement. */
export const sqlserverRefused = [
  ...sqlserverWrites,
  ...hidden(sqlserverWrites),
  ...behind,
  ...lines(`
  sp_who
  sp_configure 'show advanced options', 1
  exec sp_executesql N'delete from customer'
  execute ('delete from customer')
  exec xp_cmdshell 'dir'
  select * into stolen from customer
  select * into #stolen from customer
  select id into stolen from customer union select 1
  with x as (select 1 as a) select a into stolen from x
  select 1 select 2
  (select 1) (select 2)
  select len('a') ((select 2))
  select 1 (select 2)
  select [id] (select 2)
  select 1 select 2 into stolen
  (select 1) select 2
  (select 1) (select 2) select 3
  with x as (select 1 as a) select a from x select 2
  with x as (select 1 as a) (select a from x) select 2
  select 1 with x as (select 2 as a) select a from x
  select 1; select 2
  select next value for counter
  select next/**/value for dbo.counter over (order by id) from customer
  select * from openrowset('SQLNCLI', 'Server=x;', 'select 1')
  select * from openrowset(bulk 'c:/x.txt', single_clob) as x
  select * from openquery(other, 'delete from customer')
  select * from opendatasource('SQLNCLI', 'x').shop.dbo.customer
  select * from openxml(1, '/a')
  select * from other.shop.dbo.customer
  select * from other.shop..customer
  select * from other...customer
  select * from [other].[shop].[dbo].[customer]
  select * from "other".shop . dbo . customer
  select * from customer with (updlock)
  select * from customer with (xlock, rowlock)
  select * from customer with (tablock)
  select * from customer with (tablockx)
  select * from customer with (holdlock)
  select * from customer with (nolock, paglock)
  select * from customer with (serializable)
  select * from customer with (repeatableread)
  select * from customer with (readcommittedlock)
  select * from customer (updlock)
  select * from customer with ([updlock])
  select * from customer with ("xlock", [tablock])
  select * from sys.fn_get_audit_file('c:/x', default, default)
  select * from sys.fn_get_audit_file_v2('c:/x', default, default, null, null)
  select * from sys.fn_xe_file_target_read_file('c:/x', null, null, null)
  select * from fn_trace_gettable('c:/x', default)
  select * from sys.fn_dblog(null, null)
  select * from sys.[fn_dblog](null, null)
  select * from sys.fn_dump_dblog(null, null, 'disk', 1, 'c:/x')
  select * from sys.dm_os_file_exists('c:/x')
  select * from sys.dm_os_enumerate_filesystem('c:/', '*')
  select ai_generate_embeddings(name use model m) from customer
  waitfor delay '00:10'
  select 1 waitfor delay '00:10'
  use master
  select 1 use master
  select 1 use hint
  set nocount on
  select 1 set nocount on
  set transaction isolation level serializable
  select 1 set implicit_transactions on
  begin transaction
  select 1 commit
  select 1 rollback
  select 1 save transaction a
  select 1 begin tran
  declare @x int
  select 1 declare @x int
  declare c cursor for select 1
  select 1 open c
  select 1 fetch next from c
  select 1 fetch from c
  select 1 fetch c
  select 1 as rows fetch next from c
  select 1 as rows fetch next c
  select 1 as rows fetch next [c]
  select 1 as rows fetch prior from c
  select 1 close c
  select 1 deallocate c
  if 1 = 1 delete from customer
  select 1 if 1 = 1 select 2
  select 1 while 1 = 1 select 2
  select 1 goto a
  select 1 return
  select 1 break
  select 1 continue
  print 'x'
  select 1 print 'x'
  raiserror ('x', 16, 1) with log
  select 1 raiserror ('x', 16, 1) with log
  select 1 throw 50000, 'x', 1
  select 1 as a throw
  kill 52
  select 1 kill 52
  shutdown
  select 1 shutdown with nowait
  checkpoint
  select 1 checkpoint
  reconfigure
  select 1 reconfigure
  dbcc freeproccache
  select 1 dbcc freeproccache
  backup database shop to disk = 'c:/x'
  select 1 backup log shop to disk = 'nul'
  restore database shop from disk = 'c:/x'
  select 1 restore database shop from disk = 'c:/x'
  bulk insert customer from 'c:/x'
  select 1 bulk insert customer from 'c:/x'
  grant select on customer to reader
  select 1 grant select on customer to reader
  select 1 deny select on customer to reader
  select 1 revoke select on customer to reader
  execute as login = 'sa'
  select 1 execute as user = 'dbo'
  select 1 revert
  select 1 setuser 'dbo'
  create or alter procedure stolen as delete from customer
  select 1 create login stolen with password = 'x'
  select 1 alter login sa enable
  select 1 alter server role sysadmin add member reader
  select 1 drop database shop
  enable trigger a on customer
  select 1 as a enable trigger a on customer
  select 1 as a disable trigger all on database
  receive top (1) * from queue
  select 1 as a receive * from queue
  select 1 as a send on conversation '0' ('x')
  begin dialog conversation @h from service a to service 'b'
  select 1 as a end conversation @h
  select 1 as a get conversation group @g from queue
  select 1 as a move conversation @h to @g
  select 1 as a add signature to p by certificate c
  select 1 writetext customer.name @p 'x'
  select 1 updatetext customer.name @p 0 null 'x'
  select 1 readtext customer.name @p 0 1
  select 1 lineno 5
  select 1⏎go⏎delete from customer
  select * from (delete from customer output deleted.id) x
  select * from customer for update
  {call sp_who}
  select 1 {call sp_who}
  select 1 {? = call sp_who}
  values (1)
  table customer
  show tables
  explain select 1
  select [a\\⏎]
  select 1\u00a0as a
  select \u0007 1
  select 'open
  select "open
  select [open
  select 1 /* open
  select 1 /* /* */
  select 1.delete
  select 1e5delete from customer
  select 1.5update customer set id = 1
  select .5drop table customer
  select \\⏎1
  select ınsert
  select ｄｅｌｅｔｅ
  select 名 from customer
  ;
  ; select 1
  /* select 1 */
  `),
];

/** Common reads that T-SQL does not support, or writes differently. */
const foreign = /\blimit\b|\brecursive\b|current_date|\blength\(|1 <> 2/;

/** Reads of every kind that must be accepted. */
export const sqlserverReads = [
  ...commonReads.filter((sql) => !foreign.test(sql)),
  ...lines(`
  select top 5 id, name from customer order by id
  select top (5) with ties id from orders order by amount
  select top (5) (select max(amount) from orders) as most, id from orders
  select top 10 percent id from orders
  select id from customer order by id offset 5 rows fetch next 10 rows only
  select id from customer order by id offset 0 row fetch first 1 row only
  select id from customer order by id offset {{a}} rows fetch next {{b}} rows only
  select [name], [order] from [dbo].[customer]
  select [a]]b] from [odd name]
  select "name", "update" from "customer"
  select [delete], [update], [into] from [exec]
  select N'delete from customer'
  select N'Gr\u00fc\u00dfe' as gr\u00fc\u00dfe
  select gr\u00f6\u00dfe from stra\u00dfe
  select @@version
  select @@servername, @@spid
  select getdate(), sysutcdatetime(), sysdatetimeoffset()
  select len(name), datalength(name) from customer
  select isnull(name, 'x'), iif(id = 1, 'a', 'b'), choose(1, 'a', 'b') from customer
  select convert(varchar(10), placed, 120) from orders
  select try_cast('1' as int), try_convert(int, 'x'), parse('1' as int)
  select cast(amount as decimal(38, 10)), cast(1 as money), $1.50 from orders
  select 0x1F, 0x, 1e5, 1.5e-3, .5, 1.
  select datepart(year, placed), datename(weekday, placed), eomonth(placed) from orders
  select dateadd(day, 1, placed), datediff(second, placed, getdate()) from orders
  select string_agg(name, ', ') within group (order by name) from customer
  select name from customer for json path
  select name from customer for json auto, without_array_wrapper
  select name from customer for xml path('c'), root('r')
  select * from openjson('[1]') with (a int '$')
  select json_value('{"a": 1}', '$.a')
  select x.value('(/a)[1]', 'int') from (select cast('<a>1</a>' as xml) as x) t
  select * from customer c cross apply (select top 1 * from orders o where o.customer_id = c.id) o
  select * from customer c outer apply string_split(c.name, ' ') s
  select * from customer with (nolock)
  select * from customer with (index (1), readpast)
  select * from customer (nolock)
  select * from customer c inner merge join orders o on o.customer_id = c.id
  select * from customer c inner loop join orders o on o.customer_id = c.id
  select * from customer c join orders o on o.customer_id = c.id option (merge join, maxdop 1)
  select * from customer option (use hint ('DISABLE_OPTIMIZER_ROWGOAL'))
  select * from customer option (recompile)
  with n as (select 1 as i union all select i + 1 from n where i < 10) select i from n option (maxrecursion 100)
  with a as (select 1 as x), b (y) as (select x from a) select * from b
  with a as (select 1 as x) select x from a union all select 2
  with xmlnamespaces ('urn:a' as a) select 1 as [a:b] for xml path
  (select 1) union (select 2)
  (select 1)
  select * from (select 1 union all select 2) x (a)
  select * from (values (1, 'a'), (2, 'b')) v (id, name)
  select status, count(*) from orders group by rollup (status)
  select status, count(*) from orders group by grouping sets ((status), ())
  select * from (select status, amount from orders) s pivot (sum(amount) for status in ([open], [closed])) p
  select k, v from (select id, name, email from customer) s unpivot (v for k in (name, email)) u
  select * from shop.dbo.customer
  select * from shop..customer
  select dbo.customer.name from dbo.customer
  select name collate Latin1_General_100_BIN2 from customer
  select * from sys.tables
  select * from information_schema.columns
  select * from customer for system_time as of '2024-01-01'
  select * from customer tablesample (10 percent)
  select row_number() over (partition by status order by id) from orders
  select sum(amount) over (order by id rows unbounded preceding) from orders
  select percentile_cont(0.5) within group (order by amount) over (partition by status) from orders
  select count_big(*), checksum_agg(id) from orders
  select id from #work
  select id from ##work
  select case when exists (select 1 from orders) then 1 else 0 end
  select id from customer where name = all (select name from customer)
  select a$b, a_1 from t
  select 1 /* /* nested */ delete */ as x
  select 1 -- delete from customer⏎, 2
  select 'it''s' + N'a"b[c'
  select {d '2024-01-01'}, {fn upper(name)} from customer
  select newid(), rand(), host_name(), suser_sname()
  select format(amount, 'N2', 'en-US') from orders
  select geography::Point(47, 8, 4326).STAsText()
  select created_at, updated_at, deleted, inserted_by, set_id from t
  select id from customer where freetext(name, 'x') or contains(name, 'y')
  select at.x from t at
  select placed at time zone 'UTC' from orders
  select trim('x' from name), translate(name, 'ab', 'cd'), concat_ws('-', id, name) from customer
  select greatest(1, 2), least(1, 2)
  select * from generate_series(1, 10)
  `),
];
