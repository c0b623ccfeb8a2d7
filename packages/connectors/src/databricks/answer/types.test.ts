import { describe, expect, it } from 'vitest';
import { databricksKind, databricksType, rowReader } from './types.ts';

const limits = { maxCellBytes: 1_000 };
const read = (type: string, text: string, decimalsAsText = false) =>
  rowReader([{ name: 'a', type }], { ...limits, decimalsAsText })(JSON.stringify([text]))[0];

describe('Databricks values', () => {
  it.each([
    ['TINYINT', '-128', -128],
    ['INT', '7', 7],
    ['BIGINT', '9007199254740991', 9_007_199_254_740_991],
    ['BIGINT', '-9223372036854775808', '-9223372036854775808'],
    ['DECIMAL(38,0)', '99999999999999999999999999999999999999', '99999999999999999999999999999999999999'],
    ['DECIMAL(38,10)', '2126764793255865396646091296.4485513215', '2126764793255865396646091296.4485513215'],
    ['DECIMAL(10,2)', '12.50', 12.5],
    ['DOUBLE', '1.0E10', 1e10],
    ['DOUBLE', 'NaN', 'NaN'],
    ['FLOAT', '-Infinity', '-Infinity'],
    ['BOOLEAN', 'true', true],
    ['STRING', 'ä\n', 'ä\n'],
    ['STRING COLLATE UTF8_LCASE', 'a', 'a'],
    ['CHAR(3)', 'a  ', 'a  '],
    ['BINARY', '3q2+7w==', 'deadbeef'],
    ['BINARY', '', ''],
    ['DATE', '2024-02-29', '2024-02-29'],
    ['DATE', '+10000-01-01', '+10000-01-01'],
    ['TIMESTAMP', '2024-02-29T12:00:00.000Z', '2024-02-29T12:00:00Z'],
    ['TIMESTAMP', '2024-02-29T12:00:00.123456Z', '2024-02-29T12:00:00.123456Z'],
    ['TIMESTAMP', '2024-02-29T01:30:00.5+02:00', '2024-02-28T23:30:00.500Z'],
    ['TIMESTAMP', '2024-02-29 12:00:00', '2024-02-29T12:00:00Z'],
    ['TIMESTAMP_NTZ', '2024-02-29T12:00:00.100', '2024-02-29T12:00:00.100'],
    ['TIMESTAMP_NTZ', '2024-02-29 12:00:00.000001', '2024-02-29T12:00:00.000001'],
    ['INTERVAL DAY TO SECOND', '1 00:00:00.000000000', '1 00:00:00.000000000'],
    ['ARRAY<BIGINT>', '[9223372036854775807]', '[9223372036854775807]'],
    ['MAP<STRING, DOUBLE>', '{"a":NaN}', '"{\\"a\\":NaN}"'],
    ['STRUCT<a: INT>', '{"a":1}', '{"a":1}'],
    ['VARIANT', '{"a":1}', '{"a":1}'],
    ['GEOMETRY(4326)', 'SRID=4326;POINT(1 2)', 'SRID=4326;POINT(1 2)'],
  ])('of the type %s are read exactly: %s', (type, text, cell) => {
    expect(read(type, text)).toBe(cell);
  });

  it('retain trailing zeros of decimals if text is requested', () => {
    expect(read('DECIMAL(10,2)', '12.50', true)).toBe('12.50');
    expect(read('DECIMAL(10,0)', '12', true)).toBe(12);
  });

  it.each([
    ['INT', '1.5'],
    ['INT', ''],
    ['DECIMAL(10,2)', 'x'],
    ['DOUBLE', 'nan'],
    ['BOOLEAN', 'TRUE'],
    ['BINARY', 'dead beef'],
    ['BINARY', '3q2+7w'],
    ['DATE', '29.02.2024'],
    ['TIMESTAMP', '1709208000'],
    ['TIMESTAMP_NTZ', 'now'],
  ])('of the type %s are refused if invalid: %s', (type, text) => {
    expect(() => read(type, text)).toThrow('no answer of Databricks');
  });

  it('are refused if their number differs from the columns or one is too large, and can be NULL', () => {
    const reader = rowReader(
      [
        { name: 'a', type: 'INT' },
        { name: 'b', type: 'STRING' },
      ],
      limits,
    );
    expect(reader('[null, "x"]')).toEqual([null, 'x']);
    for (const row of ['["1"]', '["1","2","3"]', '{"a":"1"}', '["1",2]', '[', '["1",["2"]]'])
      expect(() => reader(row), row).toThrow('no answer of Databricks');
    expect(() => reader(JSON.stringify(['1', 'x'.repeat(1_001)]))).toThrow('more than 1,000 bytes');
  });

  it('have a kind that depends on the first word of the type, and long type names are truncated', () => {
    const kinds = ['LONG', 'NUMERIC(5, 1)', 'DEC(5)', 'DECIMAL', 'VOID', 'TIMESTAMP_LTZ', 'struct<a: int>'];
    expect(kinds.map((type) => databricksKind({ type }))).toEqual([
      'integer',
      'decimal',
      'integer',
      'integer',
      'other',
      'other',
      'json',
    ]);
    const type = `STRUCT<${'a: INT, '.repeat(500)}b: INT>`;
    expect(databricksType({ type })).toHaveLength(2_001);
    expect(databricksType({ type }).endsWith('…')).toBe(true);
  });
});
