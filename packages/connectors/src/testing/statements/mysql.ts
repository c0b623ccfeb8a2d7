import { commonReads } from './common-reads.ts';
import { hidden, lines } from './lines.ts';

const writes = lines(`
  insert into customer (id, name) values (99, 'x')
  replace into customer (id, name) values (1, 'x')
  update customer set name = 'x'
  delete from customer
  truncate table customer
  drop table customer
  create table stolen (i int)
  alter table customer add column x int
  rename table customer to stolen
`);

/**
 * Statements that must be refused, even for a user with all privileges. They write, reach a file, take a lock, or
 * leave state.
 */
export const mysqlRefused = [
  ...writes,
  ...hidden(writes),
  ...lines(`
  insert into customer select * from customer
  insert ignore into customer (id) values (1) returning id
  insert into customer (id) values (1) on duplicate key update name = 'x'
  delete from customer returning id
  delete c from customer c join orders o on o.customer_id = c.id
  update customer c join orders o on o.customer_id = c.id set c.name = 'x'
  with x as (select 1) delete from customer
  with x as (select 1) update customer set name = 'x'
  create table stolen as select * from customer
  create temporary table stolen (i int)
  create or replace view stolen as select 1
  create index stolen on customer (name)
  create database stolen
  create user stolen
  create function stolen() returns int return 1
  create procedure stolen() delete from customer
  create trigger stolen before insert on customer for each row set @x = 1
  create event stolen on schedule every 1 day do delete from customer
  create sequence stolen
  create server stolen foreign data wrapper mysql options (host 'x')
  create role stolen
  alter user root identified by 'x'
  alter database shop character set latin1
  drop database shop
  drop user reader
  drop view if exists stolen
  grant all on *.* to reader
  revoke select on shop.* from reader
  set password = 'x'
  set global max_connections = 1
  set session sql_mode = ''
  set @@sql_log_bin = 0
  set transaction read write
  set session transaction read write
  set names utf8
  set role none
  set @x = 1
  set statement max_statement_time = 0 for select 1
  set autocommit = 1
  begin
  begin; select 1
  start transaction
  start transaction read write
  commit
  commit and chain
  commit; delete from customer
  rollback
  rollback; delete from customer
  savepoint x
  release savepoint x
  xa start 'x'
  lock tables customer write
  unlock tables
  flush tables
  flush tables with read lock
  flush privileges
  flush logs
  reset query cache
  reset master
  purge binary logs before now()
  optimize table customer
  analyze table customer
  analyze table customer persistent for all
  analyze format=json delete from customer
  analyze delete from customer
  repair table customer
  check table customer
  checksum table customer
  cache index customer in x
  load index into cache customer
  load data infile '/etc/passwd' into table customer
  load data local infile '/etc/passwd' into table customer
  load xml infile '/etc/passwd' into table customer
  select * from customer into outfile '/tmp/svc-refused-mysql'
  select * into outfile '/tmp/svc-refused-mysql' from customer
  select name into dumpfile '/tmp/svc-refused-mysql' from customer limit 1
  select 1 into @x
  select id, name into @a, @b from customer limit 1
  select load_file('/etc/passwd')
  select LOAD_FILE ('/etc/passwd')
  select load_file/**/('/etc/passwd')
  select \`load_file\`('/etc/passwd')
  select get_lock('x', 1)
  select GET_LOCK('x', 0) from customer
  select release_lock('x')
  select release_all_locks()
  select is_free_lock('x'), get_lock('x', 1)
  select sleep(60)
  select sleep (60)
  select * from customer where sleep(60)
  select benchmark(1000000000, sha2('a', 512))
  select master_pos_wait('x', 1)
  select master_gtid_wait('0-1-1', 1)
  select nextval(counter)
  select setval(counter, 99)
  select next value for counter
  select counter.nextval
  select sys_exec('id')
  select sys_eval('id')
  select writes_a_row()
  select * from orders for update
  /*!50000 delete from customer */
  /*! delete from customer */
  select 1 /*! into outfile '/tmp/svc-refused-mysql' */
  select 1 /*!99999 , 2 */
  select /*M! 1, */ 2
  /*M!100000 delete from customer */
  select 1 /*!50000 union select 2 */
  /*!40101 set names utf8 */
  call stolen()
  call clean_customers()
  do sleep(10)
  do get_lock('x', 1)
  execute immediate 'delete from customer'
  prepare x from 'delete from customer'
  execute x
  deallocate prepare x
  handler customer open
  handler customer read first
  help 'select'
  kill 1
  kill query 1
  shutdown
  install plugin x soname 'x.so'
  install soname 'x'
  uninstall plugin x
  create function sys_exec returns int soname 'x.so'
  change master to master_host = 'x'
  start slave
  stop slave
  binlog 'x'
  signal sqlstate '45000'
  resignal
  get diagnostics @x = number
  use mysql
  begin not atomic delete from customer; end
  if 1 then delete from customer; end if
  for i in 1..2 do delete from customer; end for
  delimiter //
  source /etc/passwd
  \\. /etc/passwd
  backup stage start
  explain select 1; drop table customer
  show tables; drop table customer
  show grants
  show grants for current_user()
  show /* x */ grants
  show create user
  show create user root@localhost
  show processlist
  show full processlist
  show engine innodb status
  show engine performance_schema status
  show explain for 1
  show analyze for 1
  show explain format=json for 1
  show binlog events
  show relaylog events
  show slave hosts
  explain for connection 1
  explain format=json for connection 1
  describe for connection 1
  describe customer; drop table customer
  values (1); drop table customer
  (select 1); drop table customer
  ;
  ; select 1
  -- only a comment
  # only a comment
  /* unterminated
  select 'unterminated
  select "unterminated
  select \`unterminated
  select 'a\\'; drop table customer; -- '; drop table customer
  select "a\\"; drop table customer; -- "; drop table customer
  select ';' ; drop table customer
  select 1 # comment⏎; drop table customer
  select 1 -- comment⏎; drop table customer
  selec 1
  select 1 select 2
`),
  'select 1 \0; drop table customer',
];

