import { describe, expect, it } from 'vitest';
import {
  assertTypeDepth,
  cellReader,
  clickhouseKind,
  innerType,
  isNullableType,
  kindInSession,
} from './types.ts';

const nested = (wrapper: string, type: string, depth: number): string =>
  `${`${wrapper}(`.repeat(depth)}${type}${')'.repeat(depth)}`;

describe('the inner type of a ClickHouse type', () => {
  it.each([
    ['LowCardinality(Nullable(String))', 'String'],
    ['Nullable(Decimal(9, 2))', 'Decimal(9, 2)'],
    ['SimpleAggregateFunction(sum, Nullable(UInt64))', 'UInt64'],
    ['SimpleAggregateFunction(groupArrayArray(3), Array(UInt8))', 'Array(UInt8)'],
    ['Array(Nullable(String))', 'Array(Nullable(String))'],
    ['Nullable(', 'Nullable('],
    ['Nullable()', ''],
    ['Nullable(String', 'Nullable(String'],
    ['', ''],
  ])('%s has the inner type %s', (type, inner) => {
    expect(innerType(type)).toBe(inner);
  });

  it('is determined at a nesting depth of 200,000', () => {
    const depth = 200_000;
    for (const wrapper of ['Nullable', 'LowCardinality', 'SimpleAggregateFunction(any, Nullable'])
      expect(innerType(nested(wrapper, 'UInt8', depth).replaceAll('any, Nullable(', 'any, '))).toBe('UInt8');
    expect(clickhouseKind(nested('Nullable', 'UInt8', depth))).toBe('integer');
    expect(isNullableType(nested('LowCardinality', 'UInt8', depth))).toBe(false);
    const time = nested('Nullable', "DateTime('Asia/Tokyo')", depth);
    expect(kindInSession(time, { isIso: false, serverZone: 'UTC' })).toBe('timestamp');
    expect(clickhouseKind(`SimpleAggregateFunction(${'a('.repeat(depth)}`)).toBe('other');
  });
});

describe('the nesting depth of a ClickHouse type', () => {
  it('is limited, and the error of a deeper type has the name of its column', () => {
    for (const wrapper of ['Nullable', 'Array', 'Tuple'])
      expect(() => assertTypeDepth(nested(wrapper, 'UInt8', 100_000), () => 'deep')).toThrow(
        'The type of the column deep is nested deeper than 200 levels.',
      );
    expect(() => assertTypeDepth(nested('Array', 'UInt8', 201), () => 'deep')).toThrow('nested deeper');
    expect(() => assertTypeDepth(nested('Array', 'UInt8', 200), () => 'deep')).not.toThrow();
  });

  it('does not include brackets inside quoted names', () => {
    const quoted = '('.repeat(300);
    for (const type of [
      `Enum8('${quoted}' = 1, '\\'${quoted}' = 2)`,
      `Tuple(\`${quoted}\` String)`,
      `Tuple("${quoted}" String)`,
    ])
      expect(() => assertTypeDepth(type, () => 'names')).not.toThrow();
  });
});

describe('ClickHouse numbers', () => {
  const cell = (type: string, text: string, decimalsAsText = false) =>
    cellReader(type, clickhouseKind(type), { decimalsAsText })(text, 'bare');
  const near = `0.${'0'.repeat(399)}1`;
  const far = `1${'0'.repeat(400)}`;
  it.each([
    ['Float64', '1e-400', '1e-400'],
    ['Float64', '-12.5E-400', '-12.5E-400'],
    ['Float64', '1e400', '1e400'],
    ['Float64', '5e-324', 5e-324],
    ['Float64', near, near],
    ['Float64', '0e-400', 0],
    ['Float64', '-0', -0],
    ['Decimal(76, 76)', near, near],
    ['Decimal(76, 0)', far, far],
    ['Decimal(76, 0)', '1e400', undefined],
    ['Decimal(76, 76)', `0.${'0'.repeat(75)}1`, 1e-76],
    ['Decimal(38, 2)', '-0.00', 0],
    ['Decimal(38, 2)', '12345678901234567.89', '12345678901234567.89'],
    ['Decimal(38, 2)', '9007199254740993.00', '9007199254740993.00'],
    ['Int64', '-0', 0],
    ['Int64', '1e3', undefined],
    ['UInt256', far, far],
    ['IntervalQuarter', '3002399751580331', 'P9007199254740993M'],
    ['IntervalDay', '-9223372036854775808', '-P9223372036854775808D'],
    ['Intervalconstructor', '1', '1'],
    ['IntervalDay', far, undefined],
  ] as const)('of the type %s: %s is read as %j', (type, text, value) => {
    expect(cell(type, text)).toBe(value);
    if (type.startsWith('Decimal') && value !== undefined) expect(cell(type, text, true)).toBe(text);
  });
});
