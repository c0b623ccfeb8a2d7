import { generated, type LabelledStatement, labelled, type Shape } from './labelled.ts';

export const sqliteSchema = `
  create table people (id integer primary key, name text, iban text, address text, boss_id int, born text, data text);
  insert into people values
    (1, 'Ann', 'DE-secret-one', 'secret street 1', null, '2000-01-01', '{"iban": "DE-j", "size": 3}'),
    (2, 'Bob', 'DE-secret-two', 'secret street 2', 1, '2001-01-01', '{"iban": "DE-k", "size": 4}');
  create table ord (id integer primary key, cust_id int, amt real, placed text, note text);
  insert into ord values (1, 1, 9.5, '2024-01-01', 'first'), (2, 1, 3, '2024-01-02', 'second'), (3, 2, 5, '2024-01-03', '');
  create table account (iban integer primary key, owner text);
  insert into account values (4711, 'Ann');
  create view renamed as select id, name, iban as account, address as home, boss_id as head from people;
  create view above as select id as key, account as number, name as label, upper(home) as place from renamed;
  create view counted as select boss_id, count(iban) as n, max(id) as top from people group by boss_id;
  create view united as select id, name as text from people union all select id, iban from people;
  create view listed (k, v) as select id, iban from people;
  create view "Quoted View" as select iban as "The Number", id as "The Id" from people;
  create view [odd] as select [iban] as \`first\`, id from people`;

/** Expressions with personal data of the row `p`. */
const personal = [
  'p.iban',
  'upper(p.address)',
  "p.name || ' ' || p.iban",
  'substr(p.iban, 1, 4)',
  'length(p.address)',
  'hex(p.iban)',
  "coalesce(p.iban, 'none')",
  "ifnull(p.iban, 'none')",
  "nullif(p.address, '')",
  "case when p.id = 1 then p.iban else 'other' end",
  "iif(p.id = 1, p.iban, 'other')",
  'json_array(p.name, p.address)',
  "json_object('k', p.iban)",
  "json_extract(p.data, '$.iban')",
  "p.data ->> 'iban'",
  "p.data ->> '$.iban'",
  '(select q.iban from people q where q.id = p.id)',
  '(select group_concat(q.address) from people q)',
  '(select max(q.iban) from people q)',
  'max(p.iban, p.name)',
  "printf('%s', p.address)",
  "format('%s', p.address)",
  "replace(p.iban, 'a', 'b')",
  'p.iban collate nocase',
  'cast(p.iban as text)',
  'quote(p.iban)',
  'unicode(p.iban) << 1',
  'trim(p.address)',
  '[p].[iban]',
  '"p"."IBAN"',
  "instr(p.iban, '-')",
] as const;

/** Expressions without personal data. Some use personal columns in conditions, orders and counts. */
const clear = [
  'p.id',
  'upper(p.name)',
  "json_extract(p.data, '$.size')",
  "p.data ->> 'size'",
  "'iban'",
  "'iban ' || p.name",
  '(select count(q.iban) from people q)',
  "case when p.iban like 'DE%' then 'German' else 'other' end",
  '(select q.name from people q order by q.address limit 1)',
  '(select o.note from ord o where o.note <> p.iban limit 1)',
  "strftime('%Y', p.born)",
  '(select sum(o.amt) from ord o where o.cust_id = p.id)',
  'coalesce(p.boss_id, 0) + 1',
  "json_object('k', p.name)",
  '(select max(o.placed) from ord o)',
  "iif(p.iban is null, 'no', 'yes')",
  'p.name collate nocase',
  'ifnull(p.boss_id, 0) % 2',
] as const;

const shapes: readonly Shape[] = [
  (e) => `select p.id as key, ${e} as x from people p`,
  (e) => `with m as (select p.id as key, ${e} as x from people p) select * from m`,
  (e) =>
    `select m.key, m.x from (select p.id as key, ${e} as x from people p where p.iban is not null) m order by 2`,
  (e) => `with a (key, x) as (select p.id, ${e} from people p), b as (select * from a) select b.* from b`,
  (e) => `select 0 as key, null as x where false union all select p.id, ${e} from people p`,
  (e) => `select key, x from (select p.id as key, ${e} as x from people p except select 0, '') s`,
  (e) =>
    `select o.id as key, m.x from ord o join (select p.id as cust_id, ${e} as x from people p) m using (cust_id)`,
  (e) => `select key, max(x) as x from (select p.id as key, ${e} as x from people p) s group by key`,
  (e) =>
    `select key, first_value(x) over (partition by key order by key) as x from (select p.id as key, ${e} as x from people p) s`,
  (e) =>
    `with r (key, x) as (select p.id, ${e} from people p union all select r.key + 100, r.x from r where r.key < 100) select * from r`,
];

