import { generated, type LabelledStatement, labelled, type Shape } from './labelled.ts';

/** Files of the corpus, by name: `people` and `ord`. */
export const duckdbFiles: Readonly<Record<string, string>> = {
  'people.json': [
    `{"id":1,"name":"Ann","iban":"DE-secret-one","address":"secret street 1","boss_id":null,"born":"2000-01-01","data":{"iban":"secret j","size":3},"doc":"{\\"iban\\":\\"DE-k\\",\\"size\\":3}","tags":["a","b"]}`,
    `{"id":2,"name":"Bob","iban":"DE-secret-two","address":"secret street 2","boss_id":1,"born":"2001-01-01","data":{"iban":"secret l","size":4},"doc":"{\\"iban\\":\\"DE-m\\",\\"size\\":4}","tags":["c"]}`,
  ].join('\n'),
  'ord.csv':
    'id,cust_id,amt,placed,note\n1,1,9.5,2024-01-01,first\n2,1,3,2024-01-02,second\n3,2,5,2024-01-03,third\n',
};

/** Expressions with personal data of the row `p`. */
const personal = [
  'p.iban',
  'upper(p.address)',
  "p.name || ' ' || p.iban",
  'substr(p.iban, 1, 4)',
  'p.iban[1:4]',
  'length(p.address)',
  'md5(p.iban)',
  'hash(p.iban)',
  "coalesce(p.iban, 'none')",
  "nullif(p.address, '')",
  "case when p.id = 1 then p.iban else 'other' end",
  "if(p.id = 1, p.iban, 'other')",
  '[p.name, p.address]',
  'row(p.id, p.iban)::varchar',
  "{'k': p.iban}::varchar",
  'to_json(p)::varchar',
  'p::varchar',
  '(p).iban',
  'p.data.iban',
  "p.data['iban']",
  "struct_extract(p.data, 'iban')",
  "(p.doc ->> 'iban')",
  "(p.doc ->> '$.iban')",
  "json_extract_string(p.doc, 'iban')",
  '(select q.iban from people q where q.id = p.id)',
  'array(select q.address from people q)',
  '(select max(q.iban) from people q)',
  'greatest(p.iban, p.name)',
  "format('{}', p.address)",
  "printf('%s', p.address)",
  "([p.iban])[1] || ''",
  "regexp_replace(p.iban, 'a', 'b')",
  'list_transform([p.iban], lambda v: upper(v))[1]',
  "[v || '!' for v in [p.address]][1]",
  "array_to_string(string_split(p.address, ' '), '-')",
  "map {'k': p.iban}['k']",
  'try_cast(p.iban as varchar)',
  'p.iban collate nocase',
  "translate(p.address, 'a', 'b')",
] as const;

/** Expressions without personal data. Some use personal columns in conditions, orders and counts. */
const clear = [
  'p.id',
  'upper(p.name)',
  "(p.doc ->> 'size')",
  'p.data.size',
  'p.tags[1]',
  "'iban'",
  "'iban ' || p.name",
  '(select count(q.iban) from people q)',
  "case when p.iban like 'DE%' then 'German' else 'other' end",
  '(select q.name from people q order by q.address limit 1)',
  '(select o.note from ord o where o.note <> p.iban limit 1)',
  "date_trunc('year', p.born)::date",
  '(select sum(o.amt) from ord o where o.cust_id = p.id)',
  'row(p.id, p.name)::varchar',
  'coalesce(p.boss_id, 0) + 1',
  '(select max(o.placed) from ord o)',
  'len(p.tags)',
  'list_transform(p.tags, lambda v: upper(v))[1]',
  '(select arg_max(q.name, q.iban) from people q)',
  '(select approx_count_distinct(q.address) from people q)',
] as const;

