import { type Column, createConnectors, duckdbDialect, type SqlDialect } from '@svc/connectors';
import { describe, expect, it } from 'vitest';
import { exposedColumns } from './exposure.ts';
import { isPersonalName } from './rules.ts';

const connectors = createConnectors();
const clickhouse = connectors.get('ClickHouse');
const column = (name: string, kind: Column['kind'] = 'text', origin: Column['origin'] = null): Column => ({
  name,
  kind,
  databaseType: 'text',
  origin,
});

describe('result columns', () => {
  const exposed = (sql: string, columns: Column[], dialect: SqlDialect = duckdbDialect) =>
    exposedColumns({ sql, dialect, columns, isPersonal: isPersonalName });
  /** Columns of a statement by name, and the expected masking of each. */
  type ExposureCase = readonly [sql: string, names: readonly string[], areMasked: readonly boolean[]];
  const expectExposed = (cases: readonly ExposureCase[], dialect?: SqlDialect): void => {
    for (const [sql, names, areMasked] of cases) {
      const columns = names.map((name) => column(name));
      expect([sql, exposed(sql, columns, dialect)]).toEqual([sql, areMasked]);
    }
  };

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

  it('of MySQL and SQLite are checked by the statement text if their origin is a column of a function', () => {
    const value = [column('value', 'text', { column: 'value' })];
    const sql = 'select value from u, json_each(json_array(email))';
    for (const name of ['MySQL', 'SQLite'] as const) {
      const { dialect } = connectors.get(name);
      expect(exposed(sql, value, dialect)).toEqual([true]);
      expect(exposed('select value from u where email is null', value, dialect)).toEqual([false]);
    }
  });

  it('of DuckDB are masked where an alias, COLUMNS or a summary can contain personal data', () => {
    const cases: ExposureCase[] = [
      ['select email as e, upper(e) as x, id from u', ['e', 'x', 'id'], [true, true, false]],
      ["select columns('mai.*') as x from u", ['x'], [true]],
      ["select max(columns(c -> c like 'mai%')) as x from u", ['x'], [true]],
      ['select v from (unpivot u on columns(* exclude id) into name k value v)', ['v'], [true]],
      ['unpivot u on columns(* exclude id) into name k value v', ['id', 'v'], [true, true]],
      ['summarize u', ['column_name', 'min'], [true, true]],
      ['select min from (summarize select * from u)', ['min'], [true]],
      ['select x.y from (select {y: email} as x from u)', ['y'], [true]],
      ['select status, sum(total) as n from orders group by status', ['status', 'n'], [false, false]],
    ];
    expectExposed(cases);
  });

  it('of SQL Server are masked where brackets, aliases, renamed columns or FOR JSON can contain personal data', () => {
    const cases: ExposureCase[] = [
      ['select [id], [email] from [u]', ['id', 'email'], [false, true]],
      ['select x = email, y = id from u', ['x', 'y'], [true, false]],
      ['select top (5) u.[email] as x, id from u', ['x', 'id'], [true, false]],
      ['select * from u for json auto', ['JSON_F52E2B61'], [true]],
      ['select id, email from u for xml path', ['XML_F52E2B61'], [true]],
      ['select (select u.* for json path) as j from u', ['j'], [true]],
      ['select v from u unpivot (v for k in (email, phone)) p', ['v'], [true]],
      ['select v.x from u cross apply (values (u.email)) v(x)', ['x'], [true]],
      ['select count(*) as n from u where email is null', ['n'], [false]],
      ['select value from u cross apply openjson(data)', ['value'], [true]],
      ['select o.id, o.total * 2 as t from orders o (nolock)', ['id', 't'], [false, false]],
      ['select sum(total) as t from orders (nolock) where email is null', ['t'], [false]],
      ["select j.n from u cross apply openjson(data) with (n int '$.size') j", ['n'], [false]],
    ];
    const { dialect } = createConnectors().get('SqlServer');
    expectExposed(cases, dialect);
  });

  it('of ClickHouse are masked where an alias, a star or a text can contain personal data', () => {
    const cases: ExposureCase[] = [
      ['select id, email from u', ['id', 'email'], [false, true]],
      ['select u.id, u.email from u as u', ['id', 'email'], [false, true]],
      ['select upper(name) as n from u where email is not null', ['n'], [false]],
      ['select count() as n, count(*) from u where email is null', ['n', 'count()'], [false, false]],
      ['select email as e, e as x, id from u', ['e', 'x', 'id'], [true, true, false]],
      ['select email e, e x, id i from u', ['e', 'x', 'i'], [true, true, false]],
      ['select e as x, (email as e) from u', ['x', 'e'], [true, true]],
      ['with email as e select e as x, id from u', ['x', 'id'], [true, false]],
      ['with lower(email) as e select length(e) as x from u', ['x'], [true]],
      ['select x from u array join emails as x', ['x'], [true]],
      ['select tuple(*).2 as x, id from u', ['x', 'id'], [true, false]],
      ["select columns('mai') as x from u", ['x'], [true]],
      ["select JSONExtractString(data, 'email') as x, id from u", ['x', 'id'], [true, false]],
      ["select dictGet('people', 'email', id) as x from u", ['x'], [true]],
      ["select tupleElement(t, 'email') as x from u", ['x'], [true]],
      ['select x from (select email as x from u)', ['x'], [true]],
      ['select y.1 as v from (select tuple(*) as y from u)', ['v'], [true]],
      ['select * apply(toString) from u', ['toString(id)', 'toString(email)'], [false, true]],
      ['select * replace (email as id) from u', ['id'], [true]],
      [
        'select status, n from (select status, count() as n from t group by status)',
        ['status', 'n'],
        [false, false],
      ],
    ];
    const { dialect } = clickhouse;
    expectExposed(cases, dialect);
  });

  it('of BigQuery are masked where a struct, an array or a text can contain personal data', () => {
    const cases: ExposureCase[] = [
      ['select id, email from `p.d.u`', ['id', 'email'], [false, true]],
      ['select count(*) as n, max(id) as m from u where email is not null', ['n', 'm'], [false, false]],
      ['select id, * except (email) from u', ['id', 'id', 'x'], [true, true, true]],
      ['select * replace (email as id) from u', ['id'], [true]],
      ["select json_value(data, '$.email') as x, id from u", ['x', 'id'], [true, false]],
      ['select json_value(data, "$.email") as x from u', ['x'], [true]],
      ["select json_value(data, r'$.email') as x from u", ['x'], [true]],
      ['select data[\'email\'] as x, data["email"] as y, id from u', ['x', 'y', 'id'], [true, true, false]],
      ["select data['''email'''] as x from u", ['x'], [true]],
      ['select data.email as x from u', ['x'], [true]],
      ['select u as x, id from u', ['x', 'id'], [true, false]],
      ['select to_json_string(u) as x from `d.u` as u', ['x'], [true]],
      ['select to_json_string(u) as x from d.u', ['x'], [true]],
      ['select to_json_string(u) as x from `p.d.u`', ['x'], [true]],
      ['select x from u, unnest(emails) as x', ['x'], [true]],
      ['select s.x, 1 as one from u, unnest([struct(email as x)]) as s', ['x', 'one'], [true, false]],
      ['select array(select as struct * from u) as x', ['x'], [true]],
      ['select x from graph_table(g match (n) return n.email as x)', ['x'], [true]],
      ['select x from (select email as x from u)', ['x'], [true]],
      ['select v from u unpivot (v for k in (email, name))', ['v'], [true]],
      [
        'select status, n from (select status, count(*) as n from t group by status)',
        ['status', 'n'],
        [false, false],
      ],
    ];
    const { dialect } = connectors.get('BigQuery');
    expectExposed(cases, dialect);
  });

  it('of Snowflake are masked where an alias, an object or a lateral table can contain personal data', () => {
    const cases: ExposureCase[] = [
      ['select id, email from u', ['ID', 'EMAIL'], [false, true]],
      ['select id, email as e, e as x from u', ['ID', 'E', 'X'], [false, true, true]],
      ['select id, upper(email) as e, e || 1 as x from u', ['ID', 'E', 'X'], [false, true, true]],
      ['select count(*) as n, max(id) as m from u where email is not null', ['N', 'M'], [false, false]],
      ['select * from u', ['ID', 'EMAIL', 'X'], [false, true, false]],
      ['select * rename email as x from u', ['ID', 'X'], [true, true]],
      ['select * exclude email from u', ['ID', 'X'], [true, true]],
      ['select * replace (email as id) from u', ['ID'], [true]],
      ['select object_construct(*) as x from u', ['X'], [true]],
      ['select object_construct(u.*) as x, 1 as one from u', ['X', 'ONE'], [true, false]],
      ['select data:email as x, id from u', ['X', 'ID'], [true, false]],
      ['select data:contact.email::string as x from u', ['X'], [true]],
      ["select data['email'] as x from u", ['X'], [true]],
      ["select get_path(data, 'email') as x from u", ['X'], [true]],
      ['select f.value from u, lateral flatten(input => emails) f', ['VALUE'], [true]],
      ["select f.value from u, table(flatten(input => split(email, '@'))) f", ['VALUE'], [true]],
      ['select f.value from u, lateral flatten(input => object_construct(u.*)) f', ['VALUE'], [true]],
      ['select * from u, lateral flatten(input => object_construct(u.*)) f', ['ID', 'VALUE'], [true, true]],
      ['select f.value from u, lateral flatten(input => tags) f', ['VALUE'], [false]],
      ['select v from u unpivot (v for k in (email, name))', ['V'], [true]],
      ['select x from (select email as x from u)', ['X'], [true]],
      ['with t (x) as (select email from u) select x from t', ['X'], [true]],
      ['select "Email" as x from u', ['X'], [true]],
    ];
    const { dialect } = connectors.get('Snowflake');
    expectExposed(cases, dialect);
  });

  it('of Databricks are masked where an alias, a struct or a lateral view can contain personal data', () => {
    const cases: [string, string[], boolean[]][] = [
      ['select id, email from u', ['id', 'email'], [false, true]],
      ['select id, email as e, e as x from u', ['id', 'e', 'x'], [false, true, true]],
      ['select id, `email` as x from u', ['id', 'x'], [false, true]],
      ['select upper("email") as x, id from u', ['x', 'id'], [true, false]],
      ['select count(*) as n, max(id) as m from u where email is not null', ['n', 'm'], [false, false]],
      ['select * from u', ['id', 'email', 'x'], [false, true, false]],
      ['select * except (email) from u', ['id', 'x'], [true, true]],
      ['select data:email as x, id from u', ['x', 'id'], [true, false]],
      ['select data:contact.email::string as x from u', ['x'], [true]],
      ['select data[\'email\'] as x, data["email"] as y from u', ['x', 'y'], [true, true]],
      ["select get_json_object(data, '$.email') as x, id from u", ['x', 'id'], [true, false]],
      ["select get_json_object(data, r'$.email') as x from u", ['x'], [true]],
      ['select get_json_object(data, "$.email") as x from u', ['x'], [true]],
      ["select variant_get(data, '$.contact.email') as x from u", ['x'], [true]],
      ['select to_json(struct(*)) as x from u', ['x'], [true]],
      ['select to_json(struct(u.*)) as x, 1 as one from u', ['x', 'one'], [true, false]],
      ['select to_json(u) as x from u', ['x'], [true]],
      ['select to_json(t) as x from u version as of 3 t', ['x'], [true]],
      ["select s.a as x from (select named_struct('a', email) as s from u)", ['x'], [true]],
      ["select stack(1, 'a', email) as (k, v) from u", ['k', 'v'], [true, true]],
      ['select t.x from u lateral view explode(array(email)) t as x', ['x'], [true]],
      ["select t.col from u, lateral explode(split(email, '')) t", ['col'], [true]],
      ['select t.col from u, lateral explode(tags) t', ['col'], [false]],
      ['select v from u unpivot (v for k in (email, name))', ['v'], [true]],
      ['select x from (select email as x from u)', ['x'], [true]],
      ['with t (x) as (select email from u) select x from t', ['x'], [true]],
      ["select '' as x union all table u", ['x'], [true]],
      ["select '' as x minus (select email from u)", ['x'], [true]],
    ];
    const { dialect } = connectors.get('Databricks');
    for (const [sql, names, expected] of cases)
      expect([
        sql,
        exposed(
          sql,
          names.map((name) => column(name)),
          dialect,
        ),
      ]).toEqual([sql, expected]);
    const nested = (databaseType: string): Column => ({ ...column('detail', 'json'), databaseType });
    for (const [type, expected] of [
      ['STRUCT<id: BIGINT, eMail: STRING>', true],
      ['ARRAY<STRUCT<`email`: STRING>>', true],
      ['STRUCT<id: BIGINT, size: INT>', false],
      ['STRUCT<id: BIGINT, …', true],
    ] as const)
      expect([type, exposed('select detail from u', [nested(type)], dialect)]).toEqual([type, [expected]]);
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
