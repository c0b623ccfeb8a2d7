import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { longestPauseMs } from '../testing/event-loop.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { useSalesFile } from './testing/sales-file.ts';

const { folder, temporaryParent, connector, options, execute } = useSalesFile();

describe('DuckDB', () => {
  it('reads a listed file as a table', async () => {
    const result = await execute('from sales order by id');
    expect(result.columns.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'id integer',
      'name text',
      'day date',
      'amount decimal',
    ]);
    expect(await rowsOf(result)).toEqual([
      [1, 'Ann', '2024-02-29', '1.50'],
      [2, 'é🙂', '2024-03-01', null],
    ]);
  });

  it.each([
    [
      'a number with a leading zero after the sample',
      ['10115', ...Array.from({ length: 25_000 }, () => '10115'), '01067'],
      'text',
    ],
    ['a text after the sample', [...Array.from({ length: 25_000 }, () => '1'), 'abc'], 'text'],
    ['digits beyond a double', ['4006381333931', '12345678901234567890123'], 'integer'],
    ['digits beyond 128 bits', ['1', '9'.repeat(60)], 'text'],
    ['one scale', ['1.10', '-2.00', '0.05'], 'decimal'],
    ['scales that differ, with zeros at the end', ['1.10', '2'], 'text'],
    ['scales that differ, without', ['1.5', '2', '-0.25'], 'float'],
    ['more digits than a double has', ['0.1234567890123456', '1'], 'text'],
    ['an exponent', ['1e5', '2'], 'text'],
    ['a sign', ['+5', '2'], 'text'],
    ['a negative zero', ['-0', '2'], 'text'],
    ['blanks', [' 1', '2'], 'text'],
    ['words for truth', ['Y', 'N'], 'text'],
    ['truth', ['true', 'false'], 'boolean'],
    ['days of another form', ['02/03/2024', '05/06/2024'], 'text'],
    ['days', ['2024-02-29', '2024-03-01'], 'date'],
    ['a day that does not exist', ['2024-02-29', '2024-02-30'], 'text'],
  ] as const)('reads a CSV column with %s without changing values', async (title, values, kind) => {
    const file = path.join(folder, `${title.replaceAll(/\W/g, '_')}.csv`);
    writeFileSync(file, `n,v\n${values.map((value, at) => `${at},${value}`).join('\n')}\n`);
    const files = { files: [{ name: 't', path: file }] };
    const result = await connector.execute(files, { sql: 'select v from t order by n' }, options);
    expect(result.columns.map((column) => column.kind)).toEqual([kind]);
    expect((await rowsOf(result)).map(([cell]) => String(cell))).toEqual(values);
  });

  it.each([
    ['7', 'integer'],
    ['170141183460469231731687303715884105727', 'integer'],
    ['1.50', 'decimal'],
    ['0.125', 'float'],
    ['true', 'boolean'],
    ['2024-02-29', 'date'],
    ['2024-02-29T10:00:00', 'timestamp'],
    ['2024-02-29T10:00:00.123Z', 'timestamptz'],
  ] as const)(
    'reads an empty field of a CSV file as NULL without changing the type of %s',
    async (value, kind) => {
      const file = path.join(folder, `missing-${kind}-${value.length}.csv`);
      const others = kind === 'float' ? ['2'] : [];
      writeFileSync(
        file,
        `n,v\n${[value, ...others, '', value].map((cell, at) => `${at},${cell}`).join('\n')}\n`,
      );
      const files = { files: [{ name: 't', path: file }] };
      const result = await connector.execute(files, { sql: 'select v from t order by n' }, options);
      expect(result.columns.map((column) => column.kind)).toEqual([kind]);
      const cells = (await rowsOf(result)).map(([cell]) => cell);
      expect(cells.at(-2)).toBeNull();
      expect(cells.filter((cell) => cell === null)).toHaveLength(1);
    },
  );

  it('returns every kind of value exactly', async () => {
    const result =
      await execute(`select true, 9223372036854775807::bigint, 170141183460469231731687303715884105727::hugeint,
      1.50::decimal(10, 2), 12345678901234567890.12::decimal(30, 2), 'nan'::double, 0.1::float, time '10:00:00',
      timestamp '2024-02-29 12:30:00.5', timestamptz '2024-02-29 12:30:00+02', interval 1 day, '\\x00\\xFF'::blob,
      {'a': 1, 'b': [9223372036854775807]}, '{"a":12345678901234567890}'::json, null, 'x'::enum('x', 'y')`);
    expect(result.columns.map((column) => column.kind).join(' ')).toBe(
      'boolean integer integer decimal decimal float float time timestamp timestamptz interval binary json json integer text',
    );
    expect(await rowsOf(result)).toEqual([
      [
        true,
        '9223372036854775807',
        '170141183460469231731687303715884105727',
        '1.50',
        '12345678901234567890.12',
        'NaN',
        0.1,
        '10:00:00',
        '2024-02-29T12:30:00.5',
        '2024-02-29T10:30:00Z',
        'P1D',
        '00ff',
        '{"a":1,"b":[9223372036854775807]}',
        '{"a":12345678901234567890}',
        null,
        'x',
      ],
    ]);
  });

  it('retains the digits of numbers in nested values', async () => {
    const result = await execute(`select {'x': 1::bigint, 'd': 1.10::decimal(10, 2), 'f': 0.5::double,
      't': date '2024-02-29', 'm': map {'k': 170141183460469231731687303715884105727::hugeint}},
      [1, 9007199254740993], [1.10::decimal(4, 2), null], [[true]]`);
    const map = '{"key":"k","value":170141183460469231731687303715884105727}';
    expect(await rowsOf(result)).toEqual([
      [
        `{"x":1,"d":1.10,"f":0.5,"t":"2024-02-29","m":[${map}]}`,
        '[1,9007199254740993]',
        '[1.10,null]',
        '[[true]]',
      ],
    ]);
  });

  it.each([
    ["interval '1 year -2 months 3 days -04:05:06.789'", 'P10M3DT-4H-5M-6.789S'],
    ["interval '0 days'", 'PT0S'],
    ["interval '-00:00:00.5'", 'PT-0.5S'],
    ["interval '14 months 36 hours'", 'P1Y2MT36H'],
  ])('formats %s like PostgreSQL, in ISO 8601', async (sql, text) => {
    expect(await rowsOf(await execute(`select ${sql}`))).toEqual([[text]]);
  });

  it.each([
    ["timestamp_s 'infinity'", 'infinity'],
    ["'-infinity'::timestamp_ms", '-infinity'],
    ["'infinity'::timestamp_ns", 'infinity'],
    ["timestamptz '12024-01-01 00:00:00+00'", '12024-01-01 00:00:00+00'],
    ["[date 'infinity', null, date '2024-02-29']", '["infinity",null,"2024-02-29"]'],
    ["[timestamp '2024-02-29 12:30:00.5']", '["2024-02-29T12:30:00.5"]'],
    ['[0.1::float, 16777216::float]', '[0.1,16777216]'],
    ['[interval 1 day]', '["P1D"]'],
    ["['\\x00\\xFF'::blob]", '["00ff"]'],
    ["['nan'::double, 1.5::double]", '["NaN",1.5]'],
    ['[[1.10::decimal(4, 2)], [null]]', '[[1.10],[null]]'],
  ])('formats %s according to the table of types', async (sql, text) => {
    expect(await rowsOf(await execute(`select ${sql}`))).toEqual([[text]]);
  });

  it('returns a 4-byte float with the digits of its text', async () => {
    const floats = [
      '188858192 + 8191 * i',
      '253760 + i / 8.0',
      '3439350 - i / 4.0',
      'i / 7.0',
      '1e14 / (i + 1)',
    ];
    const sql = floats
      .map((float) => `select (${float})::float as f from range(4000) t (i)`)
      .join(' union all ');
    const rows = await rowsOf(await execute(`select f, f::varchar from (${sql})`));
    expect(rows.length).toBe(4_000 * floats.length);
    expect(rows.filter(([float, text]) => float !== Number(text)).slice(0, 5)).toEqual([]);
  });

  it('binds values as parameters, outside the text', async () => {
    const { marker } = connector.dialect;
    const values = [
      { type: 'String', value: "'; drop view sales --" },
      { type: 'Number', value: '41' },
      { type: 'Number', value: '0.1' },
      { type: 'Date', value: '2024-02-29' },
      { type: 'DateTime', value: '2024-02-29T12:30:00.000Z' },
      { type: 'Boolean', value: false },
      { type: 'Number', value: '1' },
    ] as const;
    const [a, b, c, d, e, f, g] = values.map((value, index) => marker(index + 1, value));
    const sql = `select ${a} || '!', ${b} + 1, ${c} + 0.2 = 0.3, ${d} + 1, ${e}, ${f} from sales limit ${g}`;
    expect(await rowsOf(await execute({ sql, values }))).toEqual([
      ["'; drop view sales --!", 42, true, '2024-03-01', '2024-02-29T12:30:00Z', false],
    ]);
  });

  it('streams a million rows without blocking the event loop for 500 ms', async () => {
    let count = 0;
    const pause = await longestPauseMs(async () => {
      const result = await execute("select i, 'row ' || i as t from range(1000000) as r (i)");
      for await (const batch of result.batches) count += batch.rowCount;
    });
    expect(count).toBe(1_000_000);
    expect(pause).toBeLessThan(500);
  });

  it('cancels four endless joins without blocking the event loop, and then runs other statements', async () => {
    const long = 'select count(*) from range(100000000) a, range(100000000) b where a.range + b.range = -1';
    const controller = new AbortController();
    await Promise.all([1, 2, 3, 4].map(async () => rowsOf(await execute('select 1'))));
    const pause = await longestPauseMs(async () => {
      const running = [1, 2, 3, 4].map(() =>
        errorOf(execute(long, { signal: controller.signal }).then(rowsOf)),
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
      controller.abort();
      for (const error of await Promise.all(running)) expect(error.code).toBe('cancelled');
    });
    expect(pause).toBeLessThan(500);
    const others = await Promise.all([1, 2, 3, 4].map(async () => rowsOf(await execute('select 1'))));
    expect(others).toEqual([[[1]], [[1]], [[1]], [[1]]]);
    // A child that could interrupt its statement remains in the pool, with its folder.
    const leftovers = () =>
      readdirSync(temporaryParent, { recursive: true }).filter(
        (name) => !/^svc-engine-\w+(\/(probe|work))?$/.test(String(name)),
      );
    await expect.poll(leftovers).toEqual([]);
  });

  it('applies its limits of rows, value size and memory', async () => {
    expect(await errorOf(execute('from range(50)', { maxRows: 49 }).then(rowsOf))).toMatchObject({
      code: 'too-many-rows',
    });
    expect(await errorOf(execute("select repeat('x', 200000000)").then(rowsOf))).toMatchObject({
      code: expect.stringMatching(/value-too-large|out-of-memory/),
    });
    const hungry = 'select list(i) from range(1000000000) as r (i)';
    expect(await errorOf(execute(hungry).then(rowsOf))).toMatchObject({
      code: 'out-of-memory',
      message: expect.stringContaining('Read fewer rows or columns'),
    });
    expect(await rowsOf(await execute('select 1'))).toEqual([[1]]);
  });

  it('returns the position of an error', async () => {
    expect(await errorOf(execute('select 1,\n  nothing_here from sales'))).toMatchObject({
      code: 'statement-failed',
      position: { line: 2, column: 3 },
    });
    expect(await errorOf(execute('select 1,\n  from from sales'))).toMatchObject({
      position: { line: 2, column: 8 },
    });
  });
});
