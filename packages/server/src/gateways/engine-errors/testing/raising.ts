/** A person whose values no error may repeat. Every engine's table `customers` contains this row. */
export const person = {
  id: 1,
  name: 'Zaphod Quintessence',
  email: 'zaphod.quint@example.org',
  iban: 'DE89370400440532013000',
  phone: '+49 171 9988776',
  card: '4111111111111111',
} as const;

/** Statements that create and fill the table. */
export const customersTable = [
  'create table customers (id int, name varchar(100), email varchar(100), iban varchar(100), phone varchar(100), card bigint)',
  `insert into customers values (1, '${person.name}', '${person.email}', '${person.iban}', '${person.phone}', ${person.card})`,
] as const;

const fragmentLength = 6;
const squeezed = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const hexOf = (text: string): string => Buffer.from(text).toString('hex');

const fragments: readonly string[] = Object.values(person)
  .filter((value) => typeof value === 'string')
  .flatMap((value) => [value, hexOf(value), [...value].reverse().join('')])
  .map(squeezed)
  .flatMap((text) =>
    Array.from({ length: text.length - fragmentLength + 1 }, (_, at) => text.slice(at, at + fragmentLength)),
  );

/** Returns fragments of the person's values in a text, regardless of characters between theirs. */
export function leaksIn(text: string, statement: string): string[] {
  const [shown, written] = [squeezed(text), squeezed(statement)];
  return fragments.filter((fragment) => shown.includes(fragment) && !written.includes(fragment));
}

/** Returns all texts that are reachable from an error, including hidden members and causes. */
export function textsOf(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (seen.has(value)) return '';
  seen.add(value);
  return Reflect.ownKeys(value)
    .map((key) => `${String(key)}: ${textsOf(Reflect.get(value, key), seen)}`)
    .join('\n');
}

const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Statements whose error would repeat the person's values, by engine. */
export const raisingStatements: Readonly<
  Record<'PostgreSQL' | 'MySQL' | 'SQLite' | 'DuckDB', readonly string[]>
