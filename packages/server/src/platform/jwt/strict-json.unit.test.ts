import { describe, expect, test } from 'vitest';
import { faultOfJson, faultOfTokenJson, hasDuplicateMembers } from './index.ts';

const part = (text: string): string => Buffer.from(text).toString('base64url');

describe('the strict reader of token JSON', () => {
  test.each([
    ['{"sub":"a","more":{"sub":"b"},"list":[{"sub":"c"},{"sub":"d"}]}', undefined],
    ['{"sub":"a","sub":"a"}', 'a member is named twice'],
    ['{"sub":"a","\\u0073ub":"b"}', 'a member is named twice'],
    ['{"act":{"sub":"a","sub":"b"}}', 'a member is named twice'],
    ['\ufeff{"sub":"a"}', 'the JSON cannot be read as it is written'],
    ['[]', 'the JSON is no object'],
    ['null', 'the JSON is no object'],
    ['{"sub":', 'the JSON cannot be read as it is written'],
  ])('reports the fault, if any, of %s', (json, fault) => {
    expect(faultOfJson(Buffer.from(json))).toBe(fault);
    expect(faultOfTokenJson(`${part('{"alg":"RS256"}')}.${part(json)}.x`)).toBe(fault);
    expect(faultOfTokenJson(`${part(json)}.${part('{"sub":"a"}')}.x`)).toBe(fault);
  });

  test('refuses bytes that are not UTF-8', () => {
    expect(faultOfJson(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe(
      'the JSON cannot be read as it is written',
    );
  });
});

test.each([
  ['{}', false],
  ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}', false],
  ['{"a":"\\"a\\":1","b":["a","a"]}', false],
  ['{"a":1,"a":2}', true],
  ['{"x":[{"a":1,"b":2,"a":3}]}', true],
  ['{"a":{"b":1},"a":1}', true],
  ['{"a":[1,2],"b":3,"a":4}', true],
])('detects whether JSON contains duplicate members: %s', (text, expected) => {
  expect(hasDuplicateMembers(text)).toBe(expected);
});
