import { expect, test } from 'vitest';
import { jsonError } from './json-check.ts';

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  '{}',
  '[]',
  ' [1, -0.5e+3, "a\\u00e9\\n", true, false, null] ',
  '{"a": {"b": [{}, []]}, "c": "é"}',
  '{"a":1}\n{"a":2}\n',
  '{"a":1}\r\n{"a":2}',
  '"text"',
  '12',
  deep(500),
])('accepts %j', async (text) => {
  expect(() =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  ).not.toThrow();
  expect(await jsonError(Buffer.from(text))).toBeUndefined();
});

test.each([
  'id,amount\n1,2\n',
  'not json',
  '{"a":1',
  '{"a" 1}',
  '{"a":1,}',
  '[1,]',
  '[1 2]',
  '{a:1}',
  "{'a':1}",
  '{"a":1}{"a":2}',
  '{"a":1} {"a":2}',
  '[1]]',
  '[1}',
  '01',
  '+1',
  '1.',
  'nul',
  'NaN',
  '"a\nb"',
  '"\\x"',
  '"\\u12g4"',
  '"open',
  '\ufeff{"a":1}',
  '   ',
  '{"a":}',
  '{:1}',
  '[,1]',
  deep(501),
])('refuses %j as invalid JSON', async (text) => {
  expect(await jsonError(Buffer.from(text))).toMatch(/^It is no JSON: /);
});

test('names the line of the error', async () => {
  expect(await jsonError(Buffer.from('{"a":1}\n{"a":2}\n{"a":x}\n'))).toContain('line 3');
});
