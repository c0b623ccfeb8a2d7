import { type Column, createConnectors } from '@svc/connectors';
import { describe, expect, it } from 'vitest';
import { column, type ExposureCase, expectExposed, exposed } from './testing/exposure-cases.ts';

const connectors = createConnectors();
const clickhouse = connectors.get('ClickHouse');

describe('result columns', () => {
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
});