const shapes: readonly Shape[] = [
  (e) => `select p.id as key, ${e} as x from people p`,
  (e) => `with m as (select p.id as key, ${e} as x from people p) select * from m`,
  (e) =>
    `select m.key, m.x from (select p.id as key, ${e} as x from people p where p.iban is not null) m order by 2`,
  (e) => `with a (key, x) as (select p.id, ${e} from people p), b as (select * from a) select b.* from b`,
  (e) => `select p.id as key, l.x from people p cross join lateral (select ${e} as x) l`,
  (e) => `select 0 as key, null as x where false union all select p.id, (${e})::varchar from people p`,
  (e) =>
    `select o.id as key, m.x from ord o join (select p.id as cust_id, ${e} as x from people p) m using (cust_id)`,
  (e) =>
    `with recursive r (key, x) as (select p.id, (${e})::varchar from people p union all select r.key + 100, r.x from r where r.key < 100) select * from r`,
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
  labelled('from people', 'iban address', 'id name boss_id'),
  labelled(
    'select count(*) as iban_count, count(distinct iban) as address_count from people',
    '',
    'iban_count address_count',
  ),
  labelled("select 'x' as iban, 1 as address", '', 'iban address'),
  labelled('select iban as id, id as iban from people', 'id', 'iban'),
  // Items that name an item before them, or a position.
  labelled('select iban as y, y as x, id from people', 'y x', 'id'),
  labelled('select iban as name, name as x from people', 'name', 'x'),
  labelled('select id as y, (select y) as x from people', '', 'y x'),
  labelled('select iban as y, (select y) as x from people', 'y x', ''),
  labelled('select #3 as x, #1 as y from people', 'x', ''),
  // Stars with changes.
  labelled('select * exclude (iban, address) from people', '', 'id name boss_id born tags'),
  labelled('select * replace (upper(name) as iban) from people', 'address', 'id name iban'),
  labelled('select * replace (iban as name) from people', 'iban address name', 'id boss_id'),
  labelled('select * rename (iban as account) from people', 'account address', 'id name'),
  labelled("select columns('i.*') from people", 'iban', ''),
  labelled('select max(columns(*)) from ord', '', 'id cust_id amt placed note'),
  labelled('select columns(c -> c like $$%mt$$) from ord', '', 'amt'),
  labelled('select p.* from people p', 'iban address', 'id name'),
  // Rows, documents and lists.
  labelled('select unnest(data) from people', 'iban', ''),
  labelled('select x, y from (select unnest(tags) as x, id as y from people)', '', 'x y'),
  labelled('select u.x from people p, unnest([p.iban, p.name]) u (x)', 'x', ''),
  labelled('select u.x from people p, unnest(p.tags) u (x)', '', 'x'),
  labelled('select list(p)::varchar as x, list(p.name)::varchar as y from people p', 'x', 'y'),
  labelled('select j.value as x from people p, json_each(to_json(p)) j', 'x', ''),
  labelled("select json_extract_string(doc, '$.*')[1] as x, id from people", 'x', 'id'),
  labelled("select unnest(map_values(map {'k': iban})) as x from people", 'x', ''),
  labelled('select id as x from range(1, 3) t (id)', '', 'x'),
  labelled('select g.* from generate_series(1, 3) g (n)', '', 'n'),
  // Functions after a dot.
  labelled('select p.iban.upper() as x, p.name.upper() as y from people p', 'x', 'y'),
  labelled('select iban.upper().substr(1, 2) as x, name.upper() as y from people', 'x', 'y'),
  labelled('select main.upper(name) as x from people', '', 'x'),
  // Other clauses.
  labelled('from people p select p.id as key, upper(p.iban) as x', 'x', 'key'),
  labelled(
    'select upper(iban) as y, y as x, name from people qualify row_number() over (order by iban) > 0',
    'y x',
    'name',
  ),
  labelled(
    'select 0 as key union all by name select id as key, iban as x from people order by all',
    'x',
    'key',
  ),
  labelled('select key, max(x) as x from (select id as key, iban as x from people) group by all', 'x', 'key'),
  // Joins.
  labelled('select * from people natural join (select id, amt from ord) o', 'iban address', 'id name amt'),
  labelled('select * from ord full join people using (id)', 'iban address', 'id cust_id amt note name'),
  labelled('select * from ord semi join people on ord.cust_id = people.id', '', 'id cust_id amt note'),
  labelled('select * from ord anti join people on ord.note = people.iban', '', 'id cust_id amt note'),
  labelled(
    'select * from (select id, note from ord) positional join (select iban as v from people)',
    'v',
    'id note',
  ),
  labelled('select b.name as x, a.iban as y from people a left join people b on b.id = a.boss_id', 'y', 'x'),
  labelled('select l.x from people p, (select p.iban as x) l', 'x', ''),
  labelled('select x from people p (a, b, x)', 'x', ''),
  labelled('select b as x from people p (a, b, c)', '', 'x'),
  labelled('select * from people p (a, b, c, d)', 'c d', 'a b'),
  labelled('select p.id, o.note from people p asof join ord o on p.id >= o.id', '', 'id note'),
  // Set operations.
  labelled('select id as a, name as b from people union select cust_id, note from ord', '', 'a b'),
  labelled('select id as a, name as b from people union select id, iban from people', 'b', 'a'),
  labelled('select note as x from ord except select iban from people', '', 'x'),
  labelled('select note as x from ord intersect select iban from people', 'x', ''),
  labelled('select 1 as a, name as b from people union by name select iban as b from people', 'b', 'a'),
  labelled("values (1, 'a'), (2, (select max(iban) from people))", 'col1', 'col0'),
  labelled('select col0 as x, col1 as y from (values (1, 2)) v', '', 'x y'),
  labelled('with ord as (select iban as note from people) select note from ord', 'note', ''),
  labelled('with people as (select id, name as iban from people) select iban as x from people', '', 'x'),
  labelled('with people as (select id, iban as name from people) select name as x from people', 'x', ''),
  // Aggregates and windows.
  labelled('select min(iban) as a, max(address) as b, count(iban) as n from people', 'a b', 'n'),
  labelled(
    "select string_agg(iban, ',') as a, string_agg(name, ',' order by iban) as b from people",
    'a',
    'b',
  ),
  labelled('select arg_min(iban, id) as a, arg_min(name, iban) as b from people', 'a', 'b'),
  labelled('select mode(iban) as a, first(name order by iban) as b from people', 'a', 'b'),
  labelled(
    'select rank() over (order by iban) as a, lag(iban) over (order by id) as b from people',
    'b',
    'a',
  ),
  labelled('select sum(length(iban)) as a, avg(id) as b from people', 'a', 'b'),
  labelled(
    'select count(*) filter (where iban is null) as a, boss_id as b from people group by all',
    '',
    'a b',
  ),
  labelled('select distinct on (iban) iban as a, name as b from people', 'a', 'b'),
  labelled('select histogram(iban)::varchar as a, histogram(name)::varchar as b from people', 'a', 'b'),
  // Summaries of a table.
  labelled('summarize people', 'min max', 'column_name column_type count null_percentage'),
  labelled('summarize ord', '', 'column_name min max count'),
  labelled('select min as x, column_name as y from (summarize people)', 'x', 'y'),
  labelled('describe people', '', 'column_name column_type'),
  labelled('show tables', '', 'name'),
  labelled('select table_name as x from information_schema.tables', '', 'x'),
  // Pivots.
  labelled(
    "select * from (select cust_id, note, amt from ord) pivot (sum(amt) for note in ('first', 'second'))",
    '',
    'cust_id first second',
  ),
  labelled(
    "select * from (select id, name, iban from people) pivot (max(iban) for name in ('Ann', 'Bob'))",
    'Ann Bob',
    '',
  ),
  labelled(
    'select k as y, v as x from (select id, iban, name from people) unpivot (v for k in (iban, name))',
    'x',
    '',
  ),
  labelled('select v as x from (select id, cust_id from ord) unpivot (v for k in (id, cust_id))', '', 'x'),
  labelled('select * from histogram(people, iban)', 'bin', ''),
];

export const duckdbCorpus: readonly LabelledStatement[] = [
  ...generated({ shapes, personal, clear }),
  ...single,
];
