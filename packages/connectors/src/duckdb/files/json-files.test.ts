import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { useFileFolder } from '../../testing/file-source.ts';
import { errorOf, rowsOf } from '../../testing/results.ts';

const { execute, folder, written } = useFileFolder();

async function read(content: string, sql = 'select * from data', name = 'data.json') {
  const result = await execute([{ ...written(name, content), name: 'data' }], sql);
  const types = result.columns.map(({ name, databaseType }) => [name, databaseType]);
  return { types: Object.fromEntries(types), rows: await rowsOf(result) };
}

const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

describe('a JSON file', () => {
  it('retains texts unchanged, and has a time type only if all texts have its one form', async () => {
    const row = {
      id: '0A0EEBC9-9C0B-4EF8-BB6D-6BB9BD380A11',
      day: '2024-01-02',
      at: '2024-01-02T10:00:00',
      zoned: '2024-01-02T10:00:00Z',
      clock: '1:2:3',
      nested: { day: '2024-01-02', DATE: '0A0EEBC9-9C0B-4EF8-BB6D-6BB9BD380A11' },
      list: ['2024-1-2'],
    };
    const { types, rows } = await read(lines(row, { ...row, day: '2024-03-01' }));
    expect(types).toMatchObject({
      id: 'varchar',
      day: 'date',
      at: 'timestamp',
      clock: 'varchar',
      zoned: 'timestamp with time zone',
    });
    expect(rows[0]).toEqual([
      row.id,
      row.day,
      '2024-01-02T10:00:00',
      '2024-01-02T10:00:00Z',
      '1:2:3',
      JSON.stringify(row.nested),
      JSON.stringify(row.list),
    ]);
  });

  it('has a double only if a double can represent all digits of each number', async () => {
    const content = (n: string) =>
      `{"n": ${n}, "half": 0.5, "deep": {"n": ${n}, "half": 1.5}}\n{"n": 1, "half": 1}`;
    const { types, rows } = await read(content('9007199254740993'));
    expect(types).toMatchObject({ n: 'bigint', half: 'double' });
    expect(rows[0]).toEqual(['9007199254740993', 0.5, '{"n":9007199254740993,"half":1.5}']);
    const mixed = await read('{"n": 9007199254740993}\n{"n": 0.5}');
    expect(mixed.rows).toEqual([['9007199254740993'], ['0.5']]);
    const huge = await read('{"n": 12345678901234567890123}\n{"n": 7}');
    expect(huge.rows).toEqual([['12345678901234567890123'], [7]]);
    const nested = await read('[{"deep": [1.5, 9007199254740993]}]');
    expect(nested.rows).toEqual([['[1.5,9007199254740993]']]);
    const doubles = await read('{"n": 0.30000000000000004}\n{"n": 1e3}\n{"n": 2.000000000000000000}');
    expect(doubles.rows).toEqual([[0.30000000000000004], [1000], [2]]);
  });

  it('is refused with its row for too many digits and with its line for invalid JSON', async () => {
    const messageOf = async (content: string) => (await errorOf(read(content))).message;
    expect(await messageOf('{"n": 1.5}\n{"n": 0.1234567890123456789}')).toContain(
      'Row 2 of data.json has a number with more digits than a double has.',
    );
    expect(await messageOf('{"n": [{"m": 0.1234567890123456789}]}')).toContain('Row 1 of data.json');
    expect((await read('{"n": 1.5, "text": "0.1234567890123456789"}')).rows).toEqual([
      [1.5, '0.1234567890123456789'],
    ]);
    expect(await messageOf('{"a":1}\n{"a":2\n{"a":3}\n')).toMatch(/^Line 3 of data\.json cannot be read/);
    expect(await messageOf('{"a":1}\n{"a":1,"a":2}')).toContain('has an object with two members of one name');
    expect(await messageOf('{"a":1,"A":2}')).toContain('differ by case alone');
    expect((await read('{"a":1,"a_1":2}')).rows).toEqual([[1, 2]]);
  });

  it('retains a member of mixed types, and members with the names of its folder', async () => {
    expect((await read('[{"x":[1,"a"]}]')).rows).toEqual([['[1,"a"]']]);
    expect((await read('{"x":{"a":1}}\n{"x":{"a":"t"}}')).rows).toEqual([['{"a":1}'], ['{"a":"t"}']]);
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, at]));
    expect((await read(lines(wide), 'select m299 from data')).rows).toEqual([[299]]);
    mkdirSync(path.join(folder, 'y=2024'));
    expect((await read('{"y":7}', 'select y from data', 'y=2024/data.json')).rows).toEqual([[7]]);
    expect((await read('\ufeff[{"a":1},{"a":2}]')).rows).toEqual([[1], [2]]);
    expect((await errorOf(read('{"a":{"b":1}}\n{"a":{"b":1,"b":2}}'))).message).toContain(
      'two members of one name',
    );
  });

  it.each([
    ['9007199254740993.0', false],
    ['9007199254740.9937', false],
    ['1e400', false],
    ['1e-400', false],
    ['0.10000000000000001', true],
    ['123456789012345.67', true],
    ['1.5e-300', true],
    ['0e5', true],
  ])('with the number %s is read: %s', async (number, isRead) => {
    const outcome = await read(`{"n":${number}}\n{"n":0.5}`).catch((error: Error) => error.message);
    if (isRead) expect(outcome).toMatchObject({ rows: [[Number(number)], [0.5]] });
    else expect(outcome).toContain('Row 1 of data.json has a number with more digits');
  });

  it.each([
    ['{"a":1}\n{"a":2,"":3}', 'Row 2', '""', ''],
    ['{"a\\u0000b":1,"c":2}', 'Row 1', '"a\\u0000b"', ''],
    ['[{"a":1},{"a":2,"a\\u0000":3}]', 'Row 2', '"a\\u0000"', ''],
    ['{"json\\u0000":1}', 'Row 1', '"json\\u0000"', ''],
    ['{"a":{"b":1}}\n{"a":{"b":1, "" : 2}}', 'Row 2', '""', ' in its member a'],
    ['{"a":[{"b":{"x\\u0000y":1}}]}', 'Row 1', '"x\\u0000y"', ' in its member a'],
    ['[[{"":1}]]', 'Row 1', '""', ' in its member json'],
    ['{"a":{"":1,"n":12345678901234567,"d":1.5},"b":{"":2}}', 'Row 1', '""', ' in its member b'],
    ['{"b":{"c":1},"a":{"c":2}}\n{"b":{"c":3},"a":{"":2}}\n{"b":{"":1}}', 'Row 2', '""', ' in its member a'],
    [`{"${'x'.repeat(70)}\\u0000":1}`, 'Row 1', `"${'x'.repeat(60)}…"`, ''],
    [`{"a":{"${'x'.repeat(70)}\\u0000":1}}`, 'Row 1', `"${'x'.repeat(60)}…"`, ' in its member a'],
    [`{"${'x'.repeat(70)}":{"":1}}`, 'Row 1', '""', ` in its member ${'x'.repeat(60)}…`],
  ])(
    'of %j is refused by the row and the name that no column can have',
    async (content, row, name, where) => {
      const error = await errorOf(read(content));
      expect(error).toMatchObject({ code: 'file-unreadable' });
      expect(error.message).toBe(
        `${row} of data.json has a member with the name ${name}${where}, which no column can have. Give it another name.`,
      );
    },
  );

  it.each([
    ['{"a":"","b":"x\\u0000y","c":":"}', [['', 'x\u0000y', ':']]],
    [String.raw`{"a":"{\"\":1}","b":"x\\u0000\":","c\\u0000":1}`, [['{"":1}', String.raw`x\u0000":`, 1]]],
    ['{"a":{"b":"","c":"x\\u0000y"},"d":""}', [[String.raw`{"b":"","c":"x\u0000y"}`, '']]],
    ['{"a":{"":1}}\n{"a":3}', [['{"":1}'], ['3']]],
    ['[1,{"":2}]', [['1'], ['{"":2}']]],
    ['{"a":{"":1,"b":[1,"x"]}}', [['{"":1,"b":[1,"x"]}']]],
    ['{"a\\u0001b":1,"two\\nlines":2}', [[1, 2]]],
    ['{"a":{"":1,"n":12345678901234567,"d":1.5}}', [['{"":1,"n":12345678901234567,"d":1.5}']]],
    [
      '{"b":{"c":1}, "a":[{"x\\u0000":1},{"n":12345678901234567,"d":0.5}]}',
      [['{"c":1}', '[{"x\\u0000":1},{"n":12345678901234567,"d":0.5}]']],
    ],
    [
      '{"a":{"t":"1234567890123456789 , 1234567890123456789","d":0.5}}',
      [['{"t":"1234567890123456789 , 1234567890123456789","d":0.5}']],
    ],
  ])('of %j is read, because every name is one of a column or part of a text', async (content, rows) => {
    expect((await read(content)).rows).toEqual(rows);
  });

  it('without objects, or without values, has one column', async () => {
    expect((await read('[1, "x", {"a": 1}]')).rows).toEqual([['1'], ['"x"'], ['{"a":1}']]);
    expect((await read('')).rows).toEqual([]);
  });
});
