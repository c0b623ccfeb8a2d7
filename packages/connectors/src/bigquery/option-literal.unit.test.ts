import { describe, expect, it } from 'vitest';
import { unquoted } from './option-literal.ts';

describe('the literal of an option', () => {
  it.each([
    ['"a\\"b\\n"', 'a"b\n'],
    ['"\\x41"', '\\x41'],
    ['"""a" b"""', 'a" b'],
    ['7', '7'],
    ['"', ''],
    ['""""', ''],
    ['', ''],
  ])('%j is %j', (literal, text) => {
    expect(unquoted(literal)).toBe(text);
  });

  it('is read in one pass, however many quotes it has', () => {
    const quotes = '"'.repeat(1_000_000);
    expect(unquoted(`x${quotes}x`)).toBe(`x${quotes}x`);
    expect(unquoted(`${quotes}x${quotes}`)).toBe('x');
  });
});
