import {
  decimalOf,
  quoted,
  randomDate,
  randomDouble,
  randomFloat,
  randomHex,
  randomJson,
  randomText,
  randomTime,
  randomTimestamp,
  randomUuid,
  texts,
  type ValueColumn,
  wholeOf,
  withinOf,
} from './value-column.ts';

const hex = (text: string): string => `x${quoted(text)}`;
const lower = (column: string): string => `lower(hex(${column}))`;
const bits = (column: string): string => `cast(${column} as unsigned)`;
/** Writes a string literal. In MariaDB, a backslash begins an escape sequence. */
const text = (value: string): string => quoted(value.replaceAll('\\', '\\\\'));
const zero = '0000-00-00 00:00:00';

/** Columns of MariaDB. The inserts require an empty `sql_mode`. */
export const mariadbColumns: readonly ValueColumn[] = [
  { type: 'tinyint(1)', kind: 'integer', bounds: ['2', '-128', '127'], random: withinOf(-128, 127) },
  { type: 'tinyint unsigned', kind: 'integer', bounds: ['255', '0'], random: withinOf(0, 255) },
  { type: 'smallint unsigned', kind: 'integer', bounds: ['65535'], random: withinOf(0, 65_535) },
  {
    type: 'mediumint',
    kind: 'integer',
    bounds: ['-8388608', '8388607'],
    random: withinOf(-8_388_608, 8_388_607),
  },
  { type: 'int', kind: 'integer', bounds: ['-2147483648', '2147483647'], random: wholeOf(9) },
  { type: 'int unsigned', kind: 'integer', bounds: ['4294967295'], random: wholeOf(9, false) },
  {
    type: 'bigint',
    kind: 'wide',
    bounds: ['-9223372036854775808', '9223372036854775807', '5'],
    random: wholeOf(18),
  },
  {
    type: 'bigint unsigned',
    kind: 'wide',
    bounds: ['18446744073709551615', '0', '9007199254740993'],
    random: wholeOf(19, false),
  },
  {
    type: 'decimal(20,4)',
    kind: 'decimal',
    bounds: ['1.10', '-0.0001', '1234567890123456.7891'],
    random: decimalOf(14, 4),
  },
  {
    type: 'decimal(38,10)',
    kind: 'decimal',
    bounds: ['12345678901234567890.1234567891', '0'],
    random: decimalOf(25, 10),
  },
  {
    type: 'decimal(65,30)',
    kind: 'decimal',
    bounds: ['12345678901234567890123456789.012345678', '99999999999999999999999999999999999.5'],
    random: decimalOf(34, 30),
  },
  // MariaDB rounds the text of a `float` to six digits.
  {
    type: 'float',
    kind: 'float',
    bounds: ['0.1', '3.4028235e38', '16777216', '1.17549e-38'],
    random: randomFloat,
    engineText: (column) => `cast(${column} as double)`,
    documented: (value) => shortestFloat(Number(value)),
  },
  {
    type: 'double',
    kind: 'float',
    bounds: ['0.1', '1.7976931348623157e308', '5e-324', '-0.0', '0.30000000000000004', '9007199254740993'],
    random: randomDouble,
  },
  { type: 'longtext', kind: 'text', bounds: [...texts, 'a\0b'], random: randomText, literal: text },
  {
    type: 'varchar(200) character set latin1',
    kind: 'text',
    bounds: ['café', '', 'ß§'],
    random: () => 'ñandú',
    literal: text,
  },
  { type: "enum('a','b','')", kind: 'text', bounds: ['a', ''], random: () => 'b' },
  { type: "set('x','y')", kind: 'text', bounds: ['x,y', ''], random: () => 'y' },
  {
    type: 'binary(4)',
    kind: 'binary',
    bounds: ['6162', '61626364'],
    random: (random) => randomHex(random).slice(0, 8),
    literal: hex,
    engineText: lower,
  },
  { type: 'blob', kind: 'binary', bounds: ['00ff', ''], random: randomHex, literal: hex, engineText: lower },
  {
    type: 'date',
    kind: 'date',
    bounds: ['0000-00-00', '2024-00-15', '9999-12-31', '2024-02-29'],
    random: randomDate,
  },
  {
    type: 'time(6)',
    kind: 'time',
    bounds: ['838:59:59.999999', '-12:30:00', '23:59:59.999999', '24:00:00'],
    random: randomTime,
  },
  {
    type: 'datetime(6)',
    kind: 'timestamp',
    bounds: [zero, '2024-03-31 02:30:00.123456', '9999-12-31 23:59:59'],
    random: randomTimestamp,
    documented: (value) => value.replace(' ', 'T'),
  },
  {
    type: 'timestamp(3) null',
    kind: 'timestamptz',
    bounds: ['2038-01-19 03:14:07.999', '1970-01-01 00:00:01', zero],
    random: (random) => `20${10 + Math.floor(random() * 20)}-05-06 01:02:03.004`,
    documented: (value) => `${value.replace(' ', 'T')}Z`,
  },
  {
    type: 'year',
    kind: 'integer',
    bounds: ['2155', '0', '1901'],
    random: withinOf(1_901, 2_155),
    documented: (value) => String(Number(value)),
  },
  {
    type: 'bit(1)',
    kind: 'integer',
    bounds: ['1', '0'],
    random: () => '1',
    literal: (value) => value,
    engineText: bits,
  },
  {
    type: 'bit(8)',
    kind: 'integer',
    bounds: ['170', '255'],
    random: withinOf(0, 255),
    literal: (value) => value,
    engineText: bits,
  },
  {
    type: 'bit(64)',
    kind: 'wide',
    bounds: ['18446744073709551615', '1'],
    random: wholeOf(18, false),
    literal: (value) => value,
    engineText: bits,
  },
  {
    type: 'json',
    kind: 'json',
    bounds: ['{"a": 12345678901234567890, "b": 1.10}', 'null', '[1, "x"]'],
    random: randomJson,
    literal: text,
  },
  { type: 'uuid', kind: 'text', bounds: ['f0b1e0a8-0000-4000-8000-000000000001'], random: randomUuid },
];

/** Returns the shortest decimal that rounds to the same 32-bit float. */
function shortestFloat(value: number): string {
  for (let digits = 1; digits <= 9; digits += 1) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === Math.fround(value)) return String(candidate);
  }
  return String(value);
}