> = {
  PostgreSQL: lines(`
    select string_agg(row(c.*)::text, '|')::int from customers c
    select iban::int from customers
    select iban::bigint from customers
    select iban::numeric from customers
    select email::uuid from customers
    select email::date from customers
    select name::timestamptz from customers
    select name::interval from customers
    select name::time from customers
    select iban::boolean from customers
    select iban::inet from customers
    select iban::macaddr from customers
    select iban::money from customers
    select iban::point from customers
    select iban::box from customers
    select iban::bit(8) from customers
    select ('x' || iban)::bytea || ('\\xZ' || iban)::bytea from customers
    select iban::json from customers
    select ('{"a": ' || name || '}')::jsonb from customers
    select name::xml, ('<a>' || email)::xml from customers
    select iban::regclass from customers
    select ('"' || name || '"')::regclass from customers
    select iban::regtype from customers
    select name::regtype from customers
    select iban::regrole from customers
    select iban::regnamespace from customers
    select (iban || '(int)')::regprocedure from customers
    select iban::regconfig from customers
    select ('a & ' || name)::tsquery from customers
    select ('''' || name)::tsvector from customers
    select iban::jsonpath from customers
    select jsonb_path_query('{}', ('strict $.' || iban)::jsonpath) from customers
    select iban::int4range from customers
    select ('{' || name)::text[] from customers
    select array[iban]::int[] from customers
    select card::int from customers
    select card::text::smallint from customers
    select chr(card::bigint::bit(31)::int) || name from customers
    select regexp_match('x', '(' || iban) from customers
    select 'x' ~ ('[' || name) from customers
    select date_trunc(iban, now()) from customers
    select extract(epoch from (name || ' 10:00')::timestamp) from customers
    select now() at time zone iban from customers
    select encode('x'::bytea, iban) from customers
    select decode(iban, 'hex') from customers
    select convert_from(iban::bytea, iban) from customers
    select to_date(iban, 'YYYY-MM-DD') from customers
    select to_timestamp(name, 'YYYY-MM-DD HH24:MI') from customers
    select to_number(name, '9G') from customers
    select format('%' || name, 1) from customers
    select has_table_privilege(iban, 'select') from customers
    select has_column_privilege('customers', iban, 'select') from customers
    select has_schema_privilege(name, 'usage') from customers
    select pg_get_serial_sequence(iban, name) from customers
    select nextval(iban) from customers
    select make_date(card::text::numeric::int, 1, 1) from customers
    select name like iban escape email from customers
    select xpath(iban || '[', '<a/>') from customers
    select jsonb_populate_record(null::customers, jsonb_build_object('card', iban)) from customers
    select * from json_to_record((select json_build_object('a', email) from customers)) as r (a int)
    select (customers.*)::text::int from customers
    select * from customers where iban > card::text and email::int = 1
    select json_object(array[iban]) from customers
    select raise_value(iban) from customers
    select raise_value(iban, '42P01') from customers
    select raise_value(iban, '28000') from customers
    select raise_value(name, '57014') from customers
    select raise_detail(name) from customers
  `),
  MySQL: lines(`
    select extractvalue(1, concat('~', iban)) from customers
    select updatexml(1, concat('~', name), 1) from customers
    select extractvalue(email, concat('//', iban, '[')) from customers
    select extractvalue(1, concat('\\\\', email)) from customers
    select exp(~(select x from (select cast(card as unsigned) x from customers) t))
    select exp(card) from customers
    select card * card from customers
    select card * 4111111111111 from customers
    select -card * card from customers
    select pow(card, card) from customers
    select cot(0), card * card * card from customers
    select cast(card as signed) * 9223372036854775807 from customers
    select 1 from (select count(*), concat(iban, floor(rand(0) * 2)) k from information_schema.columns, customers group by k) t
    select 1 from (select count(*), concat((select iban from customers), floor(rand(0) * 2)) k from information_schema.columns group by k) t
    select 'x' regexp concat('(', iban) from customers
    select 'x' regexp concat('[', name) from customers
    select regexp_replace('x', concat('(', name), '') from customers
    select regexp_instr('x', concat('*', name)) from customers
    select regexp_substr('x', concat('(?<', iban)) from customers
    select iban rlike concat('(', email) from customers
    select st_geomfromtext(iban) from customers
    select st_geomfromtext(concat('POINT(', name, ')')) from customers
    select st_geomfromwkb(iban) from customers
    select st_geomfromgeojson(iban) from customers
    select st_geomfromgeojson(concat('{"type":"', name, '"}')) from customers
    select st_astext(iban) from customers
    select st_distance(iban, name) from customers
    select st_x(name) from customers
    select point(card, card) + exp(card) from customers
    select (select iban, name from customers) = (select 1)
    select * from customers where id = (select iban from customers union all select name from customers)
    select iban in (select email from customers union all select name from customers) and exp(card) from customers
    select json_extract('{}', concat('$.', iban, '[')) from customers
    select json_value('{}', concat('$[', name)) from customers
    select json_query('{}', concat('$$', iban)) from customers
    select * from customers c, json_table(c.iban, '$[*]' columns (a int path '$.a' error on error)) t
    select * from customers c, json_table(concat('[{"a":"', c.name, '"}]'), '$[*]' columns (a int path '$.a' error on error)) t
    select json_merge_patch(iban, '{'), exp(card) from customers
    select name_const(iban, name) from customers
    select * from (select name_const(iban, 1), name_const(iban, 1) from customers) t
    select convert(iban using utf8mb4) collate latin1_bin from customers
    select iban collate utf8mb4_bin = name collate utf8mb4_general_ci from customers
    select lpad(name, card, email), exp(card) from customers
    select repeat(name, card), exp(card) from customers
    select inet6_aton(iban), exp(card) from customers
    select cast(iban as signed) * exp(card) from customers
    select cast(name as date), card * card from customers
    select str_to_date(name, '%Y'), card * card from customers
    select date_add(name, interval card year), card * card from customers
    select sec_to_time(card), card * card from customers
    select makedate(card, card), card * card from customers
    select sformat(concat('{', iban), 1) from customers
    select sformat(concat('{:', name, '}'), 1) from customers
    select gtid_subset(iban, name) from customers
    select uuid_to_bin(iban) from customers
    select cast(iban as inet6), exp(card) from customers
    select cast(iban as uuid), exp(card) from customers
    select convert_tz(name, iban, email), card * card from customers
    select nextval(iban) from customers
    select extractvalue(1, concat(0x7e, group_concat(name, email))) from customers
    select extractvalue(1, concat(0x5c, phone)) from customers
    select extractvalue(1, concat('a[', iban)) from customers
    select extractvalue(1, concat('a/', 0x7e, email)) from customers
    select updatexml(null, concat(0x3a, (select group_concat(iban) from customers)), null)
    select updatexml('<a/>', concat('//', name, '~'), 'x') from customers
    select updatexml(1, concat('(', phone), 1) from customers
    select cast(card as unsigned) + 18446744073709551615 from customers
    select cast(0 as unsigned) - cast(card as unsigned) from customers
    select ~0 + cast(card as unsigned) from customers
    select 9223372036854775807 + card from customers
    select exp(card + 1) from customers
    select pow(iban + card, 99) from customers
    select 1e308 * card from customers
    select st_geomfromwkb(name) from customers
    select st_length(email) from customers
    select st_contains(iban, email) from customers
    select json_table_error(iban) from customers
    select raise_value(iban) from customers
    select raise_value(name) from customers
    select raise_form(iban) from customers
    select raise_form(email) from customers
  `),
  SQLite: lines(`
    select json(iban) from customers
    select json(name) from customers
    select json('{' || email) from customers
    select jsonb(iban) from customers
    select json_extract('{}', iban) from customers
    select json_extract('{}', '$.' || name || '[') from customers
    select json_extract(iban, '$.a') from customers
    select json_type('{}', iban) from customers
    select json_type(name) from customers
    select json_array_length(iban) from customers
    select json_array_length('[]', iban) from customers
    select json_insert('{}', iban, 1) from customers
    select json_insert(name, '$.a', 1) from customers
    select json_replace('{}', iban, 1) from customers
    select json_replace(email, '$.a', 1) from customers
    select json_set('{}', iban, 1) from customers
    select json_set(phone, '$.a', 1) from customers
    select json_remove('{}', iban) from customers
    select json_remove(name, '$.a') from customers
    select json_patch(iban, '{}') from customers
    select json_patch('{}', name) from customers
    select json_quote(jsonb('1')), json(email) from customers
    select json_pretty(iban) from customers
    select json_error_position(iban), json(iban) from customers
    select iban -> '$.a' from customers
    select '{}' -> ('$[' || iban) from customers
    select name ->> '$' from customers
    select '{}' ->> ('$.' || '"' || name) from customers
    select value from customers, json_each(iban)
    select value from customers, json_each('{}', iban)
    select value from customers, json_tree(name)
    select value from customers, json_tree('{}', '$' || name)
    select json_group_array(json(iban)) from customers
    select json_group_object(name, json(email)) from customers
    select json_object('a', json(iban)) from customers
    select json_object(1, iban) from customers
    select json_array(json(name)) from customers
    select 'x' like iban escape name from customers
    select 'x' glob replace(hex(zeroblob(30000)), '00', '[' || iban) from customers
    select iban like replace(hex(zeroblob(30000)), '00', '%' || name) from customers
    select abs(-9223372036854775807 - 1), iban from customers
    select abs(-9223372036854775807 - 1) || iban from customers
    select sum(card * 2247) + sum(9223372036854775807) from customers
    select sum(v) from (select 9223372036854775807 v union all select card from customers)
    select printf('%s', zeroblob(2147483647)) || iban from customers
    select zeroblob(card) from customers
    select replace(hex(zeroblob(10000000)), '00', iban || name || email) from customers
    select string_agg(json(iban), name) from customers
    select ntile(0) over (order by iban) from customers
    select nth_value(iban, 0) over (order by name) from customers
    select first_value(name) over (order by iban rows between id - 2 preceding and current row) from customers
    select iban from customers order by json(name)
    select 1 from customers group by json(iban)
    select 1 from customers having json(max(name))
    select iban from customers limit (select iban from customers)
    select name from customers limit 1 offset (select name from customers)
    select case when json(iban) then 1 end from customers
    select * from customers a join customers b on json(a.iban) = b.iban
    with t as (select json(email) j from customers) select * from t
  `),
  DuckDB: lines(`
    select error(iban) from customers
    select error(concat('Binder Error: ', name)) from customers
    select error(concat(iban, chr(10), 'LINE 1: select', chr(10), '        ^')) from customers
    select error(concat('Catalog Error: Table with name ', iban, ' does not exist!')) from customers
    select error(string_agg(name || email, '|')) from customers
    select iban::int from customers
    select iban::bigint from customers
    select name::double from customers
    select name::decimal(10, 2) from customers
    select email::date from customers
    select name::timestamp from customers
    select name::timestamptz from customers
    select name::time from customers
    select name::interval from customers
    select iban::uuid from customers
    select iban::boolean from customers
    select ('\\x' || iban)::blob from customers
    select iban::bit from customers
    select iban::int[] from customers
    select ('[' || name)::varchar[] from customers
    select ('{a: ' || iban || '}')::struct(a int) from customers
    select iban::map(int, int) from customers
    select name::enum ('a', 'b') from customers
    select name::json from customers
    select iban::hugeint from customers
    select card::int from customers
    select card::tinyint from customers
    select card * card from customers
    select -(card * 3000) from customers
    select (card::hugeint * 1000000000000000000000)::bigint from customers
    select card::decimal(5, 0) from customers
    select json_extract('{}', iban || '[') from customers
    select json_extract(name, '$.a') from customers
    select json_transform(iban, '{"a": "INTEGER"}') from customers
    select json_transform_strict('{"a": "' || name || '"}', '{"a": "INTEGER"}') from customers
    select from_json_strict('{"a": "' || iban || '"}', '{"a": "DATE"}') from customers
    select json_type(iban) from customers
    select json_array_length('{' || name) from customers
    select json_keys(email) from customers
    select json_merge_patch(name, '{}') from customers
    select json_valid(name), json_structure(iban) from customers
    select strptime(iban, '%Y-%m-%d') from customers
    select strptime(name, ['%Y', '%d']) from customers
    select date_part(iban, now()) from customers
    select date_trunc(iban, now()) from customers
    select now() at time zone iban from customers
    select regexp_matches('x', '(' || iban) from customers
    select regexp_replace('x', '[' || name, '') from customers
    select regexp_extract('x', '(?<' || name) from customers
    select list_aggregate([1], iban) from customers
    select from_hex(iban || 'z') from customers
    select from_base64(name) from customers
    select unhex(email) from customers
    select unbin(iban) from customers
    select decode(('\\xFF' || '')::blob) || error(iban) from customers
    select chr(card) from customers
    select format('{' || iban, 1) from customers
    select printf('%' || name, 1) from customers
    select repeat(iban, card) from customers
    select make_date(card, 1, 1) from customers
    select make_timestamp(card, 1, 1, 1, 1, 1.0) from customers
    select range(card) from customers
    select nextval(iban) from customers
    select currval(name) from customers
    select getvariable(iban) || error(name) from customers
    select map([iban, iban], [1, 2]) from customers
    select array_value(iban)::int[3] from customers
    select (select iban from customers union all select name from customers)
    select bitstring(iban, 3) from customers
    select set_bit(iban::bit, 1, 1) from customers
    select name like iban escape email from customers
    select factorial(card::int) from customers
    select sqrt(-card), ln(-card), error(phone) from customers
    select string_split_regex(name, '(' || iban) from customers
    select printf('%d', iban) from customers
    select union_value(a := iban)::int from customers
    select string_agg(customers::varchar, '|')::int from customers
  `),
};
