import { generated, type LabelledStatement, labelled, type Shape } from './labelled.ts';

/**
 * Statements of PostgreSQL with the columns that must be masked, labelled by hand per family. Each family combines the
 * labelled expressions below with one shape of a statement. No masked value has a form that a rule for values matches.
 */
export const corpusSchema = `
  create table people (id int primary key, name text, iban text, address text, boss_id int, born date, data jsonb,
    tags text[]);
  insert into people values
    (1, 'Ann', 'DE-secret-one', 'secret street 1', null, '2000-01-01', '{"iban": "secret j", "size": 3}', '{a,b}'),
    (2, 'Bob', 'DE-secret-two', 'secret street 2', 1, '2001-01-01', '{"iban": "secret k", "size": 4}', '{c}');
  create table ord (id int primary key, cust_id int, amt numeric, placed timestamptz, note text);
  insert into ord values (1, 1, 9.5, '2024-01-01', 'first'), (2, 1, 3, '2024-01-02', 'second'), (3, 2, 5, '2024-01-03', '');
  create type contact as (street text, iban text);
  create function own_clear(int) returns text language sql stable as 'select ''x'' || $1';
  create function get_iban(int) returns text language sql stable as 'select iban from people where id = $1';
  create view renamed as select id, name, iban as account, address as home, boss_id as head from people;
  create view above as select id as key, account as number, name as label, upper(home) as place from renamed;
  create view counted as select boss_id, count(iban) as n, max(id) as top from people group by boss_id;
  create materialized view stored as select id, address as place from people;
  create view united as select id, name as text from people union all select id, iban from people;
  create view "Quoted View" as select iban as "The Number", id as "The Id" from people`;

/** Expressions with personal data of the row `p`. */
const personal = [
  'p.iban',
  'upper(p.address)',
  "p.name || ' ' || p.iban",
  'substr(p.iban, 1, 4)',
  'length(p.address)',
  'md5(p.iban)',
  "coalesce(p.iban, 'none')",
  "nullif(p.address, '')",
  "case when p.id = 1 then p.iban else 'other' end",
  'array[p.name, p.address]',
  'row(p.id, p.iban)::text',
  'to_jsonb(p)::text',
  'p::text',
  '(p).iban',
  'p.to_jsonb::text',
  "p.data ->> 'iban'",
  "jsonb_extract_path_text(p.data, 'iban')",
  "p.data #>> '{iban}'",
  "jsonb_path_query_first(p.data, '$.iban')::text",
  '(select q.iban from people q where q.id = p.id)',
  'array(select q.address from people q)',
  'get_iban(p.id)',
  'greatest(p.iban, p.name)',
  "format('%s', p.address)",
  "(array[p.iban])[1] || ''",
  "regexp_replace(p.iban, 'a', 'b')",
  '(select max(q.iban) from people q)',
  'p.iban collate "C"',
  "json_build_object('k', p.iban)::text",
  "translate(p.address, 'a', 'b')",
] as const;

/** Expressions without personal data. Some use personal columns in conditions, orders and counts. */
const clear = [
  'p.id',
  'upper(p.name)',
  "p.data ->> 'size'",
  'p.tags[1]',
  "'iban'",
  "'iban ' || p.name",
  '(select count(q.iban) from people q)',
  "case when p.iban like 'DE%' then 'German' else 'other' end",
  '(select q.name from people q order by q.address limit 1)',
  '(select o.note from ord o where o.note <> p.iban limit 1)',
  "date_trunc('year', p.born)::date",
  '(select sum(o.amt) from ord o where o.cust_id = p.id)',
  'own_clear(p.id)',
  'row(p.id, p.name)::text',
  'coalesce(p.boss_id, 0) + 1',
  'num_nonnulls(p.iban, p.address)',
  '(select max(o.placed) from ord o)',
  'p.ctid::text',
  'cardinality(p.tags)',
  'current_date - p.born',
] as const;