export const mysqlReads = [
  ...commonReads,
  ...lines(`
  values (1, 'a'), (2, 'b')
  (select 1)
  (select 1) union (select 2)
  show tables
  show databases
  show columns from customer
  show full columns from customer
  show create table customer
  show index from orders
  show variables like 'version'
  show status like 'Threads%'
  show table status
  show engines
  show plugins
  show warnings
  describe customer
  desc customer
  explain customer
  explain select * from customer
  explain extended select * from customer
  explain format=json select count(*) from orders
  select "double quoted string", 'it\\'s', "a""b", 'a''b'
  select \`name\` from \`customer\`
  select * from customer where name = "Ann" # comment
  select 5--1
  select 1 -- comment
  select now(), curdate(), utc_timestamp(), unix_timestamp()
  select date_format(placed, '%Y-%m'), year(placed), datediff(placed, '2024-01-01') from orders
  select placed + interval 1 day from orders
  select concat(name, ' <', email, '>') from customer
  select concat_ws(', ', name, email) from customer
  select group_concat(name order by name separator ';') from customer
  select ifnull(email, '-'), if(id > 1, 'a', 'b') from customer
  select json_extract('{"a": 1}', '$.a'), json_object('a', 1)
  select json_arrayagg(id) from customer
  select name regexp '^A', name rlike 'b$' from customer
  select binary 'a' = 'A', 'a' collate utf8mb4_bin
  select @@version, @@session.time_zone
  select database(), user(), version(), connection_id()
  select @r := 1
  select table_name from information_schema.tables
  select * from information_schema.columns where table_schema = 'shop' limit 5
  select sql_no_cache * from customer
  select straight_join * from customer join orders on orders.customer_id = customer.id
  select * from customer use index (primary)
  select /*+ hint */ * from customer
  select status, sum(amount) from orders group by status with rollup
  select * from orders order by id limit 1, 1
  select x'00ff', 0xff, b'101', _utf8'a'
  select md5('a'), sha2('a', 256), uuid()
  select cast('1' as signed), convert('1', decimal(10, 2))
  select inet_aton('192.168.0.1'), hex('a'), bin(5)
  select 1 <=> null, 7 div 2, 7 mod 2, not 1, 1 xor 0
  select 'load_file(1)' as t, 1 as \`sleep\`
  select is_free_lock('x')
  select seq from seq_1_to_10
  select * from customer lock in share mode
  select id from customer where (id, name) = (1, 'Ann')
  with recursive n as (select 1 as i union all select i + 1 from n where i < 5) select group_concat(i) from n
`),
];
