import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CopyFixture, startCopyFixture } from './testing.ts';

let fixture: CopyFixture;

beforeAll(async () => {
  fixture = await startCopyFixture();
});
afterAll(() => fixture.close());

const digits38 = '12345678901234567890123456789.012345678';

/** Types with values that must arrive unchanged. */
const exact: readonly (readonly [type: string, values: readonly string[]])[] = [
  ['boolean', ['true', 'false']],
  ['smallint', ['-32768', '32767']],
  ['bigint', ['-9223372036854775808', '9223372036854775807', '9007199254740993']],
  [
    'numeric',
    [
      digits38,
      `-${digits38}`,
      "'NaN'",
      '0.0000001',
      '1.50',
      '1e30',
      '0.000000000000000000000000000000000001',
    ],
  ],
  ['numeric(38, 9)', [digits38, '-0.000000001']],
  ['real', ['0.1', '3.4028235e38', '1e-45', "'NaN'", "'Infinity'", '16777216']],
  [
    'double precision',
    ['0.1', '1.7976931348623157e308', '5e-324', '-0.0', "'NaN'", "'-Infinity'", '0.30000000000000004'],
  ],
  [
    'text',
    [
      "''",
      "'\\'",
      "'\\N'",
      "'\\.'",
      "E'a\\tb\\nc\\rd\\be\\ff\\vg'",
      "'é🙂𝄞'",
      "' pad '",
      "'NULL'",
      "E'\\x01\\x7f'",
      "repeat('long ', 50000)",
    ],
  ],
  ['varchar(4)', ["'ab  '", "'🙂🙂🙂🙂'"]],
  ['char(4)', ["'ab'"]],
  ['bytea', ["'\\x00ff5c0a'", "''"]],
  ['uuid', ["'f0b1e0a8-0000-4000-8000-000000000001'"]],
  [
    'date',
    ["'0044-03-15 BC'", "'infinity'", "'-infinity'", "'9999-12-31'", "'12024-01-01'", "'5874897-12-31'"],
  ],
  ['time', ["'24:00:00'", "'23:59:59.999999'"]],
  ['timetz', ["'12:00:00.5+14:30'"]],
  [
    'timestamp',
    ["'0044-03-15 01:02:03.000001 BC'", "'infinity'", "'12024-01-01 00:00'", "'2024-02-29 12:30:00.123456'"],
  ],
  [
    'timestamptz',
    [
      "'0044-03-15 01:02:03+00 BC'",
      "'-infinity'",
      "'12024-01-01 00:00+00'",
      "'2024-03-31 02:30:00+01'",
      "'1883-11-18 12:03:58-07:52:58'",
    ],
  ],
  ['interval', ["'1 year -2 months 3 days -04:05:06.789'", "'-178000000 years'"]],
  ['json', [`'{"a": 12345678901234567890.10, "a":  1}'`, `'"\\u00e9\\n"'`]],
  ['jsonb', [`'{"a": [1, {"b": null}], "n": ${digits38}}'`]],
  ['integer[]', ["'{1,NULL,2}'"]],
  ['text[]', [`'{"a,b","c\\"d",NULL,"NULL"}'`]],
  ['inet', ["'::1/64'"]],
  ['money', ["'-12.34'"]],
  ['bit(9)', ["B'101010101'"]],
  ['src.mood', ["'so, so'"]],
  ['src.positive', ['7']],
  ['int4range', ["'[1,5)'", "'empty'"]],
];

describe('values that arrive unchanged', () => {
  beforeAll(() =>
    fixture.admin.query(
      `create type src.mood as enum ('so, so', 'ok'); create domain src.positive as int check (value > 0)`,
    ),
  );
  for (const mode of ['Insert', 'Upsert'] as const) {
    it.each(exact)(`are equal at the destination in mode ${mode}: %s`, async (type, values) => {
      const rows = values.map((value, id) => `(${id}, (${value})::${type})`).join(', ');
      await fixture.admin.query(`drop table if exists src.t, dst.t;
        create table src.t (id int primary key, v ${type}); create table dst.t (like src.t including indexes);
        insert into src.t values ${rows}, (1000, null)`);
      await fixture.copy({ mode });
      const all = (table: string) => fixture.texts(`select id, v::text, v is null from ${table} order by 1`);
      expect(await all('dst.t')).toEqual(await all('src.t'));
      expect(await all('dst.t')).toHaveLength(values.length + 1);
    });
  }
});

/** Values that a destination of another type would round, truncate or reject: source type, value, destination type, code. */
const refused: readonly (readonly [from: string, value: string, to: string, code: string])[] = [
  ['numeric', '1.239', 'numeric(10, 2)', 'inexact'],
  ['numeric', '123456789', 'numeric(5, 2)', 'out-of-range'],
  ['numeric', '1.5', 'integer', 'inexact'],
  ['numeric', digits38, 'double precision', 'inexact'],
  ['bigint', '9007199254740993', 'double precision', 'inexact'],
  ['bigint', '2147483648', 'integer', 'out-of-range'],
  ['bigint', '16777217', 'real', 'inexact'],
  ['double precision', '0.123456789', 'real', 'inexact'],
  ['double precision', '1e300', 'real', 'out-of-range'],
  ['integer', '2', 'boolean', 'invalid-value'],
  ['text', "'abcde'", 'varchar(4)', 'too-long'],
  ['text', "'abcd '", 'varchar(4)', 'too-long'],
  ['text', "'no uuid'", 'uuid', 'invalid-value'],
  ['text', "'{'", 'json', 'invalid-value'],
  ['text', "'so so'", 'src.mood', 'invalid-value'],
  ['timestamp', "'2024-01-01 00:00:00.123456'", 'timestamp(3)', 'inexact'],
  ['timetz', "'12:00:00+14:30'", 'time', 'inexact'],
  ['integer', '-1', 'src.positive', 'check-failed'],
  ['json', `'"\\u0000"'`, 'jsonb', 'invalid-text'],
];

describe('values that a destination would change', () => {
  it.each(refused)('are refused by row: %s %s into %s: %s', async (from, value, to, code) => {
    await fixture.admin.query(`drop table if exists src.t, dst.t;
      create table src.t (id int, v ${from}); create table dst.t (id int primary key, v ${to});
      insert into src.t values (1, null), (2, ${value}), (3, null)`);
    const { hooks, told: calls } = fixture.hooks();
    const request = fixture.request({ mode: 'Upsert', onRejectedRow: 'Skip' });
    const { outcome } = await fixture.copyData.run(request, hooks);
    expect(calls.rejected).toEqual([{ rowNumber: 2, key: '2', column: calls.rejected[0]?.column, code }]);
    expect(calls.rejected[0]?.column).toBe('v');
    expect(outcome?.counts.inserted).toBe(2);
  });
});
