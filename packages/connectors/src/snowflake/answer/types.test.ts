import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cell } from '../../values.ts';
import { rowReader, type SnowflakeColumn, snowflakeKind, snowflakeType } from './types.ts';

const columnOf = (type: string, scale = 0): SnowflakeColumn => ({
  name: 'A',
  type,
  precision: 38,
  scale,
  length: 0,
});
const cellOf = (column: SnowflakeColumn, value: unknown, decimalsAsText = false): Cell | undefined =>
  rowReader([column], { maxCellBytes: 1_000, decimalsAsText })(JSON.stringify([value]))[0];

describe('Snowflake values', () => {
  it.each<[type: string, scale: number, text: string, cell: Cell]>([
    ['FIXED', 0, '-1', -1],
    ['FIXED', 0, '99999999999999999999999999999999999999', '99999999999999999999999999999999999999'],
    ['FIXED', 2, '9.50', 9.5],
    ['NUMBER', 37, '0.1234567890123456789012345678901234567', '0.1234567890123456789012345678901234567'],
    ['REAL', 0, '0.1', 0.1],
    ['REAL', 0, '1e+20', 1e20],
    ['REAL', 0, 'NaN', 'NaN'],
    ['FLOAT', 0, '-inf', '-Infinity'],
    ['DECFLOAT', 0, '12345678901234567890.5', '12345678901234567890.5'],
    ['DECFLOAT', 0, '1.2345678901234567e100', '1.2345678901234567e100'],
    ['BOOLEAN', 0, 'true', true],
    ['BOOLEAN', 0, 'false', false],
    ['TEXT', 0, 'null', 'null'],
    ['BINARY', 0, 'DEADBEEF', 'deadbeef'],
    ['DATE', 0, '0', '1970-01-01'],
    ['DATE', 0, '-719162', '0001-01-01'],
    ['DATE', 0, '2932896', '9999-12-31'],
    ['TIME', 9, '0.000000000', '00:00:00'],
    ['TIME', 9, '86399.999999999', '23:59:59.999999999'],
    ['TIMESTAMP_NTZ', 9, '1700000000.000000001', '2023-11-14T22:13:20.000000001'],
    ['TIMESTAMP_NTZ', 3, '1700000000.500', '2023-11-14T22:13:20.500'],
    ['TIMESTAMP_NTZ', 9, '-0.000000001', '1969-12-31T23:59:59.999999999'],
    ['TIMESTAMP_LTZ', 9, '-1.250000000', '1969-12-31T23:59:58.750Z'],
    ['TIMESTAMP_TZ', 9, '1616173619.000000000 960', '2021-03-19T17:06:59Z'],
    ['TIMESTAMP_TZ', 9, '0.000000000 2280', '1970-01-01T00:00:00Z'],
    ['VARIANT', 0, '{"n": 12345678901234567890}', '{"n": 12345678901234567890}'],
    ['VARIANT', 0, 'NaN', '"NaN"'],
    ['ARRAY', 0, '[1, undefined]', '"[1, undefined]"'],
    ['GEOGRAPHY', 0, '{"type": "Point"}', '{"type": "Point"}'],
    ['VECTOR', 0, '[1.5,2.5]', '[1.5,2.5]'],
    ['INTERVAL_DAY_TIME', 0, '1 02:03:04', '1 02:03:04'],
    ['SOMETHING NEW', 0, 'as it is', 'as it is'],
  ])('of the type %s(%i) are read exactly: %s', (type, scale, text, cell) => {
    expect(cellOf(columnOf(type, scale), text)).toBe(cell);
    expect(cellOf(columnOf(type, scale), null)).toBeNull();
  });

  it('are decimals as text if the caller requests it', () => {
    expect(cellOf(columnOf('FIXED', 2), '1.50', true)).toBe('1.50');
  });

  it.each<[type: string, value: unknown]>([
    ['FIXED', '1.5'],
    ['FIXED', 'one'],
    ['FIXED', 1],
    ['REAL', '1,5'],
    ['BOOLEAN', 'TRUE'],
    ['BINARY', 'abc'],
    ['DATE', '2024-01-01'],
    ['DATE', '99999999999'],
    ['TIME', '86400.000000000'],
    ['TIME', '-1.0'],
    ['TIMESTAMP_NTZ', '2024-01-01 00:00:00'],
    ['TIMESTAMP_NTZ', '1.0000000000'],
    ['TIMESTAMP_NTZ', '999999999999999.000000000'],
    ['TIMESTAMP_TZ', '1.000000000'],
    ['TIMESTAMP_TZ', '1.000000000 2881'],
    ['TIMESTAMP_TZ', '1.000000000 960 960'],
    ['TEXT', true],
    ['TEXT', {}],
  ])('are refused if they do not match their type: %s %j', (type, value) => {
    expect(() => cellOf(columnOf(type), value)).toThrow(expect.objectContaining({ code: 'connection-lost' }));
  });

  it('retain every nanosecond, also before 1970', () => {
    const nanosecondsMax = 253_402_300_799n * 1_000_000_000n;
    fc.assert(
      fc.property(fc.bigInt({ min: -nanosecondsMax / 5n, max: nanosecondsMax }), (nanoseconds) => {
        const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
        const fraction = String(size % 1_000_000_000n).padStart(9, '0');
        const text = `${nanoseconds < 0n ? '-' : ''}${size / 1_000_000_000n}.${fraction}`;
        const cell = String(cellOf(columnOf('TIMESTAMP_NTZ', 9), text));
        const [seconds = '', digits = ''] = cell.split('.');
        const back = BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(digits.padEnd(9, '0'));
        expect(back).toBe(nanoseconds);
      }),
    );
  });

  it('are refused if they are too large in bytes', () => {
    const read = rowReader([columnOf('TEXT')], { maxCellBytes: 4 });
    expect(read('["éé"]')).toEqual(['éé']);
    expect(() => read('["ééé"]')).toThrow(expect.objectContaining({ code: 'value-too-large' }));
  });

  it('can be binary values of the maximum size', () => {
    const digits = 'AB'.repeat(4_194_304);
    const read = rowReader([columnOf('BINARY')], { maxCellBytes: digits.length });
    expect(read(JSON.stringify([digits]))[0]).toBe(digits.toLowerCase());
    for (const wrong of [`${digits}A`, `${digits.slice(2)}x`, `${digits.slice(2)}AX`])
      expect(() => read(JSON.stringify([wrong]))).toThrow(
        expect.objectContaining({ code: 'connection-lost' }),
      );
    expect(() => read(JSON.stringify([digits.repeat(4)]))).toThrow(
      expect.objectContaining({ code: 'value-too-large' }),
    );
  });

  it.each([
    ['FIXED', 2, 'decimal', 'NUMBER(38,2)'],
    ['TEXT', 0, 'text', 'VARCHAR'],
    ['REAL', 0, 'float', 'FLOAT'],
    ['TIMESTAMP_TZ', 9, 'timestamptz', 'TIMESTAMP_TZ(9)'],
    ['OBJECT', 0, 'json', 'OBJECT'],
    ['SOMETHING NEW', 0, 'other', 'SOMETHING NEW'],
  ])('of the type %s(%i) have the kind %s and the type name %s', (type, scale, kind, written) => {
    expect(snowflakeKind(columnOf(type, scale))).toBe(kind);
    expect(snowflakeType(columnOf(type, scale))).toBe(written);
  });
});
