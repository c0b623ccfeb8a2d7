import { describe, expect, test } from 'vitest';
import { guardFormula } from './formula-text.ts';

const formulas = ['=1+1', '+1+1', '-1-1', '@a', '\tb', '\rb', '\uff1d1', '\uff0b1', '\uff0d1', '\uff20a'];
const noNumbers = ['-', '+', '-5 ', '-1,5', '-1e', '+1\n', '-0x1', '-\uff15', '-5%', '-Infinity', '-NaN'];
const others = ['-5', '-1.5', '+1', '-.5', '-1e-7', '+49301234567', '', 'a=1', ' =1', "'=1"];

describe('a text for a spreadsheet', () => {
  test.each([...formulas, ...noNumbers])('begins with an apostrophe if it would be a formula: %j', (text) => {
    expect(guardFormula(text)).toBe(`'${text}`);
  });

  test.each(others)('is unchanged if it would be no formula: %j', (text) => {
    expect(guardFormula(text)).toBe(text);
  });
});
