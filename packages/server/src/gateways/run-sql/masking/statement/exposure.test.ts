import { type Column, createConnectors, duckdbDialect } from '@svc/connectors';
import { describe, expect, it } from 'vitest';
import { column, type ExposureCase, expectExposed, exposed } from './testing/exposure-cases.ts';

const connectors = createConnectors();

describe('result columns', () => {
  it('are masked by name, by origin and by the expression that produces them', () => {
    const cases: ExposureCase[] = [
      ['select id, email from u', ['id', 'email'], [false, true]],
      ['select id, email as e from u', ['id', 'e'], [false, true]],
      ['select id, email e from u', ['id', 'e'], [false, true]],
      ["select split_part(email, '@', 1) as part, upper(name) from u", ['part', 'upper'], [true, false]],
      ['select upper(name) as n from u where email is not null', ['n'], [false]],
      ['select count(*) from u where email is null', ['count'], [false]],
      ['select n, n * 2 as twice from generate_series(1, 5) n', ['n', 'twice'], [false, false]],
      ['select n from generate_series(1, 5) as n', ['n'], [false]],
      ['select n from mine.generate_series(1, 5) n', ['n'], [true]],
      ['select f from find_people(1) f', ['f'], [true]],
      ['select count(distinct email) as n from u', ['n'], [false]],
      [
        'select count(*) filter (where email is null) as n, max(phone) as m from u',
        ['n', 'm'],
        [false, true],
      ],
      ['select * from u', ['id', 'email', 'x'], [false, true, false]],
      ['select u from u', ['u'], [true]],
      ['select t::text as x from u as t', ['x'], [true]],
      ['select to_json(t) as x, t.id from u t', ['x', 'id'], [true, false]],
      ['select to_json(t.*) as x from u t', ['x'], [true]],
      ["select data ->> 'email' as x, data ->> 'size' as y from u", ['x', 'y'], [true, false]],
      ["select json_extract(data, '$.user.email') as x from u", ['x'], [true]],
      ["select 'email' as label, 1 as n from u", ['label', 'n'], [false, false]],
      ['select x from (select email as x from u) t', ['x'], [true]],
      [
        'with t as (select id, email as x from u) select id, x, count(*) as n from t group by 1, 2',
        ['id', 'x', 'n'],
        [true, true, false],
      ],
      ['select upper(x) as y from (select * from u) as t (a, x)', ['y'], [true]],
      ['select id as x from u union all select email from u', ['x'], [true]],
      ['select id as x from u union all select name from u', ['x'], [false]],
      ['select value as v from (unpivot u on email, phone)', ['v'], [true]],
      ['show tables', ['name'], [false]],
    ];
    expectExposed(cases);
  });

  it('of a UNION are masked by all of its operands, in brackets or without a list of their own', () => {
    const cases: [string, boolean[]][] = [
      ["select 1 as id, '' as note union all (select id, email from u)", [true, true]],
      ["select 1 as id, '' as note union all ((select id, email from u))", [true, true]],
      ["(select id, email as note from u) union all select 1, ''", [true, true]],
      ["((select id, email as note from u) union all select 2, '') union select 1, ''", [true, true]],
      ["select 1 as id, '' as note union all (select 2, '' union all select id, email from u)", [true, true]],
      ["select 1 as id, '' as note union all (with t as (select 1) select id, email from u)", [true, true]],
      ["with t as (select 1) (select id, email as note from u) union all select 1, ''", [true, true]],
      ["select 1 as id, '' as note union all (select * from u)", [true, true]],
      ["select 1 as id, '' as note union all table u", [true, true]],
      ["select 1 as id, '' as note union all (table u)", [true, true]],
      ["select 1 as id, '' as note union all by name from u", [true, true]],
      ["select 1 as id, '' as note union all (from u)", [true, true]],
      ["select 1 as id, '' as note union all from u select id, email", [true, true]],
      ['from u select id, email as note', [false, true]],
      ['from u select count(*) as id, max(size) as note where email is not null', [false, false]],
      ["select 1 as id, '' as note union all values (1, (select max(email) from u))", [true, true]],
      ['values (1, (select max(email) from u))', [true, true]],
      ['select id, note from (table u) t (id, note)', [true, true]],
      ['with t (id, note) as (table u) select id, note from t', [true, true]],
      ["with t as (select 1 as id, '' as note) table t", [true, true]],
      ["select 1 as id, '' as note union all (select id, size from u)", [false, false]],
      ["(select id, size as note from u) except (select 1, '')", [false, false]],
      ['(select id, size as note from u limit 5)', [false, false]],
      ["with t as (select id from u) select count(*) as id, 'x' as note from t", [false, false]],
    ];
    for (const [sql, expected] of cases)
      for (const dialect of [duckdbDialect, connectors.get('PostgreSQL').dialect])
        expect([sql, exposed(sql, [column('id'), column('note')], dialect)]).toEqual([sql, expected]);
  });

  it('are masked where columns of tables, functions or VALUES in FROM have other names', () => {
    const cases: ExposureCase[] = [
      ['select x from u as t (id, x)', ['x'], [true]],
      ['select t.x from u t (id, x)', ['x'], [true]],
      ['select * from u t (id, x)', ['id', 'x'], [true, true]],
      ['select x.id from u join s t (id, x) on t.id = u.id, v x', ['id'], [true]],
      ['select t.x from u, unnest(array[u.email]) t(x)', ['x'], [true]],
      ['select v.column1 from u cross join lateral (values (email)) v', ['column1'], [true]],
      ['select column1 from u, lateral (values (1), ((u.*)::text)) v', ['column1'], [true]],
      ['select value from u, json_each_text(to_json(u))', ['value'], [true]],
      ['select e.value from u, lateral json_each_text(row_to_json(u.*)) e', ['value'], [true]],
      ['select e.v from s.u, rows from (unnest(array[to_json(u)])) e(v)', ['v'], [true]],
      ['select value from u, jsonb_each_text(data)', ['value'], [true]],
      ["select part from u, regexp_split_to_table(u.email, '@') part", ['part'], [true]],
      ["select j.x from u, json_table(data, '$' columns (x text path '$.email')) j", ['x'], [true]],
      ['select t.tag, o.id from orders o, unnest(o.tags) t (tag)', ['tag', 'id'], [false, false]],
      [
        'select e.item, o.id from orders o, jsonb_array_elements(o.items) e(item)',
        ['item', 'id'],
        [false, false],
      ],
      [
        'select o.id, e.size + 1 as n from orders o join lateral sizes(o.id) e on true',
        ['id', 'n'],
        [false, false],
      ],
      [
        "select o.id, x.label from orders o join (values (1, 'a')) x(n, label) using (n)",
        ['id', 'label'],
        [false, false],
      ],
      ['select sum(o.total) as s from orders o join u on lower(u.email) = lower(o.mail)', ['s'], [false]],
      ['select extract(year from date(placed)) as y from orders where email is not null', ['y'], [false]],
      ['select a is distinct from lower(b) as c, n from t where email = b', ['c', 'n'], [false, false]],
      ['select n from u tablesample bernoulli (10) where email is null', ['n'], [false]],
    ];
    for (const name of ['PostgreSQL', 'MySQL'] as const) expectExposed(cases, connectors.get(name).dialect);
  });

  it('are masked where a row, the members of an object or a joined table have other names', () => {
    const cases: ExposureCase[] = [
      ['select t.u from (select u from u) t', ['u'], [true]],
      ['with t as (select p as r, id from u p) select r::text as x from t', ['x'], [true]],
      ['select c.x from (u cross join s) as c (id, n, x)', ['x'], [true]],
      ['select c.x from (u join s using (id)) c (id, n, x)', ['x'], [true]],
      ['select (jsonb_each_text(data)).value as x, id from u', ['x', 'id'], [true, false]],
      ["select jsonb_path_query(data, '$.contact.*') as x, id from u", ['x', 'id'], [true, false]],
      ["select jsonb_path_query(data, '$.tags[*]') as x from u", ['x'], [false]],
      ['select svals(h) as x from u', ['x'], [true]],
      [
        'select s, n from (select o.s, count(*) as n from orders o group by o.s) t',
        ['s', 'n'],
        [false, false],
      ],
      [
        'with t as (select o.id from orders o) select t.id * 2 as x from t join s on s.id = t.id',
        ['x'],
        [false],
      ],
      ['select e from (select e from orders o, jsonb_array_elements_text(o.tags) e) x', ['e'], [false]],
      ['select p from orders o, unnest(o.buyers) p', ['p'], [true]],
      ['select p from (select extract(year from placed) as p from orders) t', ['p'], [false]],
    ];
    for (const name of ['PostgreSQL', 'MySQL'] as const) expectExposed(cases, connectors.get(name).dialect);
  });

  it('are masked where names after a sample or an earlier version, or paths into XML, can contain personal data', () => {
    const of: Readonly<Record<'Snowflake' | 'Databricks' | 'SqlServer', readonly ExposureCase[]>> = {
      Snowflake: [
        ['select id, t.size from u sample bernoulli (5) seed (1) t', ['ID', 'SIZE'], [false, false]],
        ['select x from u sample (5) t (id, x)', ['X'], [true]],
        ['select x from u at (offset => -60) as t (id, x)', ['X'], [true]],
      ],
      Databricks: [
        ['select x from u tablesample (5 rows) t (id, x)', ['x'], [true]],
        ['select x from u tablesample (5 percent) repeatable (1) as t (id, x)', ['x'], [true]],
        ['select id from u tablesample (5 rows) t', ['id'], [false]],
        ['select x from u@v3 t (id, x)', ['x'], [true]],
        ['select x from u version as of 3 t (id, x)', ['x'], [true]],
        ["select x from u timestamp as of '2026-01-01' as t (id, x)", ['x'], [true]],
        [
          'select t.id, v.size from u version as of 3 t join v on t.id = v.id',
          ['id', 'size'],
          [false, false],
        ],
      ],
      SqlServer: [
        ["select d.value('(/contact/email)[1]', 'nvarchar(50)') as x, id from u", ['x', 'id'], [true, false]],
        ["select d.value('@email', 'nvarchar(50)') as x from u", ['x'], [true]],
        ["select d.value('(/size)[1]', 'int') as x from u where note = '/email'", ['x'], [false]],
        [
          "select c.value('.', 'nvarchar(50)') as x from u cross apply d.nodes('//email') t (c)",
          ['x'],
          [true],
        ],
        ["select c.value('.', 'int') as x from u cross apply d.nodes('//size') t (c)", ['x'], [false]],
      ],
    };
    for (const [engine, cases] of Object.entries(of)) {
      expectExposed(cases, connectors.get(engine as keyof typeof of).dialect);
    }
    expectExposed(
      [['select id from u use index (id, name) where id > 1', ['id'], [false]]],
      connectors.get('MySQL').dialect,
    );
    expectExposed([
      ["select (xpath('//email/text()', d))[1]::text as x, id from u", ['x', 'id'], [true, false]],
      ["select t.x from u, xmltable('/a' passing d columns x text path 'email') t", ['x'], [true]],
    ]);
  });

  it('with fields that have personal names are masked entirely', () => {
    const { dialect } = connectors.get('BigQuery');
    const nested = (databaseType: string): Column => ({ ...column('customer', 'json'), databaseType });
    const columns = [
      nested('STRUCT<id INT64, email STRING>'),
      nested('ARRAY<STRUCT<id INT64, contact STRUCT<phone_number STRING>>>'),
      nested('STRUCT<id INT64, …'),
      nested('STRUCT<id INT64, note STRING>'),
    ];
    const sql = 'select customer, customer, customer, customer from t';
    expect(exposed(sql, columns, dialect)).toEqual([true, true, true, false]);
  });

  it('are clear if the engine reports a harmless origin', () => {
    const sql = 'with t as (select email as x, id as y from u) select x, y, y + 1 as z from t';
    const columns = [
      column('x', 'text', { column: 'email' }),
      column('y', 'integer', { column: 'id' }),
      column('z', 'integer'),
    ];
    expect(exposed(sql, columns)).toEqual([true, false, true]);
  });
});
