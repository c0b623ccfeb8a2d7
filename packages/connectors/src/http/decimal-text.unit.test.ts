import { expect, test } from 'vitest';
import { withoutExponent } from './decimal-text.ts';

test.each([
  ['1.25e3', '1250'],
  ['1.25E-3', '0.00125'],
  ['-0.10e1', '-1.0'],
  ['12.34e1', '123.4'],
  ['12e-2', '0.12'],
  ['0e5', '0'],
  ['1.50', '1.50'],
  ['.5', '0.5'],
  ['-5.', '-5'],
  ['1e400', `1${'0'.repeat(400)}`],
  ['1e-400', `0.${'0'.repeat(399)}1`],
  ['1e401', undefined],
  ['1e99999999999999999999', undefined],
  ['.', undefined],
  ['e5', undefined],
  ['', undefined],
  ['NaN', undefined],
])('%s without an exponent is %s', (text, plain) => {
  expect(withoutExponent(text)).toBe(plain);
});
