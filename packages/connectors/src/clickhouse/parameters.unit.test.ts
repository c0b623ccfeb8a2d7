import { describe, expect, it } from 'vitest';
import { clickhouseMarker, requestParameters } from './parameters.ts';

const parameter = (value: string) => {
  const bound = { type: 'Number', value } as const;
  return [clickhouseMarker(1, bound), requestParameters([bound])[0]?.[1]];
};

describe('a bound number for ClickHouse', () => {
  it.each([
    ['1e-7', '{p1:Decimal(8, 7)}', '0.0000001'],
    ['1.5e3', '{p1:Int64}', '1500'],
    ['-.5', '{p1:Decimal(2, 1)}', '-0.5'],
    ['5.', '{p1:Int64}', '5'],
    ['-0', '{p1:Int64}', '-0'],
    ['0.1234567890123456789', '{p1:Decimal(20, 19)}', '0.1234567890123456789'],
    ['1e60', '{p1:Int256}', `1${'0'.repeat(60)}`],
    ['1e-75', '{p1:Decimal(76, 75)}', `0.${'0'.repeat(74)}1`],
    ['1e-100', '{p1:Float64}', '1e-100'],
    ['1e300', '{p1:Float64}', '1e300'],
  ])(
    '%s becomes a parameter of a type that can represent it exactly, if one exists',
    (value, marker, text) => {
      expect(parameter(value)).toEqual([marker, text]);
    },
  );

  it.each(['1e-400', '-1e-999', '1e400', '1e999'])('is refused if it is %s', (value) => {
    expect(() => parameter(value)).toThrow(
      'Value 1 is a number that ClickHouse has no type for: it is too near to 0, or too far from it.',
    );
  });
});
