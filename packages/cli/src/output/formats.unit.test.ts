import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { listResult, type OutputFormat, type Result, recordResult, writeResult } from './formats.ts';

const written = (format: OutputFormat, result: Result): string => {
  let text = '';
  const answer = (part: string | Uint8Array) => {
    text += part.toString();
  };
  writeResult({ answer }, format, result);
  return text;
};

const orders = [
  { id: 1, name: 'Ada, "A"', note: '=1+1', total: -3, tags: ['a'] },
  { id: 20, name: 'two\nlines', note: null, total: 0.5, tags: [] },
];
const list = listResult(orders, [
  { head: 'id', of: ({ id }) => id },
  { head: 'name', of: ({ name }) => name },
  { head: 'note', of: ({ note }) => note },
  { head: 'total', of: ({ total }) => total },
]);

describe('a list', () => {
  test('as a table has one line for each entry, even if a value contains a line break', () => {
    expect(written('table', list)).toBe(
      ['ID  NAME        NOTE  TOTAL', '1   Ada, "A"    =1+1  -3', '20  two\\nlines        0.5', ''].join(
        '\n',
      ),
    );
  });

  test('as CSV follows RFC 4180 and escapes formulas in texts, but not in numbers', () => {
    expect(written('csv', list)).toBe(
      'id,name,note,total\r\n1,"Ada, ""A""",\'=1+1,-3\r\n20,"two\nlines",,0.5\r\n',
    );
  });

  test('as CSV escapes texts by the rule of the exports: all forms of a formula, and no number', () => {
    const texts = ['-5', '+49301234567', '-1e-7', '-1-1', '+1 ', '@a', '\uff1d1', '\uff20a'];
    const cells = listResult(texts, [{ head: 'text', of: (text) => text }]);
    expect(written('csv', cells).split('\r\n').slice(1, -1)).toEqual([
      '-5',
      '+49301234567',
      '-1e-7',
      "'-1-1",
      `"'+1 "`,
      "'@a",
      "'\uff1d1",
      "'\uff20a",
    ]);
  });

  test('as JSON and YAML is complete, with the fields that the table omits', () => {
    expect(JSON.parse(written('json', list))).toEqual(orders);
    expect(parse(written('yaml', list))).toEqual(orders);
  });

  test('without entries is only a heading as a table or CSV, and an empty list as JSON or YAML', () => {
    const empty = listResult([], [{ head: 'id', of: () => 1 }]);
    expect(['table', 'csv', 'json', 'yaml'].map((format) => written(format as OutputFormat, empty))).toEqual([
      'ID\n',
      'id\r\n',
      '[]\n',
      '[]\n',
    ]);
  });
});

describe('text with control characters', () => {
  const hostile = 'a\u001b[2J\u0007b\u009bc\u007fd\u202ee\u2066f\u0000g\rh';

  test.each(['table', 'csv', 'json', 'yaml'] as const)(
    'is escaped in the format %s, in keys, too',
    (format) => {
      const text = written(format, recordResult({ [hostile]: hostile, nested: { [hostile]: [hostile] } }));
      expect(text.replaceAll(/[\n\t]|\r\n/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      const read = format === 'json' ? JSON.parse(text) : format === 'yaml' ? parse(text) : undefined;
      if (read) expect(read).toEqual({ [hostile]: hostile, nested: { [hostile]: [hostile] } });
      expect(text).toContain('\\u202e');
    },
  );
});

test('a long cell of a table ends with an ellipsis', () => {
  const [, line] = written('table', recordResult({ name: 'x'.repeat(200) })).split('\n');
  expect(line).toMatch(/^name {4}x{79}…$/);
});
