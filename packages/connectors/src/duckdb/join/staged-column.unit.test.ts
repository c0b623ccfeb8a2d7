import { expect, test } from 'vitest';
import { stagedColumn } from './staged-column.ts';

const typeAfter = (values: readonly number[], databaseType = 'integer'): string | undefined => {
  const column = stagedColumn({ name: 'n', kind: 'integer', databaseType, origin: null });
  for (const value of values) column.write(value);
  return column.finalType?.();
};

test('an integer column with both bounds of 32 bits stays an integer, and one below the lower bound becomes a bigint', () => {
  expect(typeAfter([-2_147_483_648, 2_147_483_647])).toBe('INTEGER');
  expect(typeAfter([-2_147_483_649])).toBe('BIGINT');
});

test('an unsigned 32-bit column retains a type that is written as a number', () => {
  expect(typeAfter([0, 4_294_967_295], 'oid')).toBe('UINTEGER');
  expect(typeAfter([0, 4_294_967_295], 'int unsigned')).toBe('UINTEGER');
  expect(typeAfter([1, 2], 'uint32')).toBe('INTEGER');
});

test.each(['bigint', 'number(15,0)', 'bit(40)'])(
  'the type of a column of %s does not depend on its values',
  (type) => {
    expect(typeAfter([1, 2], type)).toBeUndefined();
  },
);

test.each([
  ['bit(1)', [0, 1], 'INTEGER'],
  ['bit(32)', [4_294_967_295], 'UINTEGER'],
  ['number(9,0)', [-999_999_999], 'INTEGER'],
])('a column of %s has a type that is written as a number', (type, values, expected) => {
  expect(typeAfter(values, type)).toBe(expected);
});
