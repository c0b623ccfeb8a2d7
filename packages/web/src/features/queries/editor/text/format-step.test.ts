import { expect, test } from 'vitest';
import { formatStep } from './format-step.ts';

test('formatting changes the layout of a step and leaves its values unchanged', () => {
  const step =
    '{"path":"/a{id}", "query" :{"n":12345678901234567890,"p": {{ since }},"t":"x: {{y}}, [1]"},"list":[1.10, {}],"none":{}}';
  const laidOut = `{
  "path": "/a{id}",
  "query": {
    "n": 12345678901234567890,
    "p": {{ since }},
    "t": "x: {{y}}, [1]"
  },
  "list": [
    1.10,
    {}
  ],
  "none": {}
}`;
  expect(formatStep(step)).toBe(laidOut);
  expect(formatStep(laidOut)).toBe(laidOut);
});

test.each(['', '{', 'select 1', '{"a": }', "{'a': 1}"])('formatting refuses %j', (text) => {
  expect(() => formatStep(text)).toThrow();
});
