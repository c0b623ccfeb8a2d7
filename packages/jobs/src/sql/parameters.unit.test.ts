import { expect, test } from 'vitest';
import { nameParameters } from './parameters.ts';

test('a parameter has the same number for each mention in the text, and values follow the numbers', () => {
  const { name, valuesOf } = nameParameters<{ first: number; second: string; never: boolean }>();
  expect(`${name('second')} ${name('first')} ${name('second')}`).toBe('$1 $2 $1');
  expect(valuesOf({ first: 1, second: 'two', never: true })).toEqual(['two', 1]);
});
