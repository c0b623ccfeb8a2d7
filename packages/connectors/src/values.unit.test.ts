import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalCell, floatCell, integerCell, utcTimestampCell } from './values.ts';

/** Returns the value of a decimal number independent of its notation: an integer and a power of ten. */
function exactly(text: string): string {
  const [, sign = '', integer = '', part = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${integer}${part}`.replace(/^0+/, '');
  const units = digits.replace(/0+$/, '');
  if (units === '') return '0';
  return `${sign === '-' ? '-' : ''}${units}e${Number(exponent) - part.length + digits.length - units.length}`;
}

describe('numbers that a server sends as text', () => {
  it.each([
    '1e-400',
    '-1e-400',
    '1e400',
    '4e-324',
    '1.2345678e-320',
    '0.1234567890123456',
    '12345678901234567890',
    `0.${'0'.repeat(400)}1`,
  ])('remain text if a double would have another value: %s', (text) => {
    expect(decimalCell(text)).toBe(text);
  });

  it.each([
    ['0', 0],
    ['0.00', 0],
    ['0e-400', 0],
    ['1e300', 1e300],
    ['1.5e-300', 1.5e-300],
    ['-12.50', -12.5],
    ['0.000001', 0.000001],
  ])('become numbers if they print as the same value: %s', (text, value) => {
    expect(decimalCell(text)).toBe(value);
    expect(floatCell(text)).toBe(value);
  });

  it('have no sign before 0, unless they are floats', () => {
    expect([integerCell('-0'), decimalCell('-0.00'), decimalCell('-0')]).toEqual([0, 0, 0]);
    expect(floatCell('-0')).toBe(-0);
  });

  it('have the same value before and after conversion to a cell', () => {
    const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,20})?$/);
    const exponent = fc.option(fc.integer({ min: -420, max: 420 }), { nil: undefined });
    fc.assert(
      fc.property(digits, exponent, (mantissa, power) => {
        const text = power === undefined ? mantissa : `${mantissa}e${power}`;
        expect(exactly(String(decimalCell(text)))).toBe(exactly(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it('remain text as floats if a double would be 0 or infinite', () => {
    expect(floatCell('1e-400')).toBe('1e-400');
    expect(floatCell('1e400')).toBe('1e400');
    expect(floatCell('4.9e-324')).toBe(5e-324);
    expect(floatCell('NaN')).toBe('NaN');
  });

  it('are integers up to the largest safe integer, and text above it', () => {
    expect(integerCell('9007199254740991')).toBe(9007199254740991);
    expect(integerCell('9007199254740993')).toBe('9007199254740993');
  });
});

it.each([
  ['2024-02-29 12:30:00.5+00', '2024-02-29T12:30:00.5Z'],
  ['12024-01-01 00:00:00+00', '12024-01-01 00:00:00+00'],
  ['0044-03-15 01:02:03+00 BC', '0044-03-15 01:02:03+00 BC'],
  ['2024-02-29 12:30:00+02', '2024-02-29 12:30:00+02'],
  ['-infinity', '-infinity'],
])('the timestamp %s of a UTC session becomes %s', (text, cell) => {
  expect(utcTimestampCell(text)).toBe(cell);
});
