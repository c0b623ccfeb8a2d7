import {
  quoted,
  randomDouble,
  randomHex,
  randomText,
  texts,
  type ValueColumn,
  wholeOf,
} from './value-column.ts';

const plain = (text: string): string => text;

/** Columns of SQLite. Its types do not limit values, so that all integers have 64 bits. */
export const sqliteColumns: readonly ValueColumn[] = [
  {
    type: 'integer',
    kind: 'wide',
    bounds: ['9223372036854775807', '-9223372036854775808', '9007199254740993', '5'],
    random: wholeOf(18),
    literal: plain,
  },
  {
    type: 'real',
    kind: 'float',
    bounds: ['0.1', '9e999', '-9e999', '1.7976931348623157e308', '5e-324', '-0.0', '3.0', '1e21'],
    random: randomDouble,
    literal: plain,
    engineText: (column) => `iif(${column} is null, null, printf('%!.17g', ${column}))`,
    documented: (text) => text.replace(/^(-?)Inf$/, '$1Infinity'),
  },
  { type: 'text', kind: 'text', bounds: texts, random: randomText },
  {
    type: 'blob',
    kind: 'binary',
    bounds: ['00ff', '', '61'],
    random: randomHex,
    literal: (text) => `x${quoted(text)}`,
    engineText: (column) => `iif(${column} is null, null, lower(hex(${column})))`,
  },
  { type: 'varchar(5)', kind: 'text', bounds: ['longer than five', ''], random: randomText },
  { type: 'date', kind: 'text', bounds: ['2024-02-29', '0000-00-00'], random: () => '2024-05-06' },
];
