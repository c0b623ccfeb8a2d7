import { expect, test } from 'vitest';
import { findUnstorable, isStorable, toStorable } from './storable.ts';

test.each([
  ['', true],
  ['plain \u0001 \ufffd \u{1f600}', true],
  ['a\0b', false],
  ['\ud800', false],
  ['x\udc00y', false],
])('%j can be stored: %s', (text, isFine) => {
  expect(isStorable(text)).toBe(isFine);
  expect(isStorable(toStorable(text))).toBe(true);
  expect(toStorable(text) === text).toBe(isFine);
});

test('each character that cannot be stored is replaced by U+FFFD', () => {
  expect(toStorable('a\0b\0\ud800c\u{1f600}')).toBe('a\ufffdb\ufffd\ufffdc\u{1f600}');
});

test.each([
  ['x', undefined],
  [{ a: [1, null, true, { b: 'fine' }] }, undefined],
  ['\0', ''],
  [{ a: [{ b: 'x\0' }] }, '/a/0/b'],
  [{ 'a/b~c': '\ud800' }, '/a~1b~0c'],
  [{ 'x\0': 1 }, '/x\ufffd'],
])('the place of text that cannot be stored in %j is %s', (value, place) => {
  expect(findUnstorable(value)).toBe(place);
});