const single: readonly LabelledStatement[] = [
  // Stars over relations without personal data.
  labelled(
    'with m as (select cust_id, count(*) n, sum(amt) s from ord group by 1) select * from m',
    '',
    'cust_id n s',
  ),
  labelled('select * from (select count(*) n, max(id) mx from ord) x', '', 'n mx'),
  labelled(
    'with recursive r(n) as (select 1 union all select n+1 from r where n < 3) select n from r',
    '',
    'n',
  ),
  labelled('with m as (select * from ord) select count(*) n, sum(amt) s from m', '', 'n s'),
  labelled('select a.*, b.* from ord a join (select 1 as z) b on true', '', 'id cust_id amt placed note z'),
  labelled('select * from people', 'iban address', 'id name boss_id born'),
  labelled(
    'select count(*) as iban_count, count(distinct iban) as address_count from people',
    '',
    'iban_count address_count',
  ),
  labelled("select 'x' as iban, 1 as address", '', 'iban address'),
  labelled('select iban as id, id as iban from people', 'id', 'iban'),
  // Row numbers, under another name.
  labelled('select rowid as x, owner as y from account', 'x', 'y'),
  labelled('select oid + 0 as x from account', 'x', ''),
  labelled('select rowid as x from ord', '', 'x'),
  // Views.
  labelled('select * from renamed', 'account home', 'id name head'),
  labelled('select account, upper(home) as h, name from renamed', 'account h', 'name'),
  labelled('select * from above', 'number place', 'key label'),
  labelled('select lower(number) as n, label from above', 'n', 'label'),
  labelled('select * from counted', '', 'boss_id n top'),
  labelled('select * from united', 'text', 'id'),
  labelled('select v, k from listed', 'v', 'k'),
  labelled('select "The Number", "The Id" from "Quoted View"', 'The_Number', 'The_Id'),
  labelled('select first as x, id from odd', 'x', 'id'),
  labelled("select first || '' as x, id from odd", 'x', 'id'),
  labelled('select account as x from main.renamed', 'x', ''),
  labelled(
    'with renamed as (select id, name as account from people) select account as x from renamed',
    '',
    'x',
  ),
  labelled('select count(account) as n from renamed', '', 'n'),
  // CTEs that read a later one.
  labelled(
    'with a as (select note as x from ord), ord as (select iban as note from people) select x from a',
    'x',
    '',
  ),
  labelled(
    "with a as (select note || '' as x from ord), ord as (select iban as note from people) select x from a",
    'x',
    '',
  ),
  labelled(
    'with a as (select note as x from ord), ord as (select name as note from people where iban is not null) select x from a',
    '',
    'x',
  ),
  // Joins.
  labelled('select * from people natural join (select id, amt from ord) o', 'iban address', 'id name amt'),
  labelled('select * from people a join people b using (id, name)', 'iban address', 'id name boss_id'),
  labelled('select b.name as x, a.iban as y from people a left join people b on b.id = a.boss_id', 'y', 'x'),
  labelled('select b.name as x, a.iban || 1 as y from people a, people b where a.iban <> b.iban', 'y', 'x'),
  // Set operations: the engine reports the origin of one operand only.
  labelled('select id as a, name as b from people union select cust_id, note from ord', '', 'a b'),
  labelled('select id as a, name as b from people union select id, iban from people', 'b', 'a'),
  labelled('select id as a, iban as b from people union all select id, name from people', 'b', 'a'),
  labelled('select note as x from ord except select iban from people', '', 'x'),
  labelled('select note as x from ord intersect select iban from people', 'x', ''),
  labelled(
    'select x from (select note as x from ord union all select iban from people union all select name from people)',
    'x',
    '',
  ),
  labelled("values (1, 'a'), (2, (select max(iban) from people))", 'column2', 'column1'),
  labelled('select column1 as x, column2 as y from (values (1, 2)) v', '', 'x y'),
  // Functions in FROM.
  labelled('select value as x, key as y from people p, json_each(p.data)', 'x', ''),
  labelled('select atom as x from people p, json_tree(p.data)', 'x', ''),
  labelled("select j.value as x from json_each('[1,2]') j", '', 'x'),
  labelled('select value as x from people p, json_each(json_array(p.iban))', 'x', ''),
  // Aggregates and windows.
  labelled('select min(iban) as a, max(address) as b, count(iban) as n from people', 'a b', 'n'),
  labelled("select group_concat(iban, ',') as a, group_concat(name, ',') as b from people", 'a', 'b'),
  labelled('select json_group_array(iban) as a, json_group_array(name) as b from people', 'a', 'b'),
  labelled(
    'select rank() over (order by iban) as a, lag(iban) over (order by id) as b from people',
    'b',
    'a',
  ),
  labelled('select sum(length(iban)) as a, avg(id) as b from people', 'a', 'b'),
  labelled(
    'select count(*) filter (where iban is null) as a, boss_id as b from people group by 2',
    '',
    'a b',
  ),
  labelled('select distinct name as b from people where iban is not null', '', 'b'),
  labelled("select name as x from people where iban like 'DE%' order by address", '', 'x'),
  labelled("select iban == 'x' as a, name as b from people", '', 'a b'),
  labelled('select iban is not null as a, id as b from people', '', 'a b'),
  labelled('select `iban` as x, `name` as y from `people`', 'x', 'y'),
  labelled('select upper(`iban`) as x, upper(`name`) as y from `people`', 'x', 'y'),
  labelled('select exists (select iban from people) as a', '', 'a'),
  labelled(
    'with recursive r (id, a, b) as (select id, name, iban from people union select id + 1000, b, a from r where id < 3000) select a as x, id from r',
    'x',
    'id',
  ),
  labelled('select name as x, type as y from sqlite_schema', '', 'x y'),
  // Texts that the parser of another engine reads differently.
  labelled("select iban 'x', name 'y' from people", 'x', 'y'),
  labelled("select max(iban) 'x', count(iban) 'y' from people", 'x', ''),
  labelled('with m (user) as (select iban from people) select user as x from m', 'x', ''),
  labelled('with m (true) as (select iban from people) select true as x from m', 'x', ''),
  labelled("select name as x, iban is 'a' as y from people", '', 'x'),
  labelled("select name as x from people where iban glob 'DE*' and name not null", '', 'x'),
  labelled("select x'00ff' as x, typeof(iban) as y from people", '', 'x y'),
  labelled('select cast(iban as integer) as x, cast(id as text) as y from people', 'x', 'y'),
];

export const sqliteCorpus: readonly LabelledStatement[] = [
  ...generated({ shapes, personal, clear }),
  ...single,
];
