import { commonReads } from './common-reads.ts';
import { hidden, lines } from './lines.ts';

const writes = lines(`
  insert into customer (id, name) values (99, 'x')
  update customer set name = 'x'
  delete from customer
  truncate customer
  drop table customer
  create table stolen (i int)
  alter table customer add column x int
  merge into customer c using orders o on o.customer_id = c.id when matched then delete
`);

/** Statements that must be refused, even for a superuser. They write, reach a file, signal another session, or leave state. */
export const postgresqlRefused = [
  ...writes,
  ...hidden(writes),
  ...lines(`
  insert into customer select * from customer
  insert into customer (id) values (1) on conflict do nothing returning id
  with x as (insert into customer (id, name) values (98, 'x') returning *) select * from x
  with x as (update customer set name = 'y' returning *) select * from x
  with x as (delete from customer returning *) select * from x
  with x as materialized (delete from orders returning *) select count(*) from x
  with recursive x as (delete from orders returning id) select * from x
  select * into stolen from customer
  select 1 into temp stolen
  select * into unlogged stolen from customer
  create table stolen as select * from customer
  create temp table stolen (i int)
  create view stolen as select 1
  create materialized view stolen as select 1
  create index on customer (name)
  create schema stolen
  create extension dblink
  create function stolen() returns int language sql as 'select 1'
  create role stolen superuser
  create database stolen
  create sequence stolen
  create trigger stolen before insert on customer execute function x()
  create rule stolen as on insert to customer do nothing
  create type stolen as enum ('a')
  create domain stolen as int
  alter role postgres password 'x'
  alter system set work_mem = '1MB'
  alter database postgres set work_mem = '1MB'
  drop schema public cascade
  drop role svc_test
  grant all on customer to public
  revoke all on customer from public
  comment on table customer is 'x'
  security label on table customer is 'x'
  vacuum customer
  vacuum full
  analyze customer
  reindex table customer
  cluster customer
  checkpoint
  refresh materialized view x
  copy customer to '/tmp/svc-refused.csv'
  copy customer from '/etc/passwd'
  copy (select 1) to program 'touch /tmp/svc-refused-program'
  copy customer from program 'cat /etc/passwd'
  copy customer to stdout
  copy customer from stdin
  do $$ begin delete from customer; end $$
  do language plpgsql 'begin perform 1; end'
  call stolen()
  execute x
  prepare x as select 1
  deallocate all
  declare c cursor for select 1
  declare c cursor with hold for select 1
  fetch all from c
  move c
  close all
  begin
  begin; select 1
  start transaction read write
  commit
  commit and chain
  commit; delete from customer
  rollback
  rollback; delete from customer
  end
  abort
  savepoint x
  release savepoint x
  rollback to savepoint x
  prepare transaction 'x'
  commit prepared 'x'
  set transaction read write
  set transaction_read_only = off
  set session characteristics as transaction read write
  set role postgres
  set session authorization postgres
  set work_mem = '1GB'
  set local statement_timeout = 0
  set search_path = pg_temp
  reset all
  reset role
  discard all
  listen x
  notify x
  notify x, 'payload'
  unlisten *
  lock table customer
  lock customer in access exclusive mode
  load 'plpgsql'
  import foreign schema x from server y into public
  select set_config('transaction_read_only', 'off', false)
  select set_config('statement_timeout', '0', false)
  select pg_catalog.set_config('work_mem', '1GB', false)
  select "set_config"('work_mem', '1GB', false)
  select set_config /* between */ ('work_mem', '1GB', false)
  select pg_notify('x', 'y')
  select PG_NOTIFY('x', 'y')
  select "pg_notify"('x', 'y')
  select U&"pg\\005fnotify"('x', 'y')
  select u&"!0070g_notify" uescape '!' ('x', 'y')
  select pg_catalog . pg_notify ('x', 'y')
  select pg_advisory_lock(1)
  select pg_advisory_lock_shared(1)
  select pg_advisory_xact_lock(1)
  select pg_try_advisory_lock(1, 2)
  select pg_try_advisory_xact_lock(1)
  select pg_advisory_unlock_all()
  select case when true then pg_advisory_lock(7) end
  select * from pg_advisory_lock(8)
  select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and false
  select pg_cancel_backend(1)
  select pg_reload_conf()
  select pg_rotate_logfile()
  select pg_switch_wal()
  select pg_create_restore_point('x')
  select pg_backup_start('x')
  select pg_promote()
  select pg_logical_emit_message(false, 'x', 'y')
  select pg_create_physical_replication_slot('stolen')
  select pg_create_logical_replication_slot('stolen', 'test_decoding')
  select pg_drop_replication_slot('x')
  select pg_export_snapshot()
  select pg_stat_reset()
  select pg_stat_reset_shared('bgwriter')
  select pg_read_file('/etc/passwd')
  select pg_read_binary_file('/etc/passwd')
  select pg_ls_dir('/')
  select * from pg_ls_logdir()
  select pg_stat_file('/etc/passwd')
  select lo_import('/etc/passwd')
  select lo_export(1, '/tmp/svc-refused-lo')
  select lo_create(4242)
  select lo_creat(-1)
  select lo_from_bytea(4242, 'x')
  select lo_put(1, 0, 'x')
  select lo_unlink(1)
  select lo_open(1, 131072)
  select lowrite(0, 'x')
  select nextval('counter')
  select setval('counter', 999)
  select dblink('dbname=postgres', 'select 1')
  select dblink_exec('dbname=postgres', 'delete from customer')
  select * from dblink_connect('x')
  select query_to_xml('delete from customer', true, false, '')
  select query_to_xml('select pg_advisory_lock(9)', true, false, '')
  select query_to_xmlschema('select 1', true, false, '')
  select table_to_xml('customer', true, false, '')
  select database_to_xml(true, false, '')
  select cursor_to_xml('c', 1, true, false, '')
  select * from ts_stat('select pg_notify(''a'', ''b'')::text::tsvector')
  select ts_rewrite('a'::tsquery, 'select pg_notify(''a'', ''b'')::text::tsquery, null::tsquery')
  select pg_catalog.ts_rewrite('a', $$ select pg_read_file('/etc/passwd')::tsquery, 'a'::tsquery $$)
  select xslt_process('<a/>', '<a/>')
  select pg_logdir_ls()
  select gin_clean_pending_list('customer')
  select brin_summarize_new_values('customer')
  select pg_log_backend_memory_contexts(pg_backend_pid())
  select pg_import_system_collations('public')
  select pg_sync_replication_slots()
  select pg_wal_replay_pause()
  select pg_copy_physical_replication_slot('a', 'b')
  select pg_replication_origin_create('x')
  select pg_replication_origin_advance('x', '0/0')
  explain analyze delete from customer
  explain (analyze) insert into customer (id) values (97)
  explain (analyze, verbose, format json) update customer set name = 'z'
  explain analyze with x as (delete from customer returning *) select * from x
  explain analyze create table stolen as select 1
  explain analyze execute x
  explain analyze declare c cursor for select 1
  select * from customer for update
  select * from customer for share
  select writes_a_row()
  table customer; drop table customer
  values (1); drop table customer
  (select 1); drop table customer
  show all; reset all
  ;
  ; select 1
  -- only a comment
  /* unterminated
  select 1 /* unterminated
  select 'unterminated
  select $tag$ unterminated
  select $$ a $$; drop table customer
  select E'\\'; drop table customer; --'; drop table customer
  select ';' ; drop table customer
  selec 1
  select 1 select 2
  explain
`),
  'select 1 \0; drop table customer',
];