/** Statements with an expression over `p` as column `x`, next to a clear column `key`. */
const shapes: readonly Shape[] = [
  (e) => `select p.id as key, ${e} as x from people p`,
  (e) => `with m as (select p.id as key, ${e} as x from people p) select * from m`,
  (e) =>
    `select m.key, m.x from (select p.id as key, ${e} as x from people p where p.iban is not null) m order by 2`,
  (e) => `with a (key, x) as (select p.id, ${e} from people p), b as (select * from a) select b.* from b`,
  (e) => `select p.id as key, l.x from people p cross join lateral (select ${e} as x) l`,
  (e) => `select 0 as key, null as x where false union all select p.id, (${e})::text from people p`,
  (e) => `select key, x from (select p.id as key, (${e})::text as x from people p except select 0, '') s`,
  (e) =>
    `select key, v.x from (select p.id as key, p.* from people p) p cross join lateral (values ((${e.includes('ctid') ? 'p.id' : e})::text)) v (x)`,
  (e) =>
    `select o.id as key, m.x from ord o join (select p.id as cust_id, ${e} as x from people p) m using (cust_id)`,
  (e) => `select key, max(x) as x from (select p.id as key, (${e})::text as x from people p) s group by key`,
  (e) =>
    `select key, first_value(x) over (partition by key order by key) as x from (select p.id as key, (${e})::text as x from people p) s`,
  (e) =>
    `with recursive r (key, x) as (select p.id, (${e})::text from people p union all select r.key + 100, r.x from r where r.key < 100) select * from r`,
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
  labelled(
    'select a.*, b.* from ord a join lateral (select 1 as z) b on true',
    '',
    'id cust_id amt placed note z',
  ),
  labelled('select * from people', 'iban address', 'id name boss_id born tags'),
  labelled('table people', 'iban address', 'id name boss_id'),
  labelled(
    'select count(*) as iban_count, count(distinct iban) as address_count from people',
    '',
    'iban_count address_count',
  ),
  labelled("select 'x' as iban, 1 as address", '', 'iban address'),
  labelled('select iban as id, id as iban from people', 'id', 'iban'),
  // Views.
  labelled('select * from renamed', 'account home', 'id name head'),
  labelled('select account, upper(home) as h, name from renamed', 'account h', 'name'),
  labelled('select * from above', 'number place', 'key label'),
  labelled('select lower(number) as n, label from above', 'n', 'label'),
  labelled('select * from counted', '', 'boss_id n top'),
  labelled('select * from stored', 'place', 'id'),
  labelled('select * from united', 'text', 'id'),
  labelled('select "The Number", "The Id" from "Quoted View"', 'The_Number', 'The_Id'),
  labelled('select r::text as x, r.id from renamed r', 'x', 'id'),
  labelled('select account as x from public.renamed', 'x', ''),
  labelled(
    'with renamed as (select id, name as account from people) select account as x from renamed',
    '',
    'x',
  ),
  labelled('select count(account) as n from renamed', '', 'n'),
  // Joins.
  labelled('select * from people natural join (select id, amt from ord) o', 'iban address', 'id name amt'),
  labelled(
    'select * from people a join people b using (id, name)',
    'iban address iban_2 address_2',
    'id name boss_id boss_id_2',
  ),
  labelled(
    'select j.c2 as x, j.c1 as y from (people a join ord b on a.id = b.cust_id) j (c1, c0, c2)',
    'x',
    'y',
  ),
  labelled('select u.id as x, a.iban as y, b.note as z from people a join ord b using (id) as u', 'y', 'x z'),
  labelled('select b.name as x, a.iban as y from people a left join people b on b.id = a.boss_id', 'y', 'x'),
  labelled('select x from people p (a, b, x)', 'x', ''),
  labelled('select b as x from people p (a, b, c)', '', 'x'),
  labelled('select * from people p (a, b, c, d)', 'c d', 'a b'),
  // Functions in FROM.
  labelled('select u.x from people p, unnest(array[p.iban, p.name]) u (x)', 'x', ''),
  labelled('select u.x from people p, unnest(p.tags) u (x)', '', 'x'),
  labelled('select u.x, u.n from people p, unnest(p.tags) with ordinality u (x, n)', '', 'x n'),
  labelled("select part as x from people p, regexp_split_to_table(p.address, ' ') part", 'x', ''),
  labelled("select part as x from people p, regexp_split_to_table(p.name, ' ') part", '', 'x'),
  labelled('select value as x from people p, jsonb_each_text(to_jsonb(p))', 'x', ''),
  labelled("select j.x from people p, json_table(p.data, '$' columns (x text path '$.iban')) j", 'x', ''),
  labelled("select j.x from people p, json_table(p.data, '$' columns (x int path '$.size')) j", '', 'x'),
  labelled(
    'select r.iban as x, r.size as y from people p, jsonb_to_record(p.data) r (iban text, size int)',
    'x',
    'y',
  ),
  labelled('select n as x from generate_series(1, 3) n', '', 'x'),
  labelled(
    'select a as x, b as y from people p, rows from (unnest(array[p.iban]), generate_series(1, 2)) f (a, b)',
    'x',
    'y',
  ),
  // A CTE that reads a later one.
  labelled(
    'with recursive a as (select note as x from ord), ord as (select iban as note from people) select x from a',
    'x',
    '',
  ),
  labelled(
    'with recursive a as (select note as x from ord), ord as (select name as note from people where iban is not null) select x from a',
    '',
    'x',
  ),
  // Set operations.
  labelled('select id as a, name as b from people union select cust_id, note from ord', '', 'a b'),
  labelled('select id as a, name as b from people union select id, iban from people', 'b', 'a'),
  labelled('select note as x from ord except select iban from people', '', 'x'),
  labelled('select note as x from ord intersect select iban from people', 'x', ''),
  labelled("values (1, 'a'), (2, (select max(iban) from people))", 'column2', 'column1'),
  labelled('select column1 as x, column2 as y from (values (1, 2)) v', '', 'x y'),
  // Aggregates.
  labelled('select min(iban) as a, max(address) as b, count(iban) as n from people', 'a b', 'n'),
  labelled(
    "select string_agg(iban, ',') as a, string_agg(name, ',' order by iban) as b from people",
    'a',
    'b',
  ),
  labelled('select json_agg(p)::text as a, json_agg(p.name)::text as b from people p', 'a', 'b'),
  labelled(
    'select mode() within group (order by iban) as a, mode() within group (order by name) as b from people',
    'a',
    'b',
  ),
  labelled(
    'select rank() over (order by iban) as a, lag(iban) over (order by id) as b from people',
    'b',
    'a',
  ),
  labelled('select sum(length(iban)) as a, avg(id) as b from people', 'a', 'b'),
  labelled('select length(iban) << 1 as a, id << 1 as b from people', 'a', 'b'),
  labelled(
    'select count(*) filter (where iban is null) as a, boss_id as b from people group by 2',
    '',
    'a b',
  ),
  labelled('select distinct on (iban) iban as a, name as b from people', 'a', 'b'),
  // Paths of recursion.
  labelled(
    'with recursive r as (select id, iban as t from people where boss_id is null union all select p.id, p.iban from people p join r on p.boss_id = r.id) search depth first by t set o select id, o::text as x from r',
    'x',
    'id',
  ),
  labelled(
    'with recursive r as (select id, boss_id from people where boss_id is null union all select p.id, p.boss_id from people p join r on p.boss_id = r.id) cycle id set c using t select id, t::text as x from r',
    '',
    'id x',
  ),
  labelled(
    'with recursive r (id, a, b) as (select id, name, iban from people union select id + 1000, b, a from r where id < 3000) select a as x, id from r',
    'x',
    'id',
  ),
  // Statements of other sessions.
  labelled('select count(*) as n, state from pg_stat_activity group by state', '', 'n state'),
  labelled('select query as x, pid from pg_stat_activity', 'x', 'pid'),
  labelled('select left(query, 3) as x from pg_stat_activity', 'x', ''),
  labelled('select a.query as x from pg_catalog.pg_stat_activity a', 'x', ''),
  labelled('select s.query as x from pg_stat_get_activity(null) s', 'x', ''),
  labelled('select pg_stat_get_backend_activity(1) as x', 'x', ''),
  labelled(
    "select most_common_vals::text as x, attname as y from pg_stats where tablename = 'people'",
    'x',
    'y',
  ),
  labelled('select relname as x, relkind as y from pg_class', '', 'x y'),
  labelled('select table_name as x, column_name as y from information_schema.columns', '', 'x y'),
];

export const maskingCorpus: readonly LabelledStatement[] = [
  ...generated({ shapes, personal, clear }),
  ...single,
];
