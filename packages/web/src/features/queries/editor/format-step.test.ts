import { expect, test } from 'vitest';
import { formatStep } from './format-step.ts';

test('a step is laid out, and its values stay as they were written', () => {
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

test.each(['', '{', 'select 1', '{"a": }', "{'a': 1}"])('%j is refused', (text) => {
  expect(() => formatStep(text)).toThrow();
});
