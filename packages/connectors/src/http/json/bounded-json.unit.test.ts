import { describe, expect, it } from 'vitest';
import { holdsMoreValues, parseDescription } from './bounded-json.ts';

describe('JSON values in a text', () => {
  it.each([
    ['[1,2,3]', 4],
    ['[[],{},"a"]', 6],
    ['{"a":1,"b":{"c":null}}', 7],
    ['["a,b[{:","\\",,,","\\\\"]', 4],
  ])('are counted without characters inside strings: %s', (text, count) => {
    expect(holdsMoreValues(text.padEnd(50), count)).toBe(false);
    expect(holdsMoreValues(text.padEnd(50), count - 1)).toBe(true);
  });

  it('are not parsed above the limit or from invalid JSON', () => {
    const listOf = (length: number): string => JSON.stringify(Array<number>(length).fill(0));
    expect(parseDescription(listOf(499_999))).toHaveLength(499_999);
    expect(parseDescription(listOf(500_000))).toBeUndefined();
    for (const text of ['', '[', '"\\', '["\\"', 'NaN', '"x']) {
      expect(parseDescription(text)).toBeUndefined();
      expect(parseDescription(text.padStart(500_001))).toBeUndefined();
    }
  });

  it('are counted in two million repetitions of brackets, quotes or backslashes', () => {
    for (const unit of ['"', '\\', '"\\', '[', '{', '""', '"\\"'])
      expect([true, false]).toContain(holdsMoreValues(unit.repeat(2_000_000), 1_000_000));
  });
});
