import { describe, expect, it } from 'vitest';
import { exactJson } from './exact-json.ts';

const written = (text: string): string => JSON.stringify(exactJson(text));

describe('the JSON of a cell in a message', () => {
  it.each([
    '{"id":12345678901234567890,"amount":1.10,"list":[1e400,-0],"nested":{"id":1}}',
    '{"a":{"x":1},"b":{"x":2},"c":[{"x":3},{"x":4}]}',
    '{"a\\"b":"c:\\"d\\": ","__proto__":1,"":[]}',
    '[]',
    '"text: \\"a\\": 1"',
    'null',
  ])('has all digits and members of %s', (text) => {
    expect(written(text)).toBe(text);
  });

  it.each(['{"a":1,"a":2}', '[{"b":{"a":1 , "\\u0061" :2}}]', '{"a":1', 'x', '['.repeat(100_000)])(
    'is the text itself if a parsed value would lose a part of %s',
    (text) => {
      expect(exactJson(text)).toBe(text);
    },
  );
});
