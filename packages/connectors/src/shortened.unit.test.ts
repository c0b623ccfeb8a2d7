import { describe, expect, it } from 'vitest';
import { shortened } from './shortened.ts';

describe('a text in a message', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc…'],
    ['ab🙂', 3, 'ab…'],
    ['x'.repeat(61), undefined, `${'x'.repeat(60)}…`],
    ['x'.repeat(60), undefined, 'x'.repeat(60)],
  ])('has at most the permitted number of characters, and no half of a character: %j', (text, max, shown) => {
    expect(shortened(text, max)).toBe(shown);
  });
});
