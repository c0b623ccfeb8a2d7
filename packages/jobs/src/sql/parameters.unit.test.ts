import { expect, test } from 'vitest';
import { nameParameters } from './parameters.ts';

test('a parameter keeps its place however often the text names it, and values follow the places', () => {
  const { name, valuesOf } = nameParameters<{ first: number; second: string; never: boolean }>();
  expect(`${name('second')} ${name('first')} ${name('second')}`).toBe('$1 $2 $1');
  expect(valuesOf({ first: 1, second: 'two', never: true })).toEqual(['two', 1]);
});