export const postgresqlReads = [
  ...commonReads,
  ...lines(`
  table customer
  values (1, 'a'), (2, 'b')
  (select 1)
  (select 1) union (select 2)
  show server_version
  show all
  explain select * from customer
  explain (analyze, format json) select * from customer
  explain analyze select count(*) from orders
  select now(), clock_timestamp(), current_setting('timezone')
  select $$a ; string$$, $x$with $$ inside$x$
  select E'it\\'s; fine', 'plain\\'
  select e'a'⏎'b'
  select '{"a": {"b": 1}}'::jsonb -> 'a' ->> 'b'
  select '{"a": 1}'::jsonb ? 'a'
  select '{"a": 1}'::jsonb @> '{"a": 1}'
  select array[1, 2, 3], array[1, 2] || 3
  select unnest(array[1, 2, 3])
  select * from generate_series(1, 3) as g (i)
  select * from generate_series(now(), now() + interval '1 day', interval '6 hours')
  select date_trunc('month', placed), extract(year from placed) from orders
  select placed at time zone 'Europe/Berlin' from orders
  select interval '1 day' * 2
  select string_agg(name, ', ' order by name) from customer
  select json_agg(c), jsonb_build_object('a', 1) from customer c
  select row_to_json(c) from customer c
  select percentile_cont(0.5) within group (order by amount) from orders
  select count(*) filter (where status = 'open') from orders
  select * from customer c cross join lateral (select count(*) from orders o where o.customer_id = c.id) l
  select distinct on (customer_id) * from orders order by customer_id, placed desc
  select status, customer_id, sum(amount) from orders group by rollup (status, customer_id)
  select status, sum(amount) from orders group by grouping sets ((status), ())
  select name ~ '^A', name ilike 'a%', name similar to 'A%' from customer
  select regexp_replace(name, 'a', 'b', 'g') from customer
  select to_char(placed, 'YYYY-MM-DD'), to_char(amount, '999.99') from orders
  select relname from pg_class where relkind = 'r'
  select table_name from information_schema.tables
  select pg_size_pretty(pg_total_relation_size('customer'))
  select pg_get_viewdef(oid) from pg_class where relkind = 'v' limit 1
  select pid, state from pg_stat_activity
  select has_table_privilege('customer', 'select')
  select to_tsvector('simple', name) @@ to_tsquery('simple', 'ann') from customer
  select 'a'::text collate "C"
  select "name" from "customer"
  select 1 as "pg_notify"
  select 'pg_notify(1)' as t
  with x as not materialized (select 1 as a) select a from x
  select * from customer tablesample system (100)
  select i, t from rows from (generate_series(1, 2), unnest(array['a', 'b'])) as r (i, t)
  select count(*) from customer where ctid is not null
  select md5('a'), sha256('a'::bytea), gen_random_uuid()
  select greatest(1, 2), least(1, 2), width_bucket(5, 0, 10, 5)
  select xmlelement(name x, 'y')
  select ('(1,2)'::point) <-> ('(3,4)'::point)
  select '192.168.0.1'::inet << '192.168.0.0/16'::cidr
  select txid_current_if_assigned(), pg_is_in_recovery()
  select pg_sleep(0)
`),
];
