import {
  decimalOf,
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

/** Converts a date BC to the documented form of PostgreSQL: ` BC` at the end, instead of ` (BC)` after the date. */
const bc = (text: string): string => (text.includes(' (BC)') ? `${text.replace(' (BC)', '')} BC` : text);
const isIso = (text: string): boolean => /^\d{4}-\d\d-\d\d \d/.test(text) && !text.includes('BC');
const timestamp = (text: string): string => (isIso(text) ? text.replace(' ', 'T') : bc(text));
const zoned = (text: string): string =>
  isIso(text) ? text.replace(' ', 'T').replace(/\+00$/, 'Z') : bc(text);
const json = (column: string): string => `to_json(${column})`;
const special = (text: string): string =>
  ({ nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity' })[text] ?? text;

/** Converts an interval such as `1 year 2 months 3 days 04:05:06.7` to ISO 8601. */
function interval(text: string): string {
  const count = (unit: string) => Number(new RegExp(`(-?\\d+) ${unit}`).exec(text)?.[1] ?? 0);
  const [, sign = '', hours = '0', minutes = '0', seconds = '0'] =
    /(-?)(\d+):(\d+):(\d+(?:\.\d+)?)/.exec(text) ?? [];
  const part = (value: number | string, unit: string) =>
    Number(value) === 0
      ? ''
      : `${
          unit === 'S'
            ? String(value)
                .replace(/^(-?)0(\d)/, '$1$2')
                .replace(/(\.\d*?)0+$/, '$1')
            : Number(value)
        }${unit}`;
  const date = part(count('year'), 'Y') + part(count('month'), 'M') + part(count('day'), 'D');
  const time = part(sign + hours, 'H') + part(sign + minutes, 'M') + part(sign + seconds, 'S');
  return date === '' && time === '' ? 'PT0S' : `P${date}${time === '' ? '' : `T${time}`}`;
}

const instants = ['2024-02-29 12:30:00.123456', '0001-01-01 00:00:00', '9999-12-31 23:59:59.999999'];
const beyond = ['infinity', '-infinity', '0044-03-15 (BC) 01:02:03.5', '12024-01-01 00:00:00'];
const within = (min: number, max: number) => ({
  bounds: [String(min), String(max)],
  random: withinOf(min, max),
});

export const duckdbColumns: readonly ValueColumn[] = [
  { type: 'BOOLEAN', kind: 'boolean', bounds: ['true', 'false'], random: (random) => String(random() < 0.5) },
  { type: 'TINYINT', kind: 'integer', ...within(-128, 127) },
  { type: 'SMALLINT', kind: 'integer', ...within(-32_768, 32_767) },
  { type: 'INTEGER', kind: 'integer', ...within(-2_147_483_648, 2_147_483_647) },
  { type: 'UTINYINT', kind: 'integer', ...within(0, 255) },
  { type: 'UINTEGER', kind: 'integer', ...within(0, 4_294_967_295) },
  {
    type: 'BIGINT',
    kind: 'wide',
    bounds: ['9223372036854775807', '-9223372036854775808', '5'],
    random: wholeOf(18),
  },
  { type: 'UBIGINT', kind: 'wide', bounds: ['18446744073709551615', '0'], random: wholeOf(19, false) },
  {
    type: 'HUGEINT',
    kind: 'wide',
    bounds: ['170141183460469231731687303715884105727', '-170141183460469231731687303715884105728', '7'],
    random: wholeOf(37),
  },
  {
    type: 'UHUGEINT',
    kind: 'wide',
    bounds: ['340282366920938463463374607431768211455', '0'],
    random: wholeOf(37, false),
  },
  {
    type: 'FLOAT',
    kind: 'float',
    bounds: ['0.1', '3.4028235e38', '1e-45', 'NaN', 'Infinity', '-Infinity'],
    random: randomFloat,
    documented: special,
  },
  {
    type: 'DOUBLE',
    kind: 'float',
    bounds: ['0.1', '1.7976931348623157e308', '5e-324', 'NaN', 'Infinity', '-Infinity', '-0.0', '1e21'],
    random: randomDouble,
    documented: special,
  },
  {
    type: 'DECIMAL(20,4)',
    kind: 'decimal',
    bounds: ['1.10', '-0.0001', '1234567890123456.7891'],
    random: decimalOf(14, 4),
  },
  {
    type: 'DECIMAL(38,10)',
    kind: 'decimal',
    bounds: ['12345678901234567890.1234567891', '0'],
    random: decimalOf(25, 10),
  },
  { type: 'VARCHAR', kind: 'text', bounds: texts, random: randomText },
  {
    type: 'BLOB',
    kind: 'binary',
    bounds: ['00ff5c', ''],
    random: randomHex,
    engineText: (column) => `lower(hex(${column}))`,
  },
  {
    type: 'UUID',
    kind: 'uuid',
    bounds: ['f0b1e0a8-0000-4000-8000-000000000001', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    random: randomUuid,
  },
  {
    type: 'DATE',
    kind: 'date',
    bounds: [
      '0044-03-15 (BC)',
      'infinity',
      '-infinity',
      '12024-01-01',
      '5874897-12-31',
      '2024-02-29',
      '0001-01-01',
    ],
    random: randomDate,
    documented: bc,
  },
  {
    type: 'TIME',
    kind: 'time',
    bounds: ['24:00:00', '23:59:59.999999', '00:00:00', '12:30:00.5'],
    random: randomTime,
  },
  {
    type: 'TIMETZ',
    kind: 'time',
    bounds: ['12:00:00.5+14:30', '00:00:00+00'],
    random: (random) => `${randomTime(random)}+05:30`,
  },
  {
    type: 'TIMESTAMP',
    kind: 'timestamp',
    bounds: [...beyond, ...instants],
    random: randomTimestamp,
    documented: timestamp,
  },
  {
    type: 'TIMESTAMP_S',
    kind: 'timestamp',
    bounds: ['2024-02-29 12:30:00', '0001-01-01 00:00:00'],
    random: (random) => `${randomDate(random)} 01:02:03`,
    documented: timestamp,
  },
  {
    type: 'TIMESTAMP_NS',
    kind: 'timestamp',
    bounds: ['2024-02-29 12:30:00.123456789', '1970-01-01 00:00:00'],
    random: () => '2024-05-06 07:08:09.000000001',
    documented: timestamp,
  },
  {
    type: 'TIMESTAMPTZ',
    kind: 'timestamptz',
    bounds: [
      ...beyond.map((text) => (text.endsWith('y') ? text : `${text}+00`)),
      ...instants.map((text) => `${text}+00`),
    ],
    random: (random) => `${randomTimestamp(random)}+00`,
    documented: zoned,
  },
  {
    type: 'INTERVAL',
    kind: 'interval',
    bounds: ['1 year -2 months 3 days -04:05:06.789', '0 days', '1 day 2 hours', '100 hours'],
    random: (random) => `${Math.floor(random() * 400)} days ${Math.floor(random() * 1e6)} milliseconds`,
    documented: interval,
  },
  {
    type: 'JSON',
    kind: 'json',
    bounds: ['{"a": 12345678901234567890.10, "b":  1}', 'null', '[1.10,{"x":[]}]'],
    random: randomJson,
  },
  {
    type: 'INTEGER[]',
    kind: 'json',
    bounds: ['[1, NULL, 2]', '[]'],
    random: (random) => `[${withinOf(0, 99)(random)}]`,
    engineText: json,
  },
  {
    type: 'HUGEINT[]',
    kind: 'json',
    bounds: ['[170141183460469231731687303715884105727, 1]'],
    random: (random) => `[${wholeOf(30)(random)}]`,
    engineText: json,
  },
  {
    type: 'DECIMAL(20,2)[]',
    kind: 'json',
    bounds: ['[1.10, NULL, 12345678901234567.80]'],
    random: (random) => `[${decimalOf(10, 2)(random)}]`,
    engineText: json,
  },
  {
    type: 'VARCHAR[]',
    kind: 'json',
    bounds: ['[a, "b,c", NULL]'],
    random: (random) => `[x${randomHex(random)}]`,
    engineText: json,
  },
  {
    type: 'DATE[]',
    kind: 'json',
    bounds: ['[2024-02-29, NULL]'],
    random: (random) => `[${randomDate(random)}]`,
    engineText: json,
  },
  {
    type: 'TIMESTAMP[]',
    kind: 'json',
    bounds: ['[2024-02-29 12:30:00.5]'],
    random: (random) => `[${randomTimestamp(random)}]`,
    engineText: json,
    documented: (list) => list.replaceAll(/(\d{4}-\d\d-\d\d) (?=\d)/g, '$1T'),
  },
  {
    type: 'STRUCT(a BIGINT, b VARCHAR)',
    kind: 'json',
    bounds: ["{'a': 9007199254740993, 'b': 'x'}"],
    random: (random) => `{'a': ${wholeOf(18)(random)}, 'b': 'y'}`,
    engineText: json,
  },
  {
    type: 'MAP(VARCHAR, INTEGER)',
    kind: 'json',
    bounds: ['{a=1, b=2}'],
    random: (random) => `{k=${withinOf(0, 99)(random)}}`,
    engineText: (column) => `to_json(map_entries(${column}))`,
  },
  { type: "ENUM('ok', 'so, so')", kind: 'text', bounds: ['ok', 'so, so'], random: () => 'ok' },
  { type: 'BIT', kind: 'other', bounds: ['101010101', '0'], random: () => '11100' },
];
