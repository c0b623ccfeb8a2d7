import { expect, test } from 'vitest';
import type { GroundedTable } from './knowledge.ts';
import { listedValues } from './listed-values.ts';

const valuesOf = (databaseType: string) => {
  const column = { name: 'state', databaseType, isNullable: true, defaultValue: null, comment: null };
  const table: GroundedTable = {
    schema: '',
    name: 'orders',
    type: 'Table',
    comment: null,
    primaryKey: [],
    foreignKeys: [],
    indexes: [],
    columns: [column],
  };
  return listedValues([table]).map(({ values }) => values);
};

test.each([
  [`enum('open','paid')`, ['open', 'paid']],
  [`ENUM('open', 'it''s, paid')`, ['open', "it's, paid"]],
  [`Enum8('open' = 1, 'paid' = -2)`, ['open', 'paid']],
  [`Nullable(Enum16('open' = 1))`, ['open']],
])('the type %s lists its values', (type, values) => {
  expect(valuesOf(type)).toEqual([values]);
});

test.each([
  'text',
  'varchar(20)',
  'order_state',
  'enum',
  'enum()',
  `set('a','b')`,
  `Array(Enum8('a' = 1))`,
  `enum('a\\'b','c')`,
  `enum('a','b`,
  `enum('a',b)`,
])('the type %s lists no values', (type) => {
  expect(valuesOf(type)).toEqual([]);
});
