import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskJson } from './json-values.ts';
import { maskText } from './rules.ts';

const isPersonal = (name: string): boolean => name === 'iban';
const holds = (text: string): boolean => text.includes('@');

/** Masks a parsed value: the same rules on values instead of text. */
function maskValue(value: unknown): unknown {
  if (typeof value === 'string') return holds(value) ? maskText(value) : value;
  if (Array.isArray(value)) return value.map(maskValue);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isWhole = isPersonal(key) && item !== null && typeof item !== 'boolean';
      const text = typeof item === 'string' ? item : JSON.stringify(item);
      return [holds(key) ? maskText(key) : key, isWhole ? maskText(text) : maskValue(item)];
    }),
  );
}

const key = fc.oneof(fc.constant('iban'), fc.string({ unit: 'binary', maxLength: 6 }));
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('a@b', '\\', '"', '\\"'));
const { value: json } = fc.letrec((again) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    text,
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(again('value'), { maxLength: 4 }),
    fc.uniqueArray(fc.tuple(key, again('value')), { maxLength: 4, selector: ([name]) => name }).map(
      // Not a literal: `__proto__` is a name like any other.
      (members) => Object.fromEntries(members),
    ),
  ),
}));

it('masks a JSON text as it masks the parsed value, with any blanks between its parts', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 1, '\t', '\r\n'.slice(0, 1)), (value, blanks) => {
      const masked = maskJson(JSON.stringify(value, null, blanks), { isPersonal, holds });
      expect(JSON.parse(masked ?? '')).toEqual(maskValue(value));
    }),
    { numRuns: 2_000 },
  );
});

it('returns a text without personal values unchanged', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 2), (value, blanks) => {
      const stored = JSON.stringify(value, null, blanks);
      expect(maskJson(stored, { isPersonal: () => false, holds: () => false })).toBe(stored);
    }),
    { numRuns: 2_000 },
  );
});
