import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExactJson, JsonNumber, parseExact, valueAt, writeExact } from './exact-json.ts';

/** JSON numbers, including ones that no double represents. */
const numbers = fc.oneof(
  fc.constantFrom('0', '-0', '-0.0', '0e5', '1e400', '-1E+400', '1e-400', '9007199254740993', '0.1e-330'),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
      fc.constantFrom('', '.0', '.10', `.${'123456789'.repeat(5)}`),
      fc.constantFrom('', 'e0', 'E-400', 'e+400', 'e-5', 'e99999999999999999999'),
    )
    .map((parts) => parts.join('')),
);
const names = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', '', '0', '10', 'a', '\0', '\ud800', '\u2028'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
/** JSON texts in the format of `writeExact`. */
const { value: texts } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    numbers,
    fc.constantFrom('null', 'true', 'false'),
    names.map((name) => JSON.stringify(name)),
    fc.array(tie('value'), { maxLength: 4 }).map((values) => `[${values.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(names, tie('value')), { selector: ([name]) => name, maxLength: 4 })
      .map((members) => {
        // Names that are integers come first, as in all objects.
        const ordered = Object.keys(Object.fromEntries(members.map(([name]) => [name, 0])));
        const values = new Map(members);
        return `{${ordered.map((name) => `${JSON.stringify(name)}:${values.get(name)}`).join(',')}}`;
      }),
  ),
}));

describe('exact JSON', () => {
  it('is written exactly as it was read, with every digit', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(writeExact(parseExact(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has the last value of a repeated member', () => {
    expect(writeExact(parseExact('{"a":1.0,"b":2,"a":1.00}'))).toBe('{"a":1.00,"b":2}');
    expect(writeExact(parseExact('{"a":[1.0],"a":2.50}'))).toBe('{"a":2.50}');
    expect(writeExact(parseExact('{"a":2.50,"a":[1.0]}'))).toBe('{"a":[1.0]}');
  });

  it('does not read or change a prototype', () => {
    const value = parseExact('{"__proto__":{"polluted":1e400},"constructor":{"prototype":{"polluted":1}}}');
    expect(valueAt(value, ['polluted'])).toBeUndefined();
    expect(valueAt(value, ['toString'])).toBeUndefined();
    expect(valueAt(value, ['__proto__', 'polluted'])).toEqual(new JsonNumber('1e400'));
    expect(valueAt(parseExact('[1]'), ['length'])).toBeUndefined();
    expect(({} as { polluted?: ExactJson }).polluted).toBeUndefined();
  });
});
