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

/** Returns true for years from 1 to 9999, which have the form of ISO 8601. Others have the form of PostgreSQL. */
const isIso = (text: string): boolean => /^\d{4}-\d\d-\d\d \d/.test(text) && !text.endsWith('BC');
const timestamp = (text: string): string => (isIso(text) ? text.replace(' ', 'T') : text);
const zoned = (text: string): string => (isIso(text) ? text.replace(' ', 'T').replace(/\+00$/, 'Z') : text);

const instants = ['2024-02-29 12:30:00.123456', '0001-01-01 00:00:00', '9999-12-31 23:59:59.999999'];
const beyond = [
  'infinity',
  '-infinity',
  '0044-03-15 01:02:03.5 BC',
  '12024-01-01 00:00:00',
  '294276-12-31 23:59:59.5',
];
const digits = '12345678901234567890.1234567891';
const array = (text: string): string => `{${text},NULL}`;

export const postgresqlColumns: readonly ValueColumn[] = [
  {
    type: 'boolean',
    kind: 'boolean',
    bounds: ['true', 'false'],
    random: (random) => String(random() < 0.5),
    documented: (text) => (text === 't' ? 'true' : 'false'),
  },
  { type: 'smallint', kind: 'integer', bounds: ['-32768', '32767', '0'], random: withinOf(-32_768, 32_767) },
  { type: 'integer', kind: 'integer', bounds: ['-2147483648', '2147483647'], random: wholeOf(9) },
  { type: 'oid', kind: 'integer', bounds: ['0', '4294967295'], random: wholeOf(9, false) },
  {
    type: 'bigint',
    kind: 'wide',
    bounds: ['9223372036854775807', '-9223372036854775808', '9007199254740993', '5'],
    random: wholeOf(18),
  },
  {
    type: 'numeric',
    kind: 'decimal',
    bounds: ['NaN', digits, `-${digits}`, '1.10', '1e40', '1e-30', 'Infinity', '0.00', '100'],
    random: decimalOf(30, 20, false),
  },
  {
    type: 'numeric(20,4)',
    kind: 'decimal',
    bounds: ['1234567890123456.7891', '0.1', 'NaN', '-0.0001', '1.5000'],
    random: decimalOf(14, 4),
  },
  {
    type: 'real',
    kind: 'float',
    bounds: ['0.1', '3.4028235e38', '1e-45', 'NaN', 'Infinity', '-Infinity', '16777216'],
    random: randomFloat,
  },
  {
    type: 'double precision',
    kind: 'float',
    bounds: [
      '0.1',
      '1.7976931348623157e308',
      '5e-324',
      'NaN',
      'Infinity',
      '-Infinity',
      '0.30000000000000004',
      '-0',
      '1e21',
      '9007199254740993',
    ],
    random: randomDouble,
  },
  { type: 'text', kind: 'text', bounds: texts, random: randomText },
  { type: 'varchar(200)', kind: 'text', bounds: texts, random: randomText },
  {
    type: 'char(6)',
    kind: 'text',
    bounds: ['ab', '', '🙂'],
    random: (random) => randomHex(random).slice(0, 6),
  },
  {
    type: 'bytea',
    kind: 'binary',
    bounds: ['\\x00ff5c0a', '\\x'],
    random: (random) => `\\x${randomHex(random)}`,
    documented: (text) => text.slice(2),
  },
  { type: 'uuid', kind: 'uuid', bounds: ['f0b1e0a8-0000-4000-8000-000000000001'], random: randomUuid },
  {
    type: 'date',
    kind: 'date',
    bounds: [
      '0044-03-15 BC',
      'infinity',
      '-infinity',
      '12024-01-01',
      '5874897-12-31',
      '2024-02-29',
      '0001-01-01',
      '1900-02-28',
    ],
    random: randomDate,
  },
  {
    type: 'time',
    kind: 'time',
    bounds: ['24:00:00', '23:59:59.999999', '00:00:00', '12:30:00.5'],
    random: randomTime,
  },
  {
    type: 'timetz',
    kind: 'time',
    bounds: ['12:00:00.5+14:30', '24:00:00-12', '00:00:00+00'],
    random: (random) => `${randomTime(random)}+05:30`,
  },
  {
    type: 'timestamp',
    kind: 'timestamp',
    bounds: [...beyond, ...instants],
    random: randomTimestamp,
    documented: timestamp,
  },
  {
    type: 'timestamptz',
    kind: 'timestamptz',
    bounds: [...beyond, ...instants, '2024-03-31 02:30:00+01', '1883-11-18 12:03:58-07:52:58'],
    random: (random) => `${randomTimestamp(random)}+00`,
    documented: zoned,
  },
  {
    type: 'interval',
    kind: 'interval',
    bounds: ['1 year -2 months 3 days -04:05:06.789', '-178000000 years', '0', '1 day 2 hours'],
    random: (random) => `${Math.floor(random() * 400)} days ${Math.floor(random() * 1e6)} milliseconds`,
  },
  {
    type: 'json',
    kind: 'json',
    bounds: [
      '{"a": 12345678901234567890.10, "b":  1}',
      'null',
      '"\\u00e9\\ud800"',
      '[1.10,{"x":[]}]',
      '1e400',
    ],
    random: randomJson,
  },
  {
    type: 'jsonb',
    kind: 'json',
    bounds: ['{"a": [1, {"b": null}], "n": 12345678901234567890.10}', '"x"', '1.10'],
    random: (random) => randomJson(random).replaceAll('\\u0000', ''),
  },
  {
    type: 'integer[]',
    kind: 'other',
    bounds: ['{1,NULL,2}', '{}', '{{1,2},{3,4}}'],
    random: (random) => array(wholeOf(9)(random)),
  },
  {
    type: 'numeric[]',
    kind: 'other',
    bounds: ['{1.10,NaN,NULL}'],
    random: (random) => array(decimalOf(20, 10, false)(random)),
  },
  {
    type: 'text[]',
    kind: 'other',
    bounds: ['{"a,b","c\\"d",NULL,"NULL"}'],
    random: (random) => array(randomHex(random) || 'x'),
  },
  {
    type: 'int4range',
    kind: 'other',
    bounds: ['[1,5)', 'empty', '(,)'],
    random: (random) => `[${Math.floor(random() * 9)},${10 + Math.floor(random() * 9)})`,
  },
  {
    type: 'inet',
    kind: 'text',
    bounds: ['::1/64', '10.0.0.1'],
    random: (random) => `10.0.0.${Math.floor(random() * 256)}`,
  },
  { type: 'money', kind: 'text', bounds: ['-12.34', '92233720368547758.07'], random: decimalOf(12, 2) },
  { type: 'bit(9)', kind: 'other', bounds: ['101010101', '000000000'], random: () => '111000111' },
];
