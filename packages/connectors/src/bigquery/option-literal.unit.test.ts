import { describe, expect, it } from 'vitest';
import { unquoted } from './option-literal.ts';

describe('the literal of a BigQuery option', () => {
  it.each([
    ['"a\\"b\\n"', 'a"b\n'],
    ['"\\x41"', '\\x41'],
    ['"""a" b"""', 'a" b'],
    ['7', '7'],
    ['"', ''],
    ['""""', ''],
    ['', ''],
  ])('%j is parsed as %j', (literal, text) => {
    expect(unquoted(literal)).toBe(text);
  });

  it('with a million quotes is parsed correctly', () => {
    const quotes = '"'.repeat(1_000_000);
    expect(unquoted(`x${quotes}x`)).toBe(`x${quotes}x`);
    expect(unquoted(`${quotes}x${quotes}`)).toBe('x');
  });
});
